import type { Community } from '../community'
import { type Act, deedOf, type History } from '../history/history'
import { nothingWritten, type Posts, type Written } from '../history/posts'
import { recordSaid, recordSaying, reviewSaid, reviewSaying } from '../members/sayings'
import { nextId, rowsInto } from './rows'

/** Writes the records and reviews, those written first with the lower ids. Returns what there is to like. */
export function writePosts(community: Community, { acts }: History, order: Uint32Array): Posts {
  const random = community.random('quality')
  const quality = community.world.works.map(() => random.normal() * 0.5)
  return {
    records: writeRecords(community, acts.rows(order), quality),
    reviews: writeReviews(community, acts.rows(order), quality),
  }
}

function writeRecords(community: Community, acts: Iterable<Act>, quality: readonly number[]): Written {
  const { handle, world, members, firstUserId, onProgress } = community
  const random = community.random('records')
  const rows = rowsInto(handle, 'records', [...recordColumns, ...recordSaying])
  const written = nothingWritten(nextId(handle, 'records'))
  for (const act of acts) {
    const [author, work] = [members[act.member], world.works[act.work]]
    if (deedOf(act) !== 'record' || author === undefined || work === undefined) continue
    const said = recordSaid(author, { count: act.count, quality: quality[act.work] ?? 0 }, random)
    const values = recordSaying.map((name) => said[name])
    for (const episode of work.episodes.slice(act.first, act.first + act.count)) {
      const place = written.rows.add({
        member: act.member,
        time: act.time,
        text: Number(said.comment !== ''),
      })
      const own = [written.firstId + place, firstUserId + act.member, work.id, episode, act.watched, act.time]
      rows.add([...own, ...values])
      if (place % 10_000 === 0) onProgress(`${place.toLocaleString('en')} records`)
    }
  }
  rows.end()
  return written
}

function writeReviews(community: Community, acts: Iterable<Act>, quality: readonly number[]): Written {
  const { handle, world, members, firstUserId } = community
  const random = community.random('reviews')
  const rows = rowsInto(handle, 'reviews', [...reviewColumns, ...reviewSaying])
  const written = nothingWritten(nextId(handle, 'reviews'))
  for (const act of acts) {
    const [author, work] = [members[act.member], world.works[act.work]]
    if (deedOf(act) !== 'review' || author === undefined || work === undefined) continue
    const about = { time: act.time, until: world.until, quality: quality[act.work] ?? 0 }
    const said = reviewSaid(author, about, random)
    const place = written.rows.add({ member: act.member, time: act.time, text: 1 })
    const own = [written.firstId + place, firstUserId + act.member, work.id, act.time]
    rows.add([...own, ...reviewSaying.map((name) => said[name])])
  }
  rows.end()
  return written
}

const recordColumns = ['id', 'user_id', 'work_id', 'episode_id', 'watched_at', 'created_at']
const reviewColumns = ['id', 'user_id', 'work_id', 'created_at']
