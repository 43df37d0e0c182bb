import { type RawBuilder, sql } from 'kysely'
import { findUsers } from '../../accounts/find-users'
import { type CoveredWork, coverColumnsSql } from '../../catalogue/cover-path'
import { isGrowing } from '../../catalogue/estimate/broadcast-rule'
import { findRows } from '../../catalogue/search/find'
import { preparedSql, type SlotOf } from '../../db/prepared'
import { trimmed } from '../../lib/white-space'
import type { StatusKind } from '../../library/statuses'
import type { Precision } from '../../library/watched'
import type { PicturedUser } from '../../pages/avatar'
import type { Titles } from '../../pages/title'
import { positiveInteger } from '../../values/number'
import { readIfValid } from '../../values/value'
import { queryText, type Visit } from '../../web/visit'

export interface FoundWork extends CoveredWork, Titles {
  readonly title_kana: string
  readonly episodes_count: number
  /** 1 for films. */
  readonly no_episodes: number
  /** 1 if its list may get further episodes. */
  readonly estimated: number
  readonly kind: StatusKind | null
  /** 1 if only the reader sees the status. */
  readonly private: number | null
  readonly aliases: string
}

/** `ids` is a JSON array; rows come in its order. */
// uses episodes_work_place, images_cover and the primary key of statuses
export const foundWorks = preparedSql(
  (slot: SlotOf<{ ids: string; user: number }>): RawBuilder<FoundWork> => sql<FoundWork>`
    select works.id, title, title_kana, title_en, title_ro, episodes_count, no_episodes, statuses.kind, statuses.private,
      ${coverColumnsSql(slot('user'))},
      works.episodes_count > 0 and ${sql.raw(isGrowing)} as estimated,
      (select json_group_array(title) from work_aliases where work_id = works.id) as aliases
    from json_each(${slot('ids')}) as found cross join works on works.id = found.value
      left join statuses on statuses.user_id = ${slot('user')} and statuses.work_id = works.id
    order by found.key`,
)

/** The last viewing of a work that the user has seen; `at` is in epoch milliseconds. */
export interface LastViewing {
  readonly work_id: number
  readonly times: number
  readonly at: number
  readonly precision: Precision
  readonly rating: string | null
  readonly score: number | null
}

/**
 * `ids` is a JSON array of works. With `max(id)`, SQLite takes the other columns from the same row. Uses
 * reviews_user.
 */
export const lastViewings = preparedSql<LastViewing & { id: number }, { ids: string; user: number }>(
  (slot) => sql<LastViewing & { id: number }>`
    select work_id, max(id) as id, count(*) as times, watched_at as at, watched_at_precision as precision,
      rating_overall_state as rating, score
    from reviews where user_id = ${slot('user')} and watched_at is not null
      and work_id in (select value from json_each(${slot('ids')})) group by work_id`,
)

export interface FoundName {
  readonly id: number
  readonly name: string
  readonly name_kana: string
  readonly name_en: string
  /** The series of a character; '' if there is none. */
  readonly series: string
  /** How often the name occurs in casts and staff. */
  readonly credits: number
}

const namesOf = (table: 'characters' | 'people' | 'organizations', facts: RawBuilder<unknown>) =>
  preparedSql(
    (slot: SlotOf<{ ids: string }>): RawBuilder<FoundName> => sql<FoundName>`
      select row.id, row.name, row.name_kana, row.name_en, ${facts}
      from json_each(${slot('ids')}) as found cross join ${sql.table(table)} as row on row.id = found.value
      order by found.key`,
  )

export const foundNames = {
  characters: namesOf(
    'characters',
    sql`ifnull((select name from series where series.id = row.series_id and series.hidden = 0), '') as series, 0 as credits`,
  ),
  people: namesOf('people', sql`'' as series, casts_count + staffs_count as credits`),
  organizations: namesOf('organizations', sql`'' as series, staffs_count as credits`),
}

export interface FoundUser extends PicturedUser {
  readonly id: number
  readonly name: string
}

/** Without disabled users. */
export const foundUsers = preparedSql(
  (slot: SlotOf<{ ids: string }>): RawBuilder<FoundUser> => sql<FoundUser>`
    select users.id, username, name, avatar_url
    from json_each(${slot('ids')}) as found cross join users on users.id = found.value
    where disabled_at is null order by found.key`,
)

const resultKinds = ['works', 'characters', 'people', 'organizations', 'users'] as const
type ResultKind = (typeof resultKinds)[number]

export interface SearchQuery {
  /** Trimmed; '' if there is none. */
  readonly text: string
  readonly kind: ResultKind
  /** Counts from 1. */
  readonly page: number
}

export function searchQueryOf(visit: Visit): SearchQuery {
  const kind = queryText(visit, 'kind')
  return {
    text: trimmed(queryText(visit, 'q')),
    kind: resultKinds.find((one) => one === kind) ?? 'works',
    page: readIfValid(positiveInteger, queryText(visit, 'page')) ?? 1,
  }
}

/** In code points, as for `filter_query`. */
export const longestText = 200

export const isTooLong = ({ text }: SearchQuery): boolean => [...text].length > longestText

export function searchPath({ text, kind, page }: SearchQuery): string {
  const kindPart = kind === 'works' ? '' : `&kind=${kind}`
  return `/search?q=${encodeURIComponent(text)}${kindPart}${page === 1 ? '' : `&page=${page}`}`
}

/** Ids of one kind, best match first. */
type FoundIds = readonly number[]

export interface SearchResults {
  /** Each kind with its number of results, up to `mostFound`; undefined for users unless they are requested. */
  readonly counts: readonly (readonly [kind: ResultKind, count: number | undefined])[]
  /** Of the requested kind and page. */
  readonly ids: FoundIds
  readonly total: number
  /** Counts from 1; at most the last page. */
  readonly page: number
  readonly pages: number
}

export async function find(visit: Visit, asked: SearchQuery): Promise<SearchResults> {
  const kinds = resultKinds.filter((kind) => kind !== 'users' || visit.session !== undefined)
  const found = new Map<ResultKind, FoundIds>()
  const counted = kinds.filter((kind) => kind !== 'users' || kind === asked.kind)
  for (const kind of counted) found.set(kind, await idsOf(visit, kind, asked.text))
  const all = found.get(asked.kind) ?? []
  const pages = Math.max(1, Math.ceil(all.length / rowsPerPage))
  const page = Math.min(asked.page, pages)
  return {
    counts: kinds.map((kind) => [kind, found.get(kind)?.length]),
    ids: all.slice((page - 1) * rowsPerPage, page * rowsPerPage),
    total: all.length,
    page,
    pages,
  }
}

async function idsOf({ deps: { seen: read } }: Visit, kind: ResultKind, text: string): Promise<FoundIds> {
  if (kind !== 'users') return await findRows(read, kind, text)
  const ids = JSON.stringify(await findUsers(read, text))
  return (await foundUsers(read, { ids })).map(({ id }) => id)
}

const rowsPerPage = 20
