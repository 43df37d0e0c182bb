import { busyPlace, type Community, type Life, type Moment, type Watching } from './community'
import { activityRow, publish } from './posts'
import type { Rows } from './rows'
import { recordSaid } from './sayings'
import { finishWork, isSeen, setStatus } from './statuses'
import type { Work } from './world'

/** Lets somebody record an episode, or up to `most` of them together. Returns how many. */
export function* watch(community: Community, moment: Moment, most: number): Rows<number> {
  const { lives, random } = community
  const life = lives[busyPlace(community, moment.joined)]
  if (life === undefined) return 0
  const current = takeUp(community, life, moment)
  const { work, next, isAgain } = current
  const wanted = random.chance(0.8) ? 1 : 2 + Math.floor(random.exponential(2))
  const episodes = work.episodes.slice(next, next + shownOf(current, moment, Math.min(wanted, most)))
  if (next === 0 && !isAgain) yield* setStatus(life, work, 'watching', moment)
  yield* record(community, life, { work, episodes, time: moment.time })
  current.next += episodes.length
  const isOver = current.next === work.episodes.length
  const isDropped = !isOver && random.chance(0.03)
  if (isOver || isDropped) life.watching.splice(life.watching.indexOf(current), 1)
  if (isOver && !isAgain) yield* finishWork(community, life, work, moment)
  if (isDropped && !isAgain) yield* setStatus(life, work, random.pick(['stop_watching', 'on_hold']), moment)
  return episodes.length
}

/** Goes on with a work, or begins one; those who have begun several begin no other. */
function takeUp(community: Community, life: Life, moment: Moment): Watching {
  const { random } = community
  const [first, ...others] = life.watching.filter((one) => shownOf(one, moment, 1) > 0)
  if (first !== undefined && random.chance(life.watching.length / 4)) return random.pick([first, ...others])
  const work = choose(community, life, moment)
  const begun = { work, next: 0, isAgain: isSeen(life, work) }
  life.watching.push(begun)
  return begun
}

/** How many of the next episodes were shown by then, of at most so many. */
function shownOf({ work, next }: Watching, { time }: Moment, most: number): number {
  const airs = work.airs.slice(next, Math.min(next + most, work.episodes.length))
  return airs.filter((air) => air <= time).length
}

/** A popular series, or one that began lately; one that the member has seen where many others were, too. */
function choose({ world, random }: Community, life: Life, { time, begun }: Moment): Work {
  const draw = () => {
    const popular = random.chance(0.6) ? world.works[random.early(world.works.length)] : undefined
    const fits = popular !== undefined && popular.episodes.length > 0 && popular.airs[0] <= time
    return fits ? popular : (world.series[begun - 1 - random.early(begun)] ?? nothing)
  }
  let work = draw()
  for (let tries = 1; tries < 12 && isSeen(life, work); tries += 1) work = draw()
  return work
}

function* record(
  { posts, random }: Community,
  { member }: Life,
  { work, episodes, time }: { work: Work; episodes: readonly number[]; time: number },
): Rows {
  const isAlone = episodes.length === 1
  const said = recordSaid(member, isAlone, random)
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

const nothing: Work = { id: 0, episodes: [], airs: [0] }
