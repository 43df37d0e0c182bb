import { activityColumns, type NewActivity } from '../library/new-activity'
import {
  busyMemberIndex,
  type Community,
  type DemoStatus,
  type MemberState,
  type Post,
  type WatchedMoment,
} from './community'
import type { DemoRow, DemoRows } from './rows'
import { reviewContent } from './sayings'
import type { WorldWork } from './world'

export function hasWatched({ statuses }: MemberState, work: WorldWork): boolean {
  const status = statuses.get(work)
  return status !== undefined && status.kind !== 'wanna_watch'
}

export function* setStatus(
  { member, statuses }: MemberState,
  work: WorldWork,
  kind: DemoStatus,
  { time }: WatchedMoment,
): DemoRows {
  statuses.set(work, { kind, time })
  const common = { user_id: member.id, work_id: work.id, created_at: time }
  yield activityRow({ ...common, action: 'create_status', status_kind: kind })
}

/** Like the one the API creates with each record, review and status (D26, D36). */
export const activityRow = (activity: NewActivity): DemoRow => ({
  table: 'activities',
  values: activityColumns(activity),
})

/** Keeps the 200 to 400 newest posts. */
export function publish(posts: Post[], post: Omit<Post, 'likers' | 'commenters'>): void {
  posts.push({ ...post, likers: new Set(), commenters: new Set() })
  if (posts.length > 400) posts.splice(0, 200)
}

export function* finishWork(
  community: Community,
  state: MemberState,
  work: WorldWork,
  moment: WatchedMoment,
): DemoRows {
  const { random, posts } = community
  const { member } = state
  yield* setStatus(state, work, 'watched', moment)
  if (!random.chance(0.1)) return
  const common = { user_id: member.id, work_id: work.id, created_at: moment.time }
  const review_id = yield { table: 'reviews', values: { ...common, ...reviewContent(member, random) } }
  yield activityRow({ ...common, action: 'create_review', review_id })
  publish(posts, { record_id: null, review_id, author: member })
}

/** Sets the status wanna_watch, or watched for a finished work without episodes. */
export function* listWork(community: Community, moment: WatchedMoment): DemoRows {
  const { world, memberStates, random } = community
  const state = memberStates[busyMemberIndex(community, moment.joined)]
  const work = world.works[random.early(world.works.length)]
  if (state === undefined || work === undefined || state.statuses.has(work)) return
  const isOver = work.episodes.length === 0 && work.airTimes[0] <= moment.time
  if (isOver) yield* finishWork(community, state, work, moment)
  else yield* setStatus(state, work, 'wanna_watch', moment)
}

export function* statusRows(memberStates: readonly MemberState[]): DemoRows {
  for (const { member, statuses } of memberStates) {
    const sorted = [...statuses].toSorted(([one], [other]) => one.id - other.id)
    for (const [work, { kind, time }] of sorted) {
      const values = { user_id: member.id, work_id: work.id, kind, changed_at: time }
      yield { table: 'statuses', values }
    }
  }
}
