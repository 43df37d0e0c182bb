import type { Member } from '../members/members'
import type { Random } from '../random'
import { weighted, zipf } from '../weighted'
import type { World } from './world'

/** A work a member takes up: its place among the world's works, and when. */
export interface Choice {
  readonly work: number
  /** When the first episode is watched; undefined for watching along with the broadcast. */
  readonly start: number | undefined
}

/**
 * Chooses what members watch: mostly series of the seasons they are there for, week by week, else older works; popular
 * ones more often. A work in `seen` is chosen again only by a member who has seen nearly all there is.
 */
export function createChoices(
  world: World,
  random: Random,
): (member: Member, seen: ReadonlySet<number>) => Choice {
  const shown = world.works.flatMap(({ airs }, work) =>
    (airs[0] ?? world.until) < world.until - day ? [work] : [],
  )
  const popular = weighted(zipf(shown.length, flatness))
  const seasons = seasonsOf(world, shown)
  const inSeason = (member: Member) => {
    const season = seasons.get(seasonOf(random.between(member.joined, member.left)))
    return season?.works[season.draw(random)]
  }
  const choose = (member: Member, attempt: number) =>
    (random.chance(seasonal) ? inSeason(member) : undefined) ??
    shown[attempt < patience ? popular(random) : random.below(shown.length)] ??
    0
  return (member, seen) => {
    let work = choose(member, 0)
    for (let attempt = 1; seen.has(work) && attempt < 2 * patience; attempt += 1)
      work = choose(member, attempt)
    const begin = world.works[work]?.begin ?? 0
    const along = begin >= member.joined && begin < member.left - day && random.chance(0.8)
    return { work, start: along ? undefined : startOf(member, begin, world.until, random) }
  }
}

/** Some day while the member is there; later where the work begins later. */
function startOf({ joined, left }: Member, begin: number, until: number, random: Random): number {
  const from = Math.max(joined, begin)
  const to = Math.max(Math.min(left, until - day / 4), from)
  return Math.min(random.between(from, to), until - day / 4)
}

/** The works that begin in each season, by the popularity they have among all. */
function seasonsOf({ works }: World, shown: readonly number[]) {
  const bySeason = Map.groupBy(shown, (work) => seasonOf(works[work]?.begin ?? 0))
  const drawn = [...bySeason].map(([season, own]) => {
    const weights = own.map((work) => 1 / (work + flatness))
    return [season, { works: own, draw: weighted(weights) }] as const
  })
  return new Map(drawn)
}

/** Quarters of a year; a series of the new season may begin some days before it. */
function seasonOf(time: number): number {
  const date = new Date(time + 10 * day)
  return date.getUTCFullYear() * 4 + Math.floor(date.getUTCMonth() / 3)
}

const day = 24 * 60 * 60 * 1000
const seasonal = 0.6
const patience = 12
// How many works share the top.
const flatness = 5
