import {
  busyMemberIndex,
  type Community,
  type MemberState,
  type Post,
  type WatchedMoment,
  type Watching,
} from './community'
import type { DemoMember } from './members'
import type { DemoRow, DemoRows } from './rows'
import { commentContent, recordContent } from './sayings'
import { activityRow, finishWork, hasWatched, listWork, publish, setStatus, statusRows } from './statuses'
import type { WorldWork } from './world'

/** All events in chronological order. `timeOf` maps the share of events done so far to a time. */
export function* eventRows(
  community: Community,
  records: number,
  timeOf: (share: number) => number,
): DemoRows {
  const { memberStates, world, random } = community
  const joinedAt = countPassed(memberStates.map(({ member }) => member.joinedAt))
  const begunAt = countPassed(world.series.map(({ airTimes: airs }) => airs[0]))
  const meetings = memberStates.length < 2 ? 0 : 8 * memberStates.length
  for (let [met, written] = [0, 0]; met < meetings || written < records; ) {
    const isMeeting = met < meetings && met * records <= written * meetings
    const time = timeOf(isMeeting ? met / meetings : written / records)
    const moment = { time, joined: joinedAt(time), begun: begunAt(time) }
    if (isMeeting) {
      met += 1
      yield* follow(community, moment)
      continue
    }
    written += yield* watch(community, moment, records - written)
    if (random.chance(0.1)) yield* listWork(community, moment)
    if (random.chance(0.3)) yield* like(community, moment)
  }
  yield* statusRows(memberStates)
}

/** Counts how many of the sorted times have passed; the argument must never decrease. */
function countPassed(times: readonly number[]): (time: number) => number {
  let count = 0
  return (time) => {
    while ((times[count] ?? Number.POSITIVE_INFINITY) <= time) count += 1
    return count
  }
}

function* follow(community: Community, moment: WatchedMoment): DemoRows {
  const { random } = community
  const [one, other] = [random.below(moment.joined), busyMemberIndex(community, moment.joined)]
  yield* followOnce(community, one, other, moment)
  if (random.chance(0.35)) yield* followOnce(community, other, one, moment)
}

function* followOnce(community: Community, one: number, other: number, { time }: WatchedMoment): DemoRows {
  const [follower, followed] = [community.memberStates[one], community.memberStates[other]]
  if (follower === undefined || followed === undefined || one === other) return
  if (follower.followed.has(other)) return
  follower.followed.add(other)
  const [actor_id, user_id] = [follower.member.id, followed.member.id]
  const values = { follower_id: actor_id, followed_id: user_id, created_at: time }
  const follow_id = yield { table: 'follows', values }
  const told = { user_id, actor_id, like_id: null, follow_id, comment_id: null, created_at: time }
  yield notificationRow(community, { ...told, kind: 'follow' })
}

/** A member records an episode, or up to `most` of them together. Returns how many. */
function* watch(community: Community, moment: WatchedMoment, most: number): DemoRows<number> {
  const { memberStates, random } = community
  const state = memberStates[busyMemberIndex(community, moment.joined)]
  if (state === undefined) return 0
  const current = continueOrStart(community, state, moment)
  const { work, next, isAgain } = current
  const wanted = random.chance(0.8) ? 1 : 2 + Math.floor(random.exponential(2))
  const episodes = work.episodes.slice(next, next + airedCount(current, moment, Math.min(wanted, most)))
  if (next === 0 && !isAgain) yield* setStatus(state, work, 'watching', moment)
  yield* record(community, state, { work, episodes, time: moment.time })
  current.next += episodes.length
  const isOver = current.next === work.episodes.length
  const isDropped = !isOver && random.chance(0.03)
  if (isOver || isDropped) state.watching.splice(state.watching.indexOf(current), 1)
  if (isOver && !isAgain) yield* finishWork(community, state, work, moment)
  if (isDropped && !isAgain) yield* setStatus(state, work, random.pick(['stop_watching', 'on_hold']), moment)
  return episodes.length
}

/** Continues a work or starts one, which is less likely the more works are in progress. */
function continueOrStart(community: Community, state: MemberState, moment: WatchedMoment): Watching {
  const { random } = community
  const [first, ...others] = state.watching.filter((one) => airedCount(one, moment, 1) > 0)
  if (first !== undefined && random.chance(state.watching.length / 4)) return random.pick([first, ...others])
  const work = choose(community, state, moment)
  const begun = { work, next: 0, isAgain: hasWatched(state, work) }
  state.watching.push(begun)
  return begun
}

/** How many of the next `most` episodes have already been broadcast. */
function airedCount({ work, next }: Watching, { time }: WatchedMoment, most: number): number {
  const airs = work.airTimes.slice(next, Math.min(next + most, work.episodes.length))
  return airs.filter((air) => air <= time).length
}

/** A popular or recent series, if possible one that the member has not watched. */
function choose({ world, random }: Community, state: MemberState, { time, begun }: WatchedMoment): WorldWork {
  const draw = () => {
    const popular = random.chance(0.6) ? world.works[random.early(world.works.length)] : undefined
    const fits = popular !== undefined && popular.episodes.length > 0 && popular.airTimes[0] <= time
    return fits ? popular : (world.series[begun - 1 - random.early(begun)] ?? nothing)
  }
  let work = draw()
  for (let tries = 1; tries < 12 && hasWatched(state, work); tries += 1) work = draw()
  return work
}

function* record(
  { posts, random }: Community,
  { member }: MemberState,
  { work, episodes, time }: { work: WorldWork; episodes: readonly number[]; time: number },
): DemoRows {
  const isAlone = episodes.length === 1
  const said = recordContent(member, isAlone, random)
  const common = { user_id: member.id, work_id: work.id, created_at: time }
  const records: number[] = []
  for (const episode_id of episodes)
    records.push(yield { table: 'records', values: { ...common, episode_id, ...said, watched_at: time } })
  const [record_id = null] = records
  if (isAlone) yield activityRow({ ...common, action: 'create_record', record_id })
  else {
    const activity_id = yield activityRow({ ...common, action: 'create_multiple_records' })
    for (const each of records) yield { table: 'activity_records', values: { activity_id, record_id: each } }
  }
  if (said.comment !== '' || random.chance(0.1))
    publish(posts, { record_id, review_id: null, author: member })
}

const nothing: WorldWork = { id: 0, episodes: [], airTimes: [0] }

function* like(community: Community, { time, joined }: WatchedMoment): DemoRows {
  const { memberStates, posts, random } = community
  const post = posts[random.below(posts.length)]
  const liker = memberStates[busyMemberIndex(community, joined)]
  if (post === undefined || liker === undefined) return
  const { record_id, review_id, author, likers } = post
  const user_id = liker.member.id
  if (author.id === user_id || likers.has(user_id) || !mayRead(community, liker, author)) return
  likers.add(user_id)
  const like_id = yield { table: 'likes', values: { user_id, record_id, review_id, created_at: time } }
  const told = { user_id: author.id, actor_id: user_id, like_id, follow_id: null, comment_id: null }
  yield notificationRow(community, { ...told, kind: 'like', created_at: time })
  yield* talkUnder(community, post, { user_id, time })
}

const mayRead = ({ memberStates }: Community, { followed }: MemberState, author: DemoMember): boolean =>
  !author.isPrivate || [...followed].some((index) => memberStates[index]?.member === author)

/** Some of those who like a post write under it, and some of these get an answer. */
function* talkUnder(
  community: Community,
  post: Post,
  { user_id, time }: { user_id: number; time: number },
): DemoRows {
  const { talk, memberStates } = community
  if (!talk.chance(0.3)) return
  const writer = memberStates.find(({ member }) => member.id === user_id)?.member
  if (writer === undefined) return
  yield* comment(community, post, { writer, time })
  if (talk.chance(0.4)) yield* comment(community, post, { writer: post.author, time })
}

function* comment(
  community: Community,
  { record_id, review_id, author, commenters }: Post,
  { writer, time }: { writer: DemoMember; time: number },
): DemoRows {
  const written = { record_id, review_id, body: commentContent(writer, community.talk), created_at: time }
  const values = { user_id: writer.id, owner_id: author.id, ...written }
  const comment_id = yield { table: 'comments', values }
  for (const user_id of new Set([author.id, ...commenters])) {
    const told = { user_id, actor_id: writer.id, like_id: null, follow_id: null, comment_id }
    if (user_id !== writer.id)
      yield notificationRow(
        { ...community, random: community.talk },
        { ...told, kind: 'comment', created_at: time },
      )
  }
  commenters.add(writer.id)
}

/** A notification like the API's (D52), possibly read later. */
export function notificationRow(
  { random, until }: Pick<Community, 'random' | 'until'>,
  told: NotificationRow,
): DemoRow {
  const visit = told.created_at + Math.floor(random.exponential(5 * day))
  const read_at = random.chance(0.8) && visit < until ? visit : null
  return { table: 'notifications', values: { meeting_id: null, meeting_step: null, ...told, read_at } }
}

interface NotificationRow {
  readonly kind: 'like' | 'follow' | 'comment' | 'meeting'
  readonly user_id: number
  readonly actor_id: number
  readonly like_id: number | null
  readonly follow_id: number | null
  readonly comment_id: number | null
  readonly meeting_id?: number
  readonly meeting_step?: 'asked'
  readonly created_at: number
}

const day = 24 * 60 * 60 * 1000
