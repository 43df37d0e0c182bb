import { progressOf } from '../../library/progress/progress'
import type { MemberVisit } from '../../web/visit'
import { byAiring, byRecency, byTitle, type TrackedRow } from './order'
import { recentWorks, trackedWorks } from './queries'
import { type Start, startingSoon } from './starting'
import { broadcastsToday, type TodaysBroadcast } from './today'

export const sorts = ['airing', 'recent', 'title'] as const
export type TrackSort = (typeof sorts)[number]

export interface Track {
  readonly sort: TrackSort
  readonly rows: readonly TrackedRow[]
  readonly today: readonly TodaysBroadcast[]
  readonly starting: readonly Start[]
}

/** What somebody watches, with what comes next. */
export async function trackOf({ deps, session, pageContext }: MemberVisit, sort: TrackSort): Promise<Track> {
  const user = session.userId
  const { now, preferences } = pageContext
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
  return {
    sort,
    rows: rows.sort(orders[sort]),
    today: await broadcastsToday(deps.read, { user, works, now, timeZone: preferences.timeZone }),
    starting: await startingSoon(deps.read, { user, works, now, timeZone: preferences.timeZone }),
  }
}
