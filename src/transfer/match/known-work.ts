import { sql } from 'kysely'
import type { Media } from '../../catalogue/default/sources'
import { survivor } from '../../catalogue/survivors'
import type { Read } from '../../db/open'
import { preparedSql } from '../../db/prepared'
import type { WorkRef } from '../row'

export interface KnownWork {
  readonly id: number
  readonly title: string
  readonly media: Media
  /** The year of the season and that of the first broadcast may differ. */
  readonly years: readonly number[]
  /** ISO 8601, possibly only its beginning; '' if unknown. */
  readonly begins: string
  /** A film or another work that is watched as a whole. */
  readonly isWhole: boolean
  readonly listed: number
  /** How many episodes there are; null if unknown. */
  readonly count: number | null
  /** No source lists its episodes: they are estimated from its dates. */
  readonly isEstimated: boolean
  /** Its ids at other sites: `mal:21`, `tmdb:tv/37854`. */
  readonly ids: readonly string[]
}

/** The shown works among `ids`, by first broadcast, then by id. */
export async function knownWorks(read: Read, ids: readonly number[]): Promise<readonly KnownWork[]> {
  if (ids.length === 0) return []
  const rows = await works(read, { ids: JSON.stringify(ids) })
  return rows.map(workOf).toSorted(byBegin)
}

/** The work with an id, or the one it was merged into (D67), as a list; empty if it is not shown. */
export async function knownWork(read: Read, id: number): Promise<readonly KnownWork[]> {
  const found = await survivorOf(read, { id })
  return await knownWorks(
    read,
    found.map((one) => one.id),
  )
}

const survivorOf = preparedSql<{ id: number }, { id: number }>(
  (slot) => sql`select ${survivor('works', slot('id'))} as id`,
)

/** Works with an unknown beginning come last. */
export const byBegin = (one: KnownWork, other: KnownWork): number => {
  const [first, second] = [one.begins || '9999', other.begins || '9999']
  if (first === second) return one.id - other.id
  return first < second ? -1 : 1
}

/** A work that has a different id than is said at the same site is another one. */
export const isOtherById = ({ ids }: KnownWork, refs: readonly WorkRef[]): boolean =>
  refs.some(({ site, id }) => {
    const [kind] = site === 'tmdb' ? (/^(?:tv|movie)\//.exec(id) ?? ['?']) : ['']
    const own = ids.filter((one) => one.startsWith(`${site}:${kind}`))
    return own.length > 0 && !own.some((one) => `${one}/`.startsWith(`${site}:${id}/`))
  })

interface WorkRow extends Pick<KnownWork, 'id' | 'title' | 'media'> {
  readonly season_year: number | null
  readonly season: string | null
  readonly released_on: string
  readonly no_episodes: number
  readonly episodes_count: number
  readonly episodes_estimate: number | null
  readonly is_listed: number
  readonly ids: string | null
}

// uses episodes_work and external_ids_local
const works = preparedSql<WorkRow, { ids: string }>(
  (slot) => sql`
    select works.id, title, media, season_year, season, released_on, no_episodes, episodes_count, episodes_estimate,
      works.list_state = 'complete' or works.list_state = '' and exists (
        select 1 from episodes where work_id = works.id and hidden = 0 and estimated = 0) as is_listed,
      (select group_concat(ns || ':' || external_id, ' ') from external_ids indexed by external_ids_local
        where local_id = works.id and kind = 'work' and ns in ('annict', 'mal', 'anilist', 'anidb', 'bangumi', 'tmdb')) as ids
    from json_each(${slot('ids')}) as wanted cross join works on works.id = wanted.value
    where works.hidden = 0`,
)

function workOf(row: WorkRow): KnownWork {
  const { id, title, media } = row
  const released = Number(row.released_on.slice(0, 4)) || null
  const isEstimated = row.is_listed === 0
  return {
    id,
    title,
    media,
    years: [...new Set([row.season_year, released])].filter((year) => year !== null),
    begins: row.released_on || seasonBegin(row),
    isWhole: media === 'movie' || row.no_episodes === 1,
    listed: row.episodes_count,
    count: isEstimated ? row.episodes_estimate : row.episodes_count,
    isEstimated,
    ids: row.ids?.split(' ') ?? [],
  }
}

const seasonBegin = ({ season_year, season }: WorkRow): string => {
  if (season_year === null) return ''
  return season === null ? `${season_year}-12` : `${season_year}-${months[season] ?? '12'}`
}

const months: Readonly<Record<string, string>> = { winter: '01', spring: '04', summer: '07', autumn: '10' }
