import type { Database } from 'bun:sqlite'
import { type DefaultCatalogueState, defaultCatalogueState } from './default-catalogue'
import { kinds } from './import/kinds/kinds'

/** What the catalogue holds and where it comes from; plain data. */
export interface CatalogueSummary {
  /** Rows by type of line. */
  rows: Record<string, { shown: number; hidden: number }>
  /** How many of those shown follow from the works' dates. */
  estimated: { episodes: number; programs: number }
  /** Those that said something, and in how many lines; the weightiest first. */
  sources: { name: string; priority: number; lines: number }[]
  defaultCatalogue: DefaultCatalogueState
}

/** Counts it all: reads whole tables. */
export async function summarize(handle: Database): Promise<CatalogueSummary> {
  const count = (sql: string) =>
    handle.query<{ n: number }, []>(`select count(*) as n from ${sql}`).all()[0]?.n ?? 0
  const rows = kinds.map(({ name, table }) => {
    const shown = count(`${table} where hidden = 0`)
    return [name, { shown, hidden: count(table) - shown }] as const
  })
  const estimated = (table: string) => count(`${table} where estimated = 1 and hidden = 0`)
  return {
    rows: Object.fromEntries(rows),
    estimated: { episodes: estimated('episodes'), programs: estimated('programs') },
    sources: handle.query<CatalogueSummary['sources'][number], []>(sourcesWithLines).all(),
    defaultCatalogue: await defaultCatalogueState(handle),
  }
}

const sourcesWithLines = `
  select name, priority, (select count(*) from import_rows where source_id = sources.id) as lines
  from sources order by priority desc, name`
