import type { StatusKind } from '../../library/statuses'
import type { PartialDate } from '../row'
import type { StatusRow } from './change-sink'
import { isBefore } from './file-dates'
import type { Here } from './here'
import type { Said } from './said'

export interface PlannedStatus {
  /** Null if nothing changes. */
  readonly status: StatusRow | null
  /** The file has a different status, or a date different from the one set here. */
  readonly differs: boolean
}

interface StatusToPlan {
  readonly said: Said
  /** Derived from a history, if the file has no status. */
  readonly derived: StatusKind | null
  readonly here: Here
  readonly fileWins: boolean
  /** When the file's status was set, in epoch milliseconds. */
  readonly changedAt: number
}

export function planStatus({ here, ...toPlan }: StatusToPlan): PlannedStatus {
  return here.status === null
    ? { status: newStatus(toPlan), differs: false }
    : changedStatus(here, here.status, toPlan)
}

function newStatus({ said, derived, changedAt }: Omit<StatusToPlan, 'here'>): StatusRow | null {
  const kind = said.status ?? derived
  const { startedOn: started_on, finishedOn: finished_on, rewatches } = said
  return kind && { kind, changed_at: changedAt, started_on, finished_on, rewatches: rewatches || null }
}

/** Adds dates that are neither set here nor known from records. Rewatches only increase. */
function changedStatus(
  here: Here,
  before: StatusRow,
  { said, fileWins, changedAt }: Omit<StatusToPlan, 'here'>,
): PlannedStatus {
  const isOther = said.status !== null && said.status !== before.kind
  const kind = isOther && fileWins ? said.status : before.kind
  const told = knownTimes(here) > 0
  const started = mergedDate(before.started_on, said.startedOn, { told, fileWins })
  const finished = mergedDate(before.finished_on, said.finishedOn, {
    told: told && kind === 'watched',
    fileWins,
  })
  const fits = started.date === null || finished.date === null || !isBefore(finished.date, started.date)
  const status = {
    kind: kind ?? before.kind,
    changed_at: kind === before.kind ? before.changed_at : changedAt,
    started_on: fits ? started.date : before.started_on,
    finished_on: fits ? finished.date : before.finished_on,
    rewatches: said.rewatches > (before.rewatches ?? 0) ? said.rewatches : before.rewatches,
  }
  const differs = isOther || started.differs || finished.differs
  return { status: Bun.deepEquals(status, before) ? null : status, differs }
}

function mergedDate(
  before: PartialDate | null,
  said: PartialDate | null,
  { told, fileWins }: { told: boolean; fileWins: boolean },
): { date: PartialDate | null; differs: boolean } {
  if (said === null || said === before) return { date: before, differs: false }
  if (before === null) return { date: told ? null : said, differs: false }
  return { date: fileWins ? said : before, differs: true }
}

/** Number of records and viewings whose time is known, at least the year. */
const knownTimes = ({ episodes, reviews }: Here): number =>
  episodes.reduce(
    (sum, { records }) => sum + records.filter(({ precision }) => precision !== 'none').length,
    reviews.filter(({ watched_at_precision }) => (watched_at_precision ?? 'none') !== 'none').length,
  )
