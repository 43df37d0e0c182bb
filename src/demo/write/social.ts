import type { Community } from '../community'
import { createFollows } from '../history/follows'
import { createLikes } from '../history/likes'
import type { Posts } from '../history/posts'
import type { Member } from '../members/members'
import { Columns } from './columns'
import { nextId, rowsInto } from './rows'

/** What users are told: `like` and `follow` are ids, 0 where it is the other; `user` and `actor` are places. */
type Told = Columns<'time' | 'user' | 'actor' | 'like' | 'follow'>

/** Writes follows and likes and tells those they happen to, as the API does (D52). Returns how many of each. */
export function writeSocial(community: Community, posts: Posts) {
  const { members, world, random, onProgress } = community
  onProgress('follows and likes')
  const follows = createFollows(members, world.until, random('follows'))
  const likes = createLikes({ members, follows, until: world.until }, posts, random('likes'))
  const told: Told = new Columns({
    time: 'float',
    user: 'word',
    actor: 'word',
    like: 'float',
    follow: 'float',
  })
  writeFollows(community, follows, told)
  writeLikes(community, likes, posts, told)
  writeNotifications(community, told)
  return { follows: follows.length, likes: likes.length, notifications: told.length }
}

function writeFollows(
  { handle, firstUserId }: Community,
  follows: ReturnType<typeof createFollows>,
  told: Told,
) {
  const rows = rowsInto(handle, 'follows', ['id', 'follower_id', 'followed_id', 'created_at'])
  let id = nextId(handle, 'follows')
  for (const { time, follower: actor, followed: user } of follows.rows(follows.inOrderOf('time'))) {
    rows.add([id, firstUserId + actor, firstUserId + user, time])
    told.add({ time, user, actor, like: 0, follow: id })
    id += 1
  }
  rows.end()
}

function writeLikes(
  { handle, firstUserId }: Community,
  likes: ReturnType<typeof createLikes>,
  { records, reviews }: Posts,
  told: Told,
) {
  const rows = rowsInto(handle, 'likes', ['id', 'user_id', 'record_id', 'review_id', 'created_at'])
  let id = nextId(handle, 'likes')
  for (const { time, member: actor, post, author: user, review } of likes.rows(likes.inOrderOf('time'))) {
    const [record_id, review_id] =
      review === 1 ? [null, reviews.firstId + post] : [records.firstId + post, null]
    rows.add([id, firstUserId + actor, record_id, review_id, time])
    told.add({ time, user, actor, like: id, follow: 0 })
    id += 1
  }
  rows.end()
}

function writeNotifications({ handle, members, firstUserId, world, random }: Community, told: Told) {
  const habits = random('notifications')
  const pauses = members.map(() => day * (1 + habits.exponential(7)))
  const rows = rowsInto(handle, 'notifications', notificationColumns)
  for (const { time, user, actor, like, follow } of told.rows(told.inOrderOf('time'))) {
    const readAt = nextVisit(members[user], pauses[user] ?? day, time)
    const people = [firstUserId + user, firstUserId + actor]
    rows.add([...people, like || null, follow || null, readAt < world.until ? readAt : null, time])
  }
  rows.end()
}

/** When a member reads the notifications next: at even intervals since the member joined, until interest is lost. */
function nextVisit(member: Member | undefined, pause: number, time: number): number {
  if (member === undefined) return Number.POSITIVE_INFINITY
  const visit = Math.ceil(member.joined + Math.ceil((time - member.joined) / pause) * pause)
  return visit <= member.left ? visit : Number.POSITIVE_INFINITY
}

const notificationColumns = ['user_id', 'actor_id', 'like_id', 'follow_id', 'read_at', 'created_at']
const day = 24 * 60 * 60 * 1000
