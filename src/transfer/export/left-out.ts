import { type Exporter, entriesOf } from './entries'
import type { Entry } from './entry'
import { csvTable } from './table'

/** Why a work is not in a list of another service. */
export type LeftOutReason = 'no_mal_id' | 'no_status'

const columns = [
  ...(['work_id', 'title', 'year', 'status', 'progress', 'rating', 'started_on', 'finished_on'] as const),
  ...(['rewatches', 'comment', 'reason'] as const),
]

/** A table that an import takes too, as one of one's own. */
export function leftOutCsv(
  exporter: Exporter,
  works: readonly { readonly id: number; readonly reason: LeftOutReason }[],
): AsyncGenerator<string> {
  const reasons = new Map(works.map(({ id, reason }) => [id, reason]))
  const present = (entry: Entry) => ({ ...rowOf(entry), reason: reasons.get(entry.workId) ?? null })
  return csvTable(columns, entriesOf(exporter, works), present, 'for people')
}

const rowOf = (entry: Entry) => ({
  work_id: entry.workId,
  title: entry.title,
  year: entry.year,
  status: entry.status,
  progress: entry.progress,
  rating: entry.rating,
  started_on: entry.startedOn,
  finished_on: entry.finishedOn,
  rewatches: entry.rewatches,
  comment: entry.note,
})
