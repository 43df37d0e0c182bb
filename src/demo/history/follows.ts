import type { Member } from '../members/members'
import type { Random } from '../random'
import { weighted } from '../weighted'
import { Columns } from '../write/columns'

/** Who follows whom since when; members by place. */
export type Follows = Columns<'time' | 'follower' | 'followed'>

/** Members follow the famous, and a third of those they follow back. Nobody follows before both have joined. */
export function createFollows(members: readonly Member[], until: number, random: Random): Follows {
  const follows: Follows = new Columns({ time: 'float', follower: 'word', followed: 'word' })
  if (members.length < 2) return follows
  const known = new Set<number>()
  const famous = weighted(members.map(({ fame }) => fame))
  const follow = (follower: number, followed: number, from: number) => {
    const time = Math.floor(from)
    const pair = follower * members.length + followed
    if (follower === followed || time >= until || known.has(pair)) return
    known.add(pair)
    follows.add({ time, follower, followed })
  }
  for (const [follower, member] of members.entries()) {
    const eager = random.exponential(1 + Math.sqrt(member.records))
    for (let left = Math.min(eager, most); left >= 1; left -= 1) {
      const followed = famous(random)
      const met = Math.max(member.joined, members[followed]?.joined ?? 0)
      const time = met + random.exponential(200 * day)
      follow(follower, followed, time)
      if (random.chance(0.35)) follow(followed, follower, time + random.exponential(2 * day))
    }
  }
  return follows
}

const day = 24 * 60 * 60 * 1000
const most = 2000
