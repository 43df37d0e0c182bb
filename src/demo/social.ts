import { busyMemberIndex, type Community, type Moment } from './community'
import type { Row, Rows } from './rows'

export function* follow(community: Community, moment: Moment): Rows {
  const { random } = community
  const [one, other] = [random.below(moment.joined), busyMemberIndex(community, moment.joined)]
  yield* followOnce(community, one, other, moment)
  if (random.chance(0.35)) yield* followOnce(community, other, one, moment)
}

function* followOnce(community: Community, one: number, other: number, { time }: Moment): Rows {
  const [follower, followed] = [community.memberStates[one], community.memberStates[other]]
  if (follower === undefined || followed === undefined || one === other) return
  if (follower.followed.has(other)) return
  follower.followed.add(other)
  const [actor_id, user_id] = [follower.member.id, followed.member.id]
  const values = { follower_id: actor_id, followed_id: user_id, created_at: time }
  const follow_id = yield { table: 'follows', values }
  yield notificationRow(community, { user_id, actor_id, like_id: null, follow_id, created_at: time })
}

export function* like(community: Community, { time, joined }: Moment): Rows {
  const { memberStates, posts, random } = community
  const post = posts[random.below(posts.length)]
  const user_id = memberStates[busyMemberIndex(community, joined)]?.member.id
  if (post === undefined || user_id === undefined) return
  const { record_id, review_id, author, likers } = post
  if (author.id === user_id || likers.has(user_id)) return
  likers.add(user_id)
  const like_id = yield { table: 'likes', values: { user_id, record_id, review_id, created_at: time } }
  const told = { user_id: author.id, actor_id: user_id, like_id, follow_id: null, created_at: time }
  yield notificationRow(community, told)
}

/** A notification like the API's (D52), possibly read later. */
function notificationRow({ random, until }: Community, told: NotificationRow): Row {
  const visit = told.created_at + Math.floor(random.exponential(5 * day))
  const read_at = random.chance(0.8) && visit < until ? visit : null
  return { table: 'notifications', values: { ...told, read_at } }
}

interface NotificationRow {
  readonly user_id: number
  readonly actor_id: number
  readonly like_id: number | null
  readonly follow_id: number | null
  readonly created_at: number
}

const day = 24 * 60 * 60 * 1000
