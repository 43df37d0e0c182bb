import { busyMemberIndex, type Community, type MemberState, type Moment, type Watching } from './community'
import { activityRow, publish } from './posts'
import type { Rows } from './rows'
import { recordContent } from './sayings'
import { finishWork, hasWatched, setStatus } from './statuses'
import type { Work } from './world'

/** A member records an episode, or up to `most` of them together. Returns how many. */
export function* watch(community: Community, moment: Moment, most: number): Rows<number> {
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
function continueOrStart(community: Community, state: MemberState, moment: Moment): Watching {
  const { random } = community
  const [first, ...others] = state.watching.filter((one) => airedCount(one, moment, 1) > 0)
  if (first !== undefined && random.chance(state.watching.length / 4)) return random.pick([first, ...others])
  const work = choose(community, state, moment)
  const begun = { work, next: 0, isAgain: hasWatched(state, work) }
  state.watching.push(begun)
  return begun
}

/** How many of the next `most` episodes have already been broadcast. */
function airedCount({ work, next }: Watching, { time }: Moment, most: number): number {
  const airs = work.airTimes.slice(next, Math.min(next + most, work.episodes.length))
  return airs.filter((air) => air <= time).length
}

/** A popular or recent series, if possible one that the member has not watched. */
function choose({ world, random }: Community, state: MemberState, { time, begun }: Moment): Work {
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
  { work, episodes, time }: { work: Work; episodes: readonly number[]; time: number },
): Rows {
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

const nothing: Work = { id: 0, episodes: [], airTimes: [0] }
