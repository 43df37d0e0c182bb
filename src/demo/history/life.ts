import type { Member } from '../members/members'
import type { Random } from '../random'
import { codeOf, type Deed, type History, type StatusKind } from './history'
import type { Sitting } from './sittings'
import type { World } from './world'

/** One member's life with the works, as it is written down. `place` is the member's; works go by their places too. */
export interface Life {
  readonly member: Member
  readonly place: number
  readonly world: World
  readonly history: History
  readonly random: Random
  /** The works the member has dealt with. */
  readonly seen: Set<number>
  readonly statuses: Map<number, { kind: StatusKind; time: number }>
}

/** Records episodes at a sitting. Some write down later what they watched. */
export function record(life: Life, place: number, { time, first, count }: Sitting): void {
  const { random, member, world } = life
  const aired = world.works[place]?.airs[first + count - 1] ?? time
  const earlier = random.chance(0.05) ? time - random.exponential(day) : time
  const watched = Math.min(time, Math.max(earlier, aired, member.joined))
  act(life, 'record', place, time, { watched, first, count })
}

/** Gives statuses around the sittings of a work, in their order, the last of them `kind`. Some never give one. */
export function judge(life: Life, place: number, sittings: readonly Sitting[], kind: StatusKind): void {
  const { random, member, world } = life
  if (random.chance(0.08)) return
  const first = sittings[0]?.time ?? member.joined
  const last = sittings.at(-1)?.time ?? first
  const begun = Math.max(member.joined, first - random.between(5, 120) * second)
  if (random.chance(0.3)) {
    setStatus(life, place, 'wanna_watch', Math.max(member.joined, begun - random.exponential(20 * day)))
  }
  setStatus(life, place, 'watching', begun)
  const pause = kind === 'watched' ? random.between(5, 600) * second : random.exponential(20 * day)
  if (kind === 'watching' || last + pause >= world.until) return
  setStatus(life, place, kind, last + pause)
  if (kind === 'watched') review(life, place, last + pause)
}

/** Gives statuses to works that the member records nothing of: some are on a list, some were seen long ago. */
export function markMore(life: Life, draw: (random: Random) => number): void {
  const { random, member, world } = life
  for (let left = Math.floor(random.exponential(1.5 + life.seen.size / 4)); left > 0; left -= 1) {
    const place = draw(random)
    const work = world.works[place]
    if (work === undefined || life.seen.has(place)) continue
    life.seen.add(place)
    const over = work.airs.length === work.episodes.length ? (work.airs.at(-1) ?? work.begin) : world.until
    const ended = Math.max(over, member.joined)
    if (ended < member.left && random.chance(0.5)) {
      const time = random.between(ended, member.left)
      setStatus(life, place, 'watched', time)
      review(life, place, time)
    } else setStatus(life, place, 'wanna_watch', random.between(member.joined, member.left))
  }
}

/** Hands the statuses that are left in the end to the history, by the ids of the works. */
export function keepStatuses({ statuses, history, world, place: member }: Life): void {
  const idOf = (work: number) => world.works[work]?.id ?? 0
  const sorted = [...statuses].toSorted(([one], [other]) => idOf(one) - idOf(other))
  for (const [work, { kind, time }] of sorted)
    history.statuses.add({ member, work, time, kind: codeOf(kind) })
}

function setStatus(life: Life, place: number, kind: StatusKind, at: number): void {
  const time = act(life, kind, place, at)
  life.statuses.set(place, { kind, time })
}

function review(life: Life, place: number, seenAt: number): void {
  const { random, member, world } = life
  const time = seenAt + random.exponential(2 * day)
  if (random.chance(member.reviews) && time < world.until) act(life, 'review', place, time)
}

/** Notes an act and returns when it happened: nothing happens after the end of the community's time. */
function act(
  { history, world, place: member }: Life,
  deed: Deed,
  work: number,
  at: number,
  { watched = 0, first = 0, count = 0 } = {},
): number {
  const time = Math.floor(Math.min(at, world.until - 1))
  history.acts.add({ time, watched: Math.floor(watched), member, work, first, count, kind: codeOf(deed) })
  return time
}

const second = 1000
const day = 24 * 60 * 60 * second
