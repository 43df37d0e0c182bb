import { type Progress, progressOf } from '../../library/progress/progress'
import type { Preferences } from '../../pages/preferences'
import { type MemberVisit, queryText } from '../../web/visit'
import { pageNumber } from '../parts/page-links'
import { broadcastsToday, type Start, startingSoon, type TodaysBroadcast } from './broadcasts'
import { episodesAfter, recentWorks, type TrackedWork, trackedWorks } from './queries'

export const sorts = ['airing', 'recent', 'title'] as const
export type TrackSort = (typeof sorts)[number]

export interface Track {
  readonly sort: TrackSort
  readonly rows: readonly TrackedRow[]
  readonly page: number
  readonly pages: number
  readonly today: readonly TodaysBroadcast[]
  readonly starting: readonly Start[]
}

const rowsPerPage = 25

const pageOf = (index: number) => Math.floor(index / rowsPerPage) + 1

/** The works that a user is watching, with what comes next. */
export async function trackOf(visit: MemberVisit, sort: TrackSort): Promise<Track> {
  const { deps, session, now, preferences } = visit
  const user = session.userId
  const works = await trackedWorks(deps.seen, { user })
  const watching = works.filter(({ kind }) => kind === 'watching')
  const workIds = watching.map(({ id }) => id)
  const progress = await progressOf(deps.seen, { userId: user, workIds, now })
  const recent = await recentWorks(deps.seen, { user })
  const recency = new Map(recent.map(({ work_id }, index) => [work_id, index]))
  const rows = watching.flatMap((work) => {
    const own = progress.get(work.id)
    return own === undefined ? [] : [{ work, progress: own }]
  })
  const orders = {
    airing: byAiring(recency),
    recent: byRecency(recency),
    title: byTitle(preferences.titleLanguage),
  }
  // A recorded work may belong on another page by now, but the script looks for its row on this one.
  const kept = Number(queryText(visit, 'keep'))
  const pages = Math.max(1, Math.ceil(rows.length / rowsPerPage))
  const page = pageNumber(queryText(visit, 'page'), pages)
  return {
    sort,
    page,
    pages,
    rows: await withLater(
      visit,
      rows.sort(orders[sort]).filter(({ work }, index) => pageOf(index) === page || work.id === kept),
    ),
    today: await broadcastsToday(deps.seen, { user, works, now, timeZone: preferences.timeZone }),
    starting: await startingSoon(deps.seen, { user, works, now, timeZone: preferences.timeZone }),
  }
}

export interface TrackedRow {
  readonly work: TrackedWork
  readonly progress: Progress
  /** Of the first rows: the episodes after the next one, for presses without a network (D121). */
  readonly later?: readonly LaterEpisode[]
}

export type LaterEpisode = readonly [id: number, number: string | null, number_text: string]

const rowsWithLater = 12

async function withLater(
  { deps, session }: MemberVisit,
  rows: readonly TrackedRow[],
): Promise<readonly TrackedRow[]> {
  const first = rows.slice(0, rowsWithLater).flatMap(({ progress }) => progress.next?.id ?? [])
  const found = await episodesAfter(deps.seen, { user: session.userId, episodes: JSON.stringify(first) })
  const later = new Map(found.map(({ episode_id, after }) => [episode_id, JSON.parse(after)]))
  return rows.map((row) => ({ ...row, later: later.get(row.progress.next?.id ?? 0) ?? [] }))
}

type TitleLanguage = Preferences['titleLanguage']

type Order = (one: TrackedRow, other: TrackedRow) => number

/** A work's position among the latest records. */
type Recency = ReadonlyMap<number, number>

/** First what has been broadcast, newest first; then what is to come, soonest first; then what is complete. */
function byAiring(recency: Recency): Order {
  const recent = byRecency(recency)
  return (one, other) => groupOf(one) - groupOf(other) || timeOf(one) - timeOf(other) || recent(one, other)
}

const byRecency =
  (recency: Recency): Order =>
  (one, other) =>
    placeOf(recency, one) - placeOf(recency, other) || one.work.id - other.work.id

function byTitle(language: TitleLanguage): Order {
  const { compare } = new Intl.Collator(language === 'native' ? 'ja' : 'en', { numeric: true })
  return (one, other) => compare(titleOf(one, language), titleOf(other, language))
}

/** 0: waiting to be watched. 1: the next episode is still to come. 2: there is no next episode. */
function groupOf({ progress: { next } }: TrackedRow): number {
  if (next === undefined) return 2
  return next.hasAired ? 0 : 1
}

/** Negative for the past, so that the newest comes first. Episodes without a time come last. */
function timeOf({ progress: { next } }: TrackedRow): number {
  const at = next?.airing?.at
  if (at === undefined) return Number.MAX_SAFE_INTEGER
  return next?.hasAired ? -at : at
}

const placeOf = (recency: Recency, { work }: TrackedRow) => recency.get(work.id) ?? Number.MAX_SAFE_INTEGER

function titleOf({ work }: TrackedRow, language: TitleLanguage): string {
  if (language === 'english') return work.title_en || work.title_ro || work.title
  return language === 'romaji' ? work.title_ro || work.title : work.title
}
