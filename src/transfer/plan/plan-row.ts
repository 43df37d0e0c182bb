import { favorites, type ListPlace, type ListRow } from '../row'
import { dayOf } from './file-dates'
import type { Here } from './here'
import { type PlannedWork, planWork } from './plan-work'
import type { PlannedRow, RowReason, RowState, ShownRow, Writes } from './planned-row'
import type { RowToPlan } from './row-to-plan'
import { type Said, saidOf } from './said'

/** Plans what a row changes. Pure. */
export function planRow(toPlan: RowToPlan): PlannedRow {
  const warnings: string[] = []
  const warn = (warning: string) => void warnings.push(warning)
  const said = saidOf(toPlan, warn)
  const work = toPlan.here && planWork(toPlan, toPlan.here, said, warn)
  const [state, reason = null] = stateOf(toPlan, said, work)
  const changes = work !== null && (state === 'new' || hasWrites(work.writes) || gains(toPlan).length > 0)
  const shown = { ...shownOf(toPlan, { said, work, warnings }), changes }
  const isApplicable = state === 'new' || state === 'conflict' || state === 'check'
  return { state, reason, shown, writes: isApplicable ? (work?.writes ?? null) : null }
}

type Outcome = readonly [RowState, RowReason?]

function stateOf(toPlan: RowToPlan, said: Said, work: PlannedWork | null): Outcome {
  const { match, options, earlier } = toPlan
  const { row } = match
  if (row.error !== undefined) return ['error', row.error.split(' ', 1)[0] ?? '']
  if (options.user !== null && row.user !== options.user) return ['skipped', 'other_user']
  if (row.skipped !== undefined) return ['skipped', row.skipped]
  if (row.isPrivate === true && !options.includesPrivate && !options.isAllPrivate)
    return ['skipped', 'private']
  if (work === null && match.reason !== null) return ['check', match.reason]
  if (work === null) return row.mayBeOther === true ? ['skipped', 'not_anime'] : ['not_found']
  const hasPlays = (row.plays ?? []).length > 0
  if (!hasPlays && saysAtMostPlays(row, said) && row.own === undefined && row.lists === undefined)
    return ['skipped', 'nothing_to_import']
  if (match.reason !== null) return ['check', match.reason]
  const adds = hasWrites(work.writes) || asksScale(said, work) || gains(toPlan).length > 0
  if (!adds && earlier === 'entry' && !hasPlays) return ['skipped', 'duplicate_in_file']
  if (work.status.differs || work.reviews.differs || work.note.differs) return ['conflict']
  if (adds) return ['new']
  // All of its plays are of episodes missing in the list.
  const isForeign = hasPlays && !work.here.isViewed && !work.episodes.hasPlays
  return isForeign && row.own === undefined && saysAtMostPlays(row, said)
    ? ['check', 'episode_count_differs']
    : ['unchanged']
}

const comingOver = ({ match, options }: RowToPlan): readonly ListPlace[] =>
  (match.row.lists ?? []).filter(({ name }) => !options.leavesOut.includes(name))

/** The lists that do not have the work yet. */
const gains = (toPlan: RowToPlan): readonly ListPlace[] =>
  comingOver(toPlan).filter(({ name }) => !toPlan.inLists.includes(name))

const saysAtMostPlays = (row: ListRow, said: Said): boolean =>
  said.status === null &&
  said.rating === null &&
  !said.hasUnknownScale &&
  said.note === '' &&
  said.startedOn === null &&
  said.finishedOn === null &&
  (row.progress ?? 0) === 0 &&
  (row.watched ?? []).length === 0

interface ToShow {
  readonly said: Said
  readonly work: PlannedWork | null
  readonly warnings: readonly string[]
}

/** What a preview shows of a row: what the file says, the outcome, and what exists here. */
function shownOf(toPlan: RowToPlan, { said, work, warnings }: ToShow): Omit<ShownRow, 'changes'> {
  const { match } = toPlan
  const episodes = work?.episodes
  return {
    matchedBy: match.matchedBy,
    status: said.status ?? work?.derived ?? null,
    episodes: episodes?.watched ?? 0,
    added: episodes?.records.length ?? 0,
    skips: episodes?.skips.length ?? 0,
    growsTo: episodes?.growsTo ?? null,
    rating: said.rating,
    score: said.score,
    hasUnknownScale: said.hasUnknownScale,
    reviewBody: said.note,
    hasPrivateNote: (match.row.own?.note?.text ?? '') !== '',
    startedOn: said.startedOn,
    finishedOn: said.finishedOn ?? lastViewing(toPlan, work),
    rewatches: said.rewatches,
    lists: match.row.lists ?? [],
    listed: gains(toPlan).filter(({ name }) => name !== favorites).length,
    records: episodes?.shown ?? [],
    here: shownHere(work?.here),
    proposals: match.proposals,
    ...totals(match.row.total, work?.here),
    warnings,
  }
}

function lastViewing({ options, now }: RowToPlan, work: PlannedWork | null): string | null {
  const last = work?.viewings.plays.findLast(({ moment }) => moment !== null)?.moment
  return last ? dayOf(last.at, { now, timeZone: options.timeZone }) : null
}

function shownHere(here: Here | undefined): ShownRow['here'] {
  const review = newestFilled(here?.reviews ?? [])
  return {
    status: here?.status?.kind ?? null,
    episodes: here?.episodes.filter(({ records }) => records.length > 0).length ?? 0,
    rating: review?.rating_overall_state ?? null,
    score: review?.score ?? null,
    reviewBody: review?.body ?? '',
    hasPrivateNote: (here?.note ?? null) !== null,
  }
}

const newestFilled = (reviews: Here['reviews']) =>
  reviews.findLast((one) => one.body !== '' || one.rating_overall_state !== null || one.score !== null)

/** Null if they agree. */
function totals(
  total: number | undefined,
  here: Here | undefined,
): Pick<ShownRow, 'fileTotal' | 'catalogueTotal'> {
  const listed = here?.episodes.length ?? 0
  return total === undefined || here === undefined || here.isViewed || total === listed
    ? { fileTotal: null, catalogueTotal: null }
    : { fileTotal: total, catalogueTotal: listed }
}

const hasWrites = ({ growsTo, laps, records, skips, status, reviews, note }: Writes): boolean =>
  growsTo !== null ||
  laps.length + records.length + skips.length + reviews.length > 0 ||
  status !== null ||
  note !== null

/** The row would add a rating if the scale were known. */
const asksScale = (said: Said, { here }: PlannedWork): boolean =>
  said.hasUnknownScale && here.reviews.every(({ rating_overall_state }) => rating_overall_state === null)
