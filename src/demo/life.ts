import type { Community } from './community'
import type { Rows } from './rows'
import { follow, like } from './social'
import { listWork, statusRows } from './statuses'
import { watch } from './watching'

/** All that happens in a community, in the order of time. `timeOf` says when it has done a share of all it does. */
export function* live(community: Community, records: number, timeOf: (share: number) => number): Rows {
  const { lives, world, random } = community
  const joinedAt = countUpTo(lives.map(({ member }) => member.joined))
  const begunAt = countUpTo(world.series.map(({ airs }) => airs[0]))
  const meetings = lives.length < 2 ? 0 : 8 * lives.length
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
  yield* statusRows(lives)
}

/** Returns how many of some sorted times are past at a time; the times that are asked never decrease. */
function countUpTo(times: readonly number[]): (time: number) => number {
  let count = 0
  return (time) => {
    while ((times[count] ?? Number.POSITIVE_INFINITY) <= time) count += 1
    return count
  }
}
