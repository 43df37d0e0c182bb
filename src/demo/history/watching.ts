import type { Member } from '../members/members'
import type { Random } from '../random'
import { weighted, zipf } from '../weighted'
import { type Choice, createChoices } from './choices'
import { emptyHistory, type History, type StatusKind } from './history'
import { judge, keepStatuses, type Life, markMore, record } from './life'
import { catchUp, watchAlong } from './sittings'
import type { Work, World } from './world'

/** Lets every member watch, until each has written as many records as the member is to write. */
export function watchEverything(world: World, members: readonly Member[], random: Random): History {
  const history = emptyHistory()
  const choose = members.some(({ records }) => records > 0) ? createChoices(world, random) : undefined
  const drawAny = world.works.length > 0 ? weighted(zipf(world.works.length, 20)) : undefined
  for (const [place, member] of members.entries()) {
    const life: Life = { member, place, world, history, random, seen: new Set(), statuses: new Map() }
    for (let left = member.records; choose !== undefined && left > 0; ) {
      left -= watch(life, choose(member, life.seen), left)
    }
    if (drawAny !== undefined) markMore(life, drawAny)
    keepStatuses(life)
  }
  return history
}

/** Watches one work, or as much of it as there are records left for. Returns how many that were. */
function watch(life: Life, { work: place, start }: Choice, left: number): number {
  const { member, world, random, seen } = life
  const work = world.works[place] ?? nothing
  const again = seen.has(place)
  seen.add(place)
  const willing = progress(work.airs.length, random)
  // In one action with others, an episode is not recorded a second time.
  const together = again ? 0 : member.together
  const plan = { work, most: Math.min(left, willing), end: member.left, together }
  const along = start === undefined ? watchAlong(plan, random) : []
  const sittings = along.length > 0 ? along : catchUp(plan, start ?? work.begin, random)
  for (const sitting of sittings) record(life, place, sitting)
  const recorded = sittings.reduce((sum, { count }) => sum + count, 0)
  if (!again) judge(life, place, sittings, outcome(work, recorded, recorded === willing, random))
  return recorded
}

/** How many of the episodes somebody watches before losing interest: two thirds see all of them. */
function progress(episodes: number, random: Random): number {
  if (episodes > endless) return Math.min(episodes, 12 + Math.floor(random.exponential(40)))
  if (episodes < 3 || random.chance(0.68)) return episodes
  return Math.min(episodes - 1, 1 + Math.floor(random.exponential(episodes / 3)))
}

/** The status that fits: watched means that every episode was recorded. */
function outcome({ episodes, airs }: Work, recorded: number, willingly: boolean, random: Random): StatusKind {
  if (recorded === episodes.length) return 'watched'
  if (!willingly || recorded === airs.length) return 'watching'
  return random.pick(['stop_watching', 'stop_watching', 'on_hold', 'watching'])
}

const nothing: Work = { id: 0, episodes: [], airs: [], begin: 0 }
const endless = 60
