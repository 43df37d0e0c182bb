import type { Database } from 'bun:sqlite'

/** The tables whose rows are found by text. */
export type SearchKind = 'works' | 'characters' | 'people' | 'organizations' | 'series'

/** What of a row `filter_title` and `filter_name` search, besides a work's aliases (D17). */
export const searchedColumns = {
  works: ['title', 'title_kana', 'title_en'],
  characters: ['name', 'name_kana', 'name_en'],
  people: ['name', 'name_kana', 'name_en'],
  organizations: ['name', 'name_kana', 'name_en'],
  series: ['name', 'name_ro', 'name_en'],
} as const satisfies Readonly<Record<SearchKind, readonly string[]>>

export const searchKinds: readonly SearchKind[] = ['works', 'characters', 'people', 'organizations', 'series']

/** The texts by which a row is found. */
export interface RowTexts {
  readonly id: number
  /** Titles and names that everything searches. */
  readonly titles: readonly string[]
  /** What `filter_title` does not look into: romanized titles, nicknames, and names that only a search reads. */
  readonly others: readonly string[]
  /** In kana with spaces between words, made by a program. */
  readonly readings: readonly string[]
  readonly site: string
}

/** The texts of a row that is to be found; undefined where it is not. */
export function textsOf(handle: Database, kind: SearchKind, id: number): RowTexts | undefined {
  return textsBetween(handle, kind, id, id)[0]
}

/** Those of the rows whose ids lie between two, both included. Hidden works are among them: whoever has one among their own finds it there (D42). */
export const textsBetween = (
  handle: Database,
  kind: SearchKind,
  from: number,
  to: number,
): readonly RowTexts[] =>
  handle
    .query<never, [number, number]>(textsQuery(kind))
    .values(from, to)
    .map(([id, titles, others, readings, site]) => ({
      id: Number(id),
      titles: listOf(titles),
      others: listOf(others),
      readings: listOf(readings),
      site: String(site),
    }))

const listOf = (joined: unknown) =>
  joined === ''
    ? []
    : String(joined)
        .split('\0')
        .filter((text) => text !== '')

const textsQuery = (kind: SearchKind) =>
  kind === 'works'
    ? `select id, concat_ws(char(0), ${searchedColumns.works.join(', ')}, ${aliases}),
         concat_ws(char(0), title_ro, ${searchNames(0)}), ifnull(${searchNames(1)}, ''), official_site_url
       from works where id between ? and ?`
    : `select id, concat_ws(char(0), ${searchedColumns[kind].join(', ')}), ${nicknames(kind)}, '', ''
       from ${kind} where id between ? and ? and hidden = 0`

const aliases = '(select group_concat(title, char(0)) from work_aliases where work_id = works.id)'

const searchNames = (isReading: 0 | 1) => `(
  select group_concat(title, char(0)) from search_names where work_id = works.id and is_reading = ${isReading})`

const nicknames = (kind: SearchKind) =>
  kind === 'characters' || kind === 'people' ? 'concat_ws(char(0), nickname, nickname_en)' : "''"
