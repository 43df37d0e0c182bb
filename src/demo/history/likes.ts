import type { Member } from '../members/members'
import type { Random } from '../random'
import { weighted } from '../weighted'
import { Columns } from '../write/columns'
import type { Follows } from './follows'
import type { Posts, Written } from './posts'

/** Who likes whose post when; members and posts by place, `review` is 1 for a review. */
export type Likes = Columns<'time' | 'member' | 'author' | 'post' | 'review'>

interface Circle {
  readonly members: readonly Member[]
  readonly follows: Follows
  readonly until: number
}

/** Members like what those they follow write, mostly what has words, soon after it was written; never their own. */
export function createLikes(circle: Circle, { records, reviews }: Posts, random: Random): Likes {
  const likes: Likes = new Columns({
    time: 'float',
    member: 'word',
    author: 'word',
    post: 'word',
    review: 'byte',
  })
  if (circle.members.length < 2) return likes
  const { draw, reach } = audience(circle, random)
  const like = ({ rows }: Written, review: number) => {
    let post = 0
    for (const { member: author, time: written, text } of rows.rows()) {
      const appeal = (text === 1 ? 0.5 : 0.05) * Math.exp(random.normal()) * reach(author)
      for (const member of likers(author, appeal, draw, random)) {
        const time = Math.floor(written + random.exponential(8 * hour))
        const joined = circle.members[member]?.joined ?? time
        if (time >= joined && time < circle.until) likes.add({ time, member, author, post, review })
      }
      post += 1
    }
  }
  like(records, 0)
  like(reviews, 1)
  return likes
}

/** Who likes what a member writes, mostly a follower; and how many do, beside what is usual. */
function audience(circle: Circle, random: Random) {
  const followers = followersOf(circle)
  const anybody = weighted(circle.members.map((member) => 1 + member.records))
  const usual = 1 + circle.follows.length / circle.members.length
  return {
    draw: (author: number) => {
      const near = followers[author] ?? []
      return (random.chance(0.8) ? near[random.below(near.length)] : undefined) ?? anybody(random)
    },
    reach: (author: number) => Math.sqrt((1 + (followers[author] ?? []).length) / usual),
  }
}

/** So many others on average, each once. */
function likers(
  author: number,
  mean: number,
  draw: (author: number) => number,
  random: Random,
): Iterable<number> {
  const more = mean / (1 + mean)
  if (!random.chance(more)) return []
  const found = new Set<number>()
  do found.add(draw(author))
  while (random.chance(more))
  found.delete(author)
  return found
}

function followersOf({ members, follows }: Circle): readonly number[][] {
  const followers: number[][] = members.map(() => [])
  for (const { follower, followed } of follows.rows()) followers[followed]?.push(follower)
  return followers
}

const hour = 60 * 60 * 1000
