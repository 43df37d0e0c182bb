import { progressOf } from '../../library/progress/progress'
import { type MemberVisit, queryText } from '../../web/visit'
import { pageNumber } from '../parts/page-links'
import { byAiring, byRecency, byTitle, type TrackedRow } from './order'
import { recentWorks, trackedWorks } from './queries'
import { type Start, startingSoon } from './starting'
import { broadcastsToday, type TodaysBroadcast } from './today'

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

/** The works that a user is watching, with what comes next. */
const rowsPerPage = 25

const pageOf = (index: number) => Math.floor(index / rowsPerPage) + 1

export async function trackOf(visit: MemberVisit, sort: TrackSort): Promise<Track> {
  const { deps, session, now, preferences } = visit
  const user = session.userId
  const works = await trackedWorks(deps.read, { user })
  const watching = works.filter(({ kind }) => kind === 'watching')
  const workIds = watching.map(({ id }) => id)
  const progress = await progressOf(deps.read, { userId: user, workIds, now })
  const recent = await recentWorks(deps.read, { user })
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
    rows: rows.sort(orders[sort]).filter(({ work }, index) => pageOf(index) === page || work.id === kept),
    today: await broadcastsToday(deps.read, { user, works, now, timeZone: preferences.timeZone }),
    starting: await startingSoon(deps.read, { user, works, now, timeZone: preferences.timeZone }),
  }
}
