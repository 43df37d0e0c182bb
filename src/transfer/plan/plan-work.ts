import type { StatusKind } from '../../library/statuses'
import type { ListRow, OwnReview, PartialDate, Play } from '../row'
import type { ListSource } from '../sources'
import { type FileClock, isBefore, isDay, noonOf } from './file-dates'
import type { Here, StatusRow } from './here'
import { type PlannedNote, planNote } from './own/own-marks'
import { planOwnReviews } from './own/own-reviews'
import { noEpisodes, type PlannedEpisodes, planEpisodes } from './plan-episodes'
import { noViewings, type PlannedReviews, planReviews, type Viewings } from './plan-reviews'
import type { Writes } from './planned-row'
import { playsOfFilm } from './row-plays'
import type { RowToPlan } from './row-to-plan'
import type { Said, Warn } from './said'

/** What a row adds to a user's data for its work, and where the two differ. */
export interface PlannedWork {
  readonly here: Here
  readonly episodes: PlannedEpisodes
  readonly viewings: Viewings
  readonly status: PlannedStatus
  /** Derived from a history, if neither the file nor the user has a status. */
  readonly derived: StatusKind | null
  readonly reviews: PlannedReviews
  readonly note: PlannedNote
  readonly writes: Writes
}

export function planWork(toPlan: RowToPlan, here: Here, said: Said, warn: Warn): PlannedWork {
  const { match, options, now } = toPlan
  const clock = { now, timeZone: options.timeZone }
  const episodes = here.isViewed ? noEpisodes : planEpisodes(toPlan, here, said, warn)
  const viewings = here.isViewed && match.row.own === undefined ? viewingsOf(toPlan, said, clock) : noViewings
  const derived = here.status === null ? derivedStatus(toPlan.source, episodes, viewings) : null
  const fileWins = winsAgainst(toPlan)
  const status = planStatus({
    said,
    derived,
    here,
    fileWins: here.status !== null && fileWins(here.status.changed_at),
    changedAt: Math.min(match.row.updatedAt ?? now, now),
  })
  const reviews = match.row.own
    ? planOwnReviews(ownReviewsOf(match.row, here), here.reviews, now)
    : planReviews({
        here: here.reviews,
        said,
        viewings,
        now,
        fileWins: (review) => fileWins(review.modified_at ?? review.created_at),
      })
  const replacesNote = options.conflict === 'file' && toPlan.earlier === null
  const note = planNote({ own: match.row.own, here: here.note, fileWins: replacesNote, now }, warn)
  const writes = {
    workId: here.workId,
    growsTo: episodes.growsTo,
    episodes: here.episodes.map(({ id }) => id),
    laps: episodes.laps,
    records: episodes.records,
    skips: episodes.skips,
    status: status.status,
    reviews: reviews.reviews,
    note: note.note,
    isPrivate: options.isAllPrivate || match.row.isPrivate === true,
    isStatusPrivate: match.row.own?.isPrivate,
  }
  return { here, episodes, viewings, status, derived, reviews, note, writes }
}

/** Records of its episodes are viewings of a work that is a film here: where the file is from, it had episodes. */
function ownReviewsOf({ own, plays = [] }: ListRow, { isViewed }: Here): readonly OwnReview[] {
  const viewings = isViewed ? plays : []
  return [...(own?.reviews ?? []), ...viewings.map(viewingOf)]
}

const noRatings = { animation: undefined, music: undefined, story: undefined, character: undefined }

const viewingOf = ({ comment = '', rating, score, watchedAt, own }: Play): OwnReview => ({
  body: comment,
  ratings: { ...noRatings, overall: rating },
  score,
  precision: own?.precision ?? 'none',
  watchedAt: typeof watchedAt === 'number' ? watchedAt : undefined,
  createdAt: own?.createdAt ?? (typeof watchedAt === 'number' ? watchedAt : undefined),
  shares: own?.shares,
  isPrivate: own?.isPrivate,
})

/**
 * Whether the file's values replace those set at a given time. Earlier rows of a file take precedence over later ones.
 */
function winsAgainst({ options: { conflict }, match: { row }, earlier }: RowToPlan) {
  if (earlier !== null || conflict === 'keep') return () => false
  return (setAt: number) => conflict === 'file' || (row.updatedAt !== undefined && row.updatedAt > setAt)
}

/** Sources that have plays of works without a status. */
const histories: ReadonlySet<ListSource> = new Set([
  ...(['trakt', 'tvtime', 'ryot', 'mediatracker', 'jellyfin-playback', 'tautulli', 'seriesguide'] as const),
])

function derivedStatus(source: ListSource, episodes: PlannedEpisodes, viewings: Viewings): StatusKind | null {
  if (!histories.has(source)) return null
  if (viewings.plays.length > 0) return 'watched'
  if (!episodes.hasPlays) return null
  return episodes.isComplete ? 'watched' : 'watching'
}

/** Being on a watchlist or having a rating does not mean that a film was watched. */
function viewingsOf({ match: { row } }: RowToPlan, said: Said, clock: FileClock): Viewings {
  const plays = playsOfFilm(row, clock)
  if (plays.length > 0) return { plays, isOnce: false, isSeen: true }
  if (!isDay(said.finishedOn))
    return { plays, isOnce: true, isSeen: said.status !== null && said.status !== 'wanna_watch' }
  const moment = { at: noonOf(said.finishedOn, clock), precision: 'day' } as const
  return { plays: [{ moment, ratingState: null, score: null, comment: '' }], isOnce: true, isSeen: true }
}

interface PlannedStatus {
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

function planStatus({ here, ...toPlan }: StatusToPlan): PlannedStatus {
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
