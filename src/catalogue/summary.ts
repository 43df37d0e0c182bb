import type { Database } from 'bun:sqlite'
import { type DefaultCatalogueState, defaultCatalogueState } from './default-catalogue'
import { kinds } from './import/kinds/kinds'

export interface CatalogueSummary {
  rows: Record<string, { shown: number; hidden: number }>
  /** How many of the visible rows are estimated. */
  estimated: { episodes: number; programs: number }
  /** Sources that have lines, highest priority first. */
  sources: { name: string; priority: number; lines: number }[]
  defaultCatalogue: DefaultCatalogueState
}

/** Scans whole tables. */
export function summarize(handle: Database): CatalogueSummary {
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
    defaultCatalogue: defaultCatalogueState(handle),
  }
}

const sourcesWithLines = `
  select name, priority, (select count(*) from import_rows where source_id = sources.id) as lines
  from sources order by priority desc, name`
