import type { Database } from 'bun:sqlite'
import { limits } from '../../catalogue/import/file/limits'
import { importCatalogue } from '../../catalogue/import/import-catalogue'
import type { Conflict } from '../../catalogue/import/import-options'
import { titleText } from '../../catalogue/title-key'
import type { AnySource } from '../source'
import { type Changes, changesIn } from './changes'
import type { Ending } from './end'
import type { LineBytes } from './line-bytes'
import type { LeftAlone, RunReport } from './report'
import type { RunTools } from './tools'

export interface ImportTerms {
  readonly isDryRun: boolean
  readonly isForced: boolean
  /** Of the last comparable runs. */
  readonly usualLines: number | undefined
  readonly notes: readonly string[]
}

/** Imports a source's lines unless they are suspicious. Their header names the owner: each pack has its own name. */
export async function importLines(
  { store, now, onProgress }: RunTools,
  source: AnySource,
  lines: LineBytes,
  { isDryRun, isForced, usualLines, notes }: ImportTerms,
): Promise<Ending> {
  const conflicts = new Conflicts()
  let changes: Changes = { changes: [], changesCount: 0 }
  let suspicion: string | undefined
  const examine = (copy: Database, count: number) => {
    changes = changesIn(copy)
    suspicion = isForced ? undefined : suspicionOf(copy, count, usualLines)
    return suspicion === undefined
  }
  const imported = await importCatalogue(store, lines, {
    now: now(),
    matchTitles: source.matchTitles,
    dryRun: isDryRun,
    examine,
    onConflict: (conflict) => conflicts.note(conflict),
    onProgress: (count, stage) =>
      onProgress?.(`${source.name}: ${stage} ${count.toLocaleString('en')} lines`),
  })
  if (lines.failure !== undefined) throw lines.failure
  const report: RunReport = {
    import: { ...imported, warnings: [...imported.warnings, ...notes.slice(0, limits.warnings)] },
    ...changes,
    leftAlone: conflicts.leftAlone(store.handle),
  }
  const [problem] = imported.problems
  if (imported.failed)
    return { outcome: 'not_understood', message: `line ${problem?.line}: ${problem?.message}`, report }
  if (suspicion !== undefined) return { outcome: 'held_back', message: suspicion, report }
  return { outcome: 'done', message: null, report }
}

class Conflicts {
  readonly #counts = new Map<string, { field: string; owner: number; count: number }>()

  note({ kind, field, owner }: Conflict): void {
    const key = `${kind}.${field} ${owner}`
    const known = this.#counts.get(key) ?? { field: `${kind}.${field}`, owner, count: 0 }
    known.count++
    this.#counts.set(key, known)
  }

  /** Most frequent first. */
  leftAlone(handle: Database): LeftAlone[] {
    const sources = handle.query<{ id: number; name: string }, []>('select id, name from sources').all()
    const names = new Map(sources.map(({ id, name }) => [id, name]))
    return [...this.#counts.values()]
      .map((one) => ({ ...one, owner: names.get(one.owner) ?? '' }))
      .sort((one, other) => other.count - one.count)
  }
}

/** Why a change of the catalogue is suspicious. `copy` is the changed one, the current database is attached as `live`. */
function suspicionOf(copy: Database, lines: number, usualLines: number | undefined): string | undefined {
  return tooManyTitles(copy) ?? tooFewLines(lines, usualLines) ?? movedNumber(copy)
}

function tooManyTitles(copy: Database): string | undefined {
  const [counts] = copy.query<{ changed: number; known: number }, []>(changedTitles).all()
  const { changed, known } = counts ?? { changed: 0, known: 0 }
  const most = Math.max(fewTitles, Math.floor(known * mostChanged))
  return changed <= most
    ? undefined
    : `it would change the titles of ${grouped(changed)} of ${grouped(known)} works, and at most ${grouped(most)} are expected`
}

function tooFewLines(lines: number, usual: number | undefined): string | undefined {
  if (usual === undefined || usual < fewLines || lines * 2 >= usual) return undefined
  return `it gives ${grouped(lines)} lines, less than half of the ${grouped(usual)} of its last run`
}

/** Annict's numbers appear in links and other programs: each must stay with its work. */
function movedNumber(copy: Database): string | undefined {
  for (const { id, from, fromYear, to, toYear } of copy.query<Moved, []>(movedNumbers).iterate()) {
    if (titleText(from) !== titleText(to) && fromYear !== toYear)
      return `the Annict id ${id} would move from ${from} (${fromYear ?? '?'}) to ${to} (${toYear ?? '?'})`
  }
  return undefined
}

interface Moved {
  readonly id: string
  readonly from: string
  readonly fromYear: number | null
  readonly to: string
  readonly toYear: number | null
}

const changedTitles = `
  select count(*) filter (where work.title <> live.title) as changed, count(*) as known
  from live.works as live join main.works as work using (id) where live.hidden = 0`

/** Merged works share their numbers. */
const movedNumbers = `
  select live.external_id as id, before.title as "from", before.season_year as fromYear,
    after.title as "to", after.season_year as toYear
  from live.external_ids as live
  join main.external_ids as moved on moved.kind = 'work' and moved.ns = 'annict'
    and moved.external_id = live.external_id and moved.local_id <> live.local_id
  join live.works as before on before.id = live.local_id
  join main.works as after on after.id = moved.local_id
  where live.kind = 'work' and live.ns = 'annict' and before.hidden = 0
    and not exists (select 1 from live.external_ids as had where had.kind = 'work' and had.ns = 'annict'
      and had.external_id = moved.external_id and had.local_id = moved.local_id)
    and not exists (select 1 from main.redirects as redirect where redirect.kind = 'work'
      and redirect.from_id = live.local_id and redirect.to_id = moved.local_id)`

const grouped = (n: number) => n.toLocaleString('en')

const mostChanged = 0.02

/** In a small catalogue 2 % are only a few, which may well change. */
const fewTitles = 10

/** Losing half of fewer lines means nothing. */
const fewLines = 50
