import type { Community } from './community'
import type { Rows } from './rows'
import { follow, like } from './social'
import { listWork, statusRows } from './statuses'
import { watch } from './watching'

/** All events in chronological order. `timeOf` maps the share of events done so far to a time. */
export function* eventRows(community: Community, records: number, timeOf: (share: number) => number): Rows {
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
