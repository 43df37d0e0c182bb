import { sql } from 'kysely'
import type { Read } from '../../db/open'
import { preparedSql } from '../../db/prepared'
import type { Choices } from './choices'
import { byBegin, type KnownWork, knownWorks } from './known-work'
import type { MatchWay } from './match'
import type { LaterWork } from './own-title'
import type { SeriesGroup } from './place-episode'

export interface MeantSeries {
  readonly group: SeriesGroup
  /** The name is that of one of its later works, where its first season begins. */
  readonly later?: LaterWork | undefined
  /** For the whole row; its plays may name their own. */
  readonly season?: number | undefined
  readonly way: MatchWay
  readonly choices: Choices
}

/** The works that TMDB has under a series' id; empty if none is known. */
export async function groupOfSeries(read: Read, series: string): Promise<SeriesGroup> {
  const ids = await idsBelow(read, { id: `tv/${series}`, from: `tv/${series}/`, to: `tv/${series}0` })
  return groupOf(await knownWorks(read, idsIn(ids)), [series])
}

/**
 * The series that works belong to. Works that TMDB has under none count as later seasons of the only series if they
 * begin after it, otherwise as their own series.
 */
export async function groupsOfWorks(
  read: Read,
  works: readonly KnownWork[],
): Promise<readonly SeriesGroup[]> {
  const series = [...new Set(works.flatMap(seriesIn))]
  const others = groupOf(
    works.filter((work) => !isInSeries(work)),
    [],
  )
  const groups = await Promise.all(series.map((one) => groupOfSeries(read, one)))
  const [group, another] = groups
  const [first] = group?.works ?? []
  const isLater =
    another === undefined && first !== undefined && others.works.every((work) => byBegin(first, work) < 0)
  if (group !== undefined && isLater)
    return [{ ...group, works: [...group.works, ...others.works].toSorted(byBegin) }]
  return [...groups, others].filter((one) => one.works.length > 0)
}

/** A special of season 0, found by its address at TMDB. */
export async function specialOfSeries(
  read: Read,
  series: string,
  episode: number,
): Promise<KnownWork | undefined> {
  const id = `tv/${series}/season/0/episode/${episode}`
  const [work, another] = await knownWorks(read, idsIn(await idsBelow(read, { id, from: id, to: id })))
  return another === undefined ? work : undefined
}

/** An ova, film or the like of the series that came out within a week of a day; undefined if several did. */
export async function specialBy(
  read: Read,
  { series, airDate }: { readonly series: readonly string[]; readonly airDate: string },
): Promise<KnownWork | undefined> {
  const ids = await Promise.all(
    series.map((one) => idsBelow(read, { id: `tv/${one}`, from: `tv/${one}/`, to: `tv/${one}0` })),
  )
  const works = await knownWorks(read, ids.flatMap(idsIn))
  const [special, another] = works.filter(
    (work) => !isBroadcast(work) && work.begins.length === 10 && daysBetween(work.begins, airDate) <= 7,
  )
  return another === undefined ? special : undefined
}

const daysBetween = (one: string, other: string) => Math.abs(Date.parse(one) - Date.parse(other)) / 86_400_000

interface LocalId {
  readonly local_id: number
}

// uses the primary key of external_ids
const idsBelow = preparedSql<LocalId, { id: string; from: string; to: string }>(
  (slot) => sql`
    select local_id from external_ids
    where kind = 'work' and ns = 'tmdb' and external_id = ${slot('id')}
    union select local_id from external_ids
    where kind = 'work' and ns = 'tmdb' and external_id >= ${slot('from')} and external_id < ${slot('to')}`,
)

const idsIn = (found: readonly LocalId[]) => found.map(({ local_id }) => local_id)

function groupOf(works: readonly KnownWork[], series: readonly string[]): SeriesGroup {
  const broadcasts = works.filter((work) => isBroadcast(work) && !seasonsIn(work, series).includes(0))
  const seasons = broadcasts.flatMap((work): [number, number][] => {
    const [season] = seasonsIn(work, series)
    return season === undefined ? [] : [[work.id, season]]
  })
  return { series, works: broadcasts, seasons: new Map(seasons) }
}

const seasonsIn = ({ ids }: KnownWork, series: readonly string[]): readonly number[] =>
  ids.flatMap((id) => {
    const [, of = '', season] = /^tmdb:tv\/(\d+)\/season\/(\d+)/.exec(id) ?? []
    return series.includes(of) ? [Number(season)] : []
  })

const isBroadcast = ({ media }: KnownWork) => media === 'tv' || media === 'web'

export const isInSeries = ({ ids }: KnownWork) => ids.some((id) => id.startsWith('tmdb:tv/'))

const seriesIn = ({ ids }: KnownWork): readonly string[] =>
  ids.flatMap((id) => /^tmdb:tv\/(\d+)(?!.*\/season\/0\b)/.exec(id)?.[1] ?? [])
