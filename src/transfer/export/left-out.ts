import { type Exporter, entriesOf } from './entries'
import type { Entry } from './entry'
import { type Columns, csvTable } from './table'

export type LeftOutReason = 'no_mal_id' | 'no_status'

/** A table that can also be imported, as a custom one. */
export function leftOutCsv(
  exporter: Exporter,
  works: readonly { readonly id: number; readonly reason: LeftOutReason }[],
): AsyncGenerator<string> {
  const reasons = new Map(works.map(({ id, reason }) => [id, reason]))
  const reason = ({ workId }: Entry) => reasons.get(workId) ?? null
  return csvTable({ ...columns, reason }, entriesOf(exporter, works), 'for people')
}

const columns: Columns<Entry> = {
  work_id: ({ workId }) => workId,
  title: ({ title }) => title,
  year: ({ year }) => year,
  status: ({ status }) => status,
  progress: ({ progress }) => progress,
  rating: ({ rating }) => rating,
  started_on: ({ startedOn }) => startedOn,
  finished_on: ({ finishedOn }) => finishedOn,
  rewatches: ({ rewatches }) => rewatches,
  comment: ({ note }) => note,
}
