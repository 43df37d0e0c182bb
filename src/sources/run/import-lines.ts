import type { Database } from 'bun:sqlite'
import { limits } from '../../catalogue/import/file/limits'
import { importCatalogue } from '../../catalogue/import/import-catalogue'
import type { Conflict } from '../../catalogue/import/import-options'
import type { AnySource } from '../source'
import { type Changes, changesIn } from './changes'
import type { Ending } from './end'
import { suspicionOf } from './guards'
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
