import type { StatusKind } from '../../library/statuses'
import type { PartialDate } from '../row'
import type { StatusRow } from './change-sink'
import { isBefore } from './file-dates'
import type { Here } from './here'
import type { ImportedStatus } from './planned-row'
import type { Said } from './said'

export interface PlannedStatus {
  /** Null: nothing changes. */
  readonly status: ImportedStatus | null
  /** The file says another status, or another date than somebody said. */
  readonly differs: boolean
}

interface StatusToPlan {
  readonly said: Said
  /** What follows from a history, where the file says no status. */
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

function newStatus({
  said,
  derived,
  changedAt,
}: Pick<StatusToPlan, 'said' | 'derived' | 'changedAt'>): ImportedStatus | null {
  const kind = said.status ?? derived
  const { startedOn, finishedOn, rewatches } = said
  return kind && { kind, changedAt, startedOn, finishedOn, rewatches: rewatches || null }
}

/** Adds what nobody said and no record tells. Rewatches only grow. */
function changedStatus(
  here: Here,
  before: StatusRow,
  { said, fileWins, changedAt }: Pick<StatusToPlan, 'said' | 'fileWins' | 'changedAt'>,
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
  const rewatches = said.rewatches > (before.rewatches ?? 0) ? said.rewatches : before.rewatches
  const status = {
    kind: kind ?? before.kind,
    changedAt: kind === before.kind ? before.changed_at : changedAt,
    startedOn: fits ? started.date : before.started_on,
    finishedOn: fits ? finished.date : before.finished_on,
    rewatches,
  }
  const differs = isOther || started.differs || finished.differs
  return { status: isSame(status, before) ? null : status, differs }
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

/** Of records and viewings whose time is known, if only by the year. */
const knownTimes = ({ episodes, reviews }: Here): number =>
  episodes.reduce(
    (sum, { records }) => sum + records.filter(({ precision }) => precision !== 'none').length,
    reviews.filter(({ watched_at_precision }) => (watched_at_precision ?? 'none') !== 'none').length,
  )

const isSame = (status: ImportedStatus, before: StatusRow): boolean =>
  status.kind === before.kind &&
  status.startedOn === before.started_on &&
  status.finishedOn === before.finished_on &&
  status.rewatches === before.rewatches
