import { busyPlace, type Community, type Life, type Moment, type StatusKind } from './community'
import { activityRow, publish } from './posts'
import type { Rows } from './rows'
import { reviewSaid } from './sayings'
import type { Work } from './world'

/** Whether a member has watched a work, or is watching it. */
export function isSeen({ statuses }: Life, work: Work): boolean {
  const status = statuses.get(work)
  return status !== undefined && status.kind !== 'wanna_watch'
}

/** Gives a status, and notes it for `statusRows`. */
export function* setStatus({ member, statuses }: Life, work: Work, kind: StatusKind, { time }: Moment): Rows {
  statuses.set(work, { kind, time })
  const common = { user_id: member.id, work_id: work.id, created_at: time }
  yield activityRow({ ...common, action: 'create_status', status_kind: kind })
}

/** Gives somebody's work the status watched. Some write a review of it. */
export function* finishWork(community: Community, life: Life, work: Work, moment: Moment): Rows {
  const { random, posts } = community
  const { member } = life
  yield* setStatus(life, work, 'watched', moment)
  if (!random.chance(0.1)) return
  const common = { user_id: member.id, work_id: work.id, created_at: moment.time }
  const review_id = yield { table: 'reviews', values: { ...common, ...reviewSaid(member, random) } }
  yield activityRow({ ...common, action: 'create_review', review_id })
  publish(posts, { record_id: null, review_id, author: member })
}

/** Lets somebody want to watch a work, or say that it was watched where it has no episodes to record. */
export function* listWork(community: Community, moment: Moment): Rows {
  const { world, lives, random } = community
  const life = lives[busyPlace(community, moment.joined)]
  const work = world.works[random.early(world.works.length)]
  if (life === undefined || work === undefined || life.statuses.has(work)) return
  const isOver = work.episodes.length === 0 && work.airs[0] <= moment.time
  if (isOver) yield* finishWork(community, life, work, moment)
  else yield* setStatus(life, work, 'wanna_watch', moment)
}

/** The statuses that works have in the end, in the order of their table. */
export function* statusRows(lives: readonly Life[]): Rows {
  for (const { member, statuses } of lives) {
    const sorted = [...statuses].toSorted(([one], [other]) => one.id - other.id)
    for (const [work, { kind, time }] of sorted) {
      const values = { user_id: member.id, work_id: work.id, kind, changed_at: time }
      yield { table: 'statuses', values }
    }
  }
}
