import type { Database } from 'bun:sqlite'
import { type IdRange, idRanges } from './id-ranges'
import { findRankDrift } from './recount-ranks'
import { noRest } from './rest'

/** A number that a row keeps and that counting gives, too. */
export interface Counter {
  readonly table: string
  readonly column: string
  /** What it should be, as SQL about a row of the table. */
  readonly truth: string
}

/** A kept number that is not what counting gives. */
export interface Drift {
  readonly table: string
  readonly column: string
  /** The row's id; the total's name for `totals`, the cell's key for `ranks`. */
  readonly row: number | string
  readonly kept: number
  readonly counted: number
}

const statusKinds = ['wanna_watch', 'watching', 'watched', 'on_hold', 'stop_watching']

/** Every counter (D40). */
export const counters: readonly Counter[] = [
  {
    table: 'works',
    column: 'episodes_count',
    truth: '(select count(*) from episodes where work_id = works.id and hidden = 0)',
  },
  {
    table: 'works',
    column: 'watchers_count',
    truth: `(select count(*) from statuses where work_id = works.id and kind in ('wanna_watch', 'watching', 'watched'))`,
  },
  rowsOf('works', 'reviews_count', 'reviews', 'work_id'),
  rowsOf('episodes', 'records_count', 'records', 'episode_id'),
  rowsOf('episodes', 'record_comments_count', 'records', 'episode_id', "comment <> ''"),
  rowsOf('records', 'likes_count', 'likes', 'record_id'),
  rowsOf('reviews', 'likes_count', 'likes', 'review_id'),
  rowsOf('characters', 'favorite_characters_count', 'favorites', 'character_id'),
  rowsOf('people', 'favorite_people_count', 'favorites', 'person_id'),
  rowsOf('organizations', 'favorite_organizations_count', 'favorites', 'organization_id'),
  rowsOf('users', 'records_count', 'records', 'user_id'),
  rowsOf('users', 'followings_count', 'follows', 'follower_id'),
  rowsOf('users', 'followers_count', 'follows', 'followed_id'),
  rowsOf('users', 'notifications_count', 'notifications', 'user_id', 'read_at is null'),
  ...statusKinds.map((kind) => rowsOf('users', `${kind}_count`, 'statuses', 'user_id', `kind = '${kind}'`)),
  {
    table: 'people',
    column: 'casts_count',
    truth: '(select count(distinct work_id) from listed_casts where person_id = people.id)',
  },
  withheld('casts', { person_id: 'people', character_id: 'characters' }),
  withheld('staffs', { person_id: 'people', organization_id: 'organizations' }),
  {
    table: 'people',
    column: 'staffs_count',
    truth: '(select count(distinct work_id) from staffs where person_id = people.id and hidden = 0)',
  },
  {
    table: 'organizations',
    column: 'staffs_count',
    truth:
      '(select count(distinct work_id) from staffs where organization_id = organizations.id and hidden = 0)',
  },
]

/** Every total of an unfiltered list, by name: what it should be, as SQL. */
export const totals: Readonly<Record<string, string>> = {
  series: '(select count(*) from series where hidden = 0)',
  works: '(select count(*) from works where hidden = 0)',
  episodes: '(select count(*) from episodes where hidden = 0)',
  characters: '(select count(*) from characters where hidden = 0)',
  people: '(select count(*) from people where hidden = 0)',
  organizations: '(select count(*) from organizations where hidden = 0)',
  casts: '(select count(*) from casts where hidden = 0)',
  staffs: '(select count(*) from staffs where hidden = 0)',
  programs: '(select count(*) from programs where hidden = 0)',
  users: '(select count(*) from users where id not in (select user_id from deletions))',
}

/**
 * The counters, totals and ranks that differ from a recount, at most `limit` of them. It reads in pieces of a few
 * milliseconds, with `rest` between them for a server to begin its log anew. A number and its count are read by one
 * statement, so nothing that is written meanwhile comes between them.
 */
export function findDrift(handle: Database, limit = 100, rest = noRest): readonly Drift[] {
  const found: Drift[] = []
  for (const counter of counters) {
    for (const range of idRanges(handle, counter.table)) {
      found.push(...counterDrift(handle, counter, range, limit - found.length))
      rest()
    }
  }
  for (const name of Object.keys(totals)) {
    found.push(...totalDrift(handle, name, limit - found.length))
    rest()
  }
  return [...found, ...findRankDrift(handle, limit - found.length, rest)]
}

/** The rows of a range whose counter differs from a recount. */
export function counterDrift(
  handle: Database,
  { table, column, truth }: Counter,
  { from, to }: IdRange,
  limit: number,
): readonly Drift[] {
  const where = `id between ${from} and ${to}`
  return differing(handle, { table, column, row: 'id', truth, where }, limit)
}

/** The total of a list, if it differs from a recount. */
export function totalDrift(handle: Database, name: string, limit: number): readonly Drift[] {
  const truth = totals[name] ?? '0'
  return differing(
    handle,
    { table: 'totals', column: 'n', row: 'name', truth, where: `name = '${name}'` },
    limit,
  )
}

/** A counter of the rows of another table that name this one. */
function rowsOf(table: string, column: string, of: string, by: string, where = 'true'): Counter {
  return { table, column, truth: `(select count(*) from ${of} where ${by} = ${table}.id and ${where})` }
}

/** Whether anything is hidden that a row refers to by its columns. */
function withheld(table: string, references: Readonly<Record<string, string>>): Counter {
  const hidden = Object.entries(references).map(
    ([column, other]) => `exists (select 1 from ${other} where id = ${table}.${column} and hidden <> 0)`,
  )
  return { table, column: 'withheld', truth: `(${hidden.join(' or ')})` }
}

function differing(
  handle: Database,
  { table, column, row, truth, where }: Counter & { row: string; where: string },
  limit: number,
): readonly Drift[] {
  using statement = handle.prepare<Drift, [string, string, number]>(
    `select ? as "table", ? as "column", ${row} as row, ${column} as kept, ${truth} as counted
     from ${table} where ${where} and ${column} <> ${truth} order by ${row} limit ?`,
  )
  return statement.all(table, column, limit)
}
