import type { Database } from 'bun:sqlite'

export type SearchKind = 'works' | 'characters' | 'people' | 'organizations' | 'series'

/** Columns searched by `filter_title` and `filter_name`, besides aliases (D17). */
export const searchedColumns = {
  works: ['title', 'title_kana', 'title_en'],
  characters: ['name', 'name_kana', 'name_en'],
  people: ['name', 'name_kana', 'name_en'],
  organizations: ['name', 'name_kana', 'name_en'],
  series: ['name', 'name_ro', 'name_en'],
} as const satisfies Readonly<Record<SearchKind, readonly string[]>>

export const searchKinds: readonly SearchKind[] = ['works', 'characters', 'people', 'organizations', 'series']

export interface RowTexts {
  readonly id: number
  readonly titles: readonly string[]
  /** Not searched by `filter_title`: romanized titles, nicknames, names only for searches. */
  readonly others: readonly string[]
  /** Generated; kana with spaces between words. */
  readonly readings: readonly string[]
  readonly site: string
}

/** For rows in order of their ids; deleted rows are left out. */
export const textsOfAll = (handle: Database, kind: SearchKind, ids: readonly number[]): readonly RowTexts[] =>
  handle
    .query<never, [string]>(textsQuery(kind, 'in (select value from json_each(?))'))
    .values(JSON.stringify(ids))
    .map(textsOf)

/** Inclusive range. Includes hidden works, which users still find in their own lists (D42). */
export const textsBetween = (
  handle: Database,
  kind: SearchKind,
  from: number,
  to: number,
): readonly RowTexts[] =>
  handle.query<never, [number, number]>(textsQuery(kind, 'between ? and ?')).values(from, to).map(textsOf)

const textsOf = ([id, titles, others, readings, site]: readonly unknown[]): RowTexts => ({
  id: Number(id),
  titles: listOf(titles),
  others: listOf(others),
  readings: listOf(readings),
  site: String(site),
})

const listOf = (joined: unknown) =>
  joined === ''
    ? []
    : String(joined)
        .split('\0')
        .filter((text) => text !== '')

const textsQuery = (kind: SearchKind, which: string) =>
  kind === 'works'
    ? `select id, concat_ws(char(0), ${searchedColumns.works.join(', ')}, ${aliases}),
         concat_ws(char(0), title_ro, ${searchNames(0)}), ifnull(${searchNames(1)}, ''), official_site_url
       from works where id ${which}`
    : `select id, concat_ws(char(0), ${searchedColumns[kind].join(', ')}), ${nicknames(kind)}, '', ''
       from ${kind} where id ${which} and hidden = 0`

const aliases = '(select group_concat(title, char(0)) from work_aliases where work_id = works.id)'

const searchNames = (isReading: 0 | 1) => `(
  select group_concat(title, char(0)) from search_names where work_id = works.id and is_reading = ${isReading})`

const nicknames = (kind: SearchKind) =>
  kind === 'characters' || kind === 'people' ? 'concat_ws(char(0), nickname, nickname_en)' : "''"
