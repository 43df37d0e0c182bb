import { sql } from 'kysely'
import type { Read } from '../../db/open'
import { preparedSql } from '../../db/prepared'
import { absolute, ranks } from '../mapping/ranges'
import type { WorkRef } from '../row'
import { isOfSeries } from './by-id'
import { isOnAir } from './contradiction'
import { knownWorks } from './known-work'
import type { SeriesGroup } from './place-episode'
import { type PlacedPlay, placed, type UnplacedPlay, unplaced } from './placed-play'
import { mostOf } from './results'
import type { SaidEpisode } from './said-play'
import { groupsOfWorks } from './series-group'

/**
 * By the mapping files that whoever runs kiroku installed: a single episode before a range, a range before the rest of a
 * season. Undefined if they say nothing; not sure if they disagree, or the work was not on air then.
 */
export async function placeMapped(
  read: Read,
  { refs, ...said }: SaidEpisode & { readonly refs: readonly WorkRef[] },
): Promise<PlacedPlay | UnplacedPlay | undefined> {
  for (const ref of refs.filter(isOfSeries)) {
    const found = candidates(await rangesOf(read, ref), said)
    if (found.size === 0) continue
    const known = await knownWorks(read, [...found.keys()])
    // Files count further than the work where ranges overlap.
    const works = known.filter((work) => work.isWhole || (found.get(work.id) ?? 0) <= mostOf(work))
    const [work, another] = works
    if (work === undefined) continue
    const episode = found.get(work.id)
    if (another !== undefined || episode === undefined || isElsewhere(said.airDate, work))
      return unplaced('several_works', works)
    return placed(work, episode, 'mapping')
  }
  return undefined
}

const isElsewhere = (airDate: string | undefined, work: Parameters<typeof isOnAir>[0]): boolean =>
  airDate !== undefined && work.begins.length === 10 && !isOnAir(work, airDate, { early: 45, late: 45 })

/** The works of a series that mapping files know; undefined if it is none, or several. */
export async function mappedGroup(read: Read, ref: WorkRef): Promise<SeriesGroup | undefined> {
  const ids = (await rangesOf(read, ref)).flatMap(({ season, work }) => (season === 0 ? [] : [work]))
  const [group, another] = await groupsOfWorks(read, await knownWorks(read, [...new Set(ids)]))
  return another === undefined ? group : undefined
}

type Range = Awaited<ReturnType<typeof ranges>>[number]

const rangesOf = (read: Read, { site, id }: WorkRef): Promise<readonly Range[]> =>
  ranges(read, { site, series: Number(id.replace('tv/', '')) })

/** Numbers by work, as far as each file says them; undefined where files disagree about the number. */
function candidates(all: readonly Range[], said: SaidEpisode): ReadonlyMap<number, number | undefined> {
  const numbers = new Map<number, number | undefined>()
  for (const own of Map.groupBy(all, ({ file }) => file).values())
    for (const { work, shift } of bestOf(own, said)) {
      if (shift === null) continue
      const number = said.episode + shift
      if (number < 1) continue
      const isOther = numbers.has(work) && numbers.get(work) !== number
      numbers.set(work, isOther ? undefined : number)
    }
  return numbers
}

/**
 * Those that decide in one file. Of ranges that overlap, the one that begins later: ends are often too far, as of a work
 * whose length was not known yet. The rest of a season does not give a number that the file has elsewhere.
 */
function bestOf(all: readonly Range[], { season, episode }: SaidEpisode): readonly Range[] {
  const isOfSeason = (one: Range) =>
    one.season === (season ?? 1) || (one.season === absolute && (season ?? 1) === 1)
  const fitting = all.filter(
    (one) =>
      one.rank !== ranks.series &&
      isOfSeason(one) &&
      one.first <= episode &&
      (one.last === null || episode <= one.last),
  )
  const rank = Math.min(...fitting.map((one) => one.rank))
  const best = fitting.filter((one) => one.rank === rank)
  const latest = Math.max(...best.map(({ first }) => first))
  const begun = best.filter(({ first }) => first === latest)
  return rank === ranks.rest ? begun.filter((one) => !isTaken(all, one, episode + (one.shift ?? 0))) : begun
}

const isTaken = (all: readonly Range[], { work }: Range, number: number): boolean =>
  all.some(
    ({ rank, shift, first, last, ...one }) =>
      one.work === work &&
      rank < ranks.rest &&
      shift !== null &&
      number - shift >= first &&
      (last === null || number - shift <= last),
  )

interface KnownRange {
  readonly file: number
  readonly season: number | null
  readonly first: number
  readonly last: number | null
  readonly shift: number | null
  readonly rank: number
  readonly work: number
}

// uses mapping_ranges_series and the primary key of external_ids
const ranges = preparedSql<KnownRange, { site: string; series: number }>(
  (slot) => sql`
    select file_id as file, season, first, last, shift, rank, local_id as work
    from mapping_ranges indexed by mapping_ranges_series
    join mapping_files on mapping_files.id = file_id and installed_at is not null
    join external_ids on external_ids.kind = 'work' and external_ids.ns = mapping_ranges.ns
      and external_ids.external_id = mapping_ranges.external_id
    where site = ${slot('site')} and series = ${slot('series')}`,
)
