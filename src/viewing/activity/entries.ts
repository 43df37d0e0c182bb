import type { StatusKind } from '../../library/statuses'

/** What somebody did, as their stream tells it; `created_at` is in epoch milliseconds. */
export interface StreamActivity {
  readonly id: number
  readonly user_id: number
  readonly work_id: number
  readonly action: 'create_record' | 'create_multiple_records' | 'create_review' | 'create_status'
  readonly record_id: number | null
  readonly review_id: number | null
  readonly status_kind: StatusKind | null
  readonly created_at: number
  /** The date on which it was watched together, if the reader sees that. */
  readonly meeting_id: number | null
}

/** Activities of one person that are told as one, newest first. It stands where its newest one does. */
export type StreamEntry = readonly [StreamActivity, ...StreamActivity[]]

/** Activities in one entry; a run of more is told in several, counted from the oldest. */
const mostInEntry = 100

const hour = 3_600_000
const recordGap = 6 * hour
const statusGap = hour

/** Whether two activities of a stream, one right after the other, may be told together, or with what is between them. */
export function isLinked(one: StreamActivity, other: StreamActivity): boolean {
  if (one.meeting_id !== null || other.meeting_id !== null) return false
  if (one.work_id === other.work_id && isWithin(recordGap, one, other)) return true
  return one.status_kind !== null && one.status_kind === other.status_kind && isWithin(statusGap, one, other)
}

/**
 * One person's stream, newest first, as entries: records on one work with nothing of another work between, each within six
 * hours of the one before; statuses of one kind right after each other, within an hour. Anything else stands alone.
 */
export function entriesOfStream(newestFirst: readonly StreamActivity[]): StreamEntry[] {
  const entries: [StreamActivity, ...StreamActivity[]][] = []
  let records: [StreamActivity, ...StreamActivity[]] | undefined
  let statuses: [StreamActivity, ...StreamActivity[]] | undefined
  let before: StreamActivity | undefined
  for (const activity of newestFirst.toReversed()) {
    const isApart = before === undefined || !isLinked(before, activity)
    if (isApart || records?.[0].work_id !== activity.work_id) records = undefined
    if (isApart || activity.action !== 'create_status') statuses = undefined
    before = activity
    if (isRecord(activity)) {
      records = joined(entries, records, activity, recordGap)
    } else if (activity.action === 'create_status') {
      statuses = joined(entries, isOfKind(statuses, activity) ? statuses : undefined, activity, statusGap)
    } else entries.push([activity])
  }
  return entries.sort(([one], [other]) => other.id - one.id)
}

export const isRecord = ({ action }: StreamActivity): boolean =>
  action === 'create_record' || action === 'create_multiple_records'

const isOfKind = (some: StreamEntry | undefined, { status_kind }: StreamActivity) =>
  some?.[0].status_kind === status_kind

/** The entry that the activity is in then: the open one, if it still takes it. */
function joined(
  entries: [StreamActivity, ...StreamActivity[]][],
  open: [StreamActivity, ...StreamActivity[]] | undefined,
  activity: StreamActivity,
  gap: number,
): [StreamActivity, ...StreamActivity[]] {
  if (open !== undefined && open.length < mostInEntry && isWithin(gap, open[0], activity)) {
    open.unshift(activity)
    return open
  }
  const made: [StreamActivity, ...StreamActivity[]] = [activity]
  entries.push(made)
  return made
}

/** By the clock of then, which may have been set back, or of a press that waited for its connection. */
const isWithin = (gap: number, one: StreamActivity, other: StreamActivity) =>
  Math.abs(one.created_at - other.created_at) <= gap
