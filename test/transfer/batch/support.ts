import type { Database } from 'bun:sqlite'
import { join } from 'node:path'
import type { Seed } from '../../support/database-copy'
import { loadListedCatalogue } from '../../support/listed-catalogue'
import { fill } from '../../support/seed'

export const listsFolder = join(import.meta.dir, '../lists')

/** What the lists need from the default catalogue, with two users. */
export const listedCatalogue: Seed = async (store) => {
  await loadListedCatalogue(store, Date.UTC(2026, 3, 1))
  await fill(store, { users: [userRow(1, 'mio'), userRow(2, 'nodoka')] })
}

export const userRow = (id: number, username: string) => ({
  ...{ id, username, username_key: username, name: username, time_zone: 'Asia/Tokyo' },
  ...{ email: `${username}@example.com`, email_key: `${username}@example.com`, password_hash: '' },
  created_at: 0,
})

/** What an undo must restore, without ids of recreated rows, and versions. */
export const dumpOf = (handle: Database): Readonly<Record<string, readonly unknown[]>> =>
  Object.fromEntries(
    Object.entries(queries).map(([name, query]) => [
      name,
      handle
        .query<Record<string, unknown>, []>(query)
        .all()
        .map(({ version: _, ...row }) => row),
    ]),
  )

const whole = (...tables: string[]) =>
  Object.fromEntries(tables.map((table) => [table, `select * from ${table}`]))

const queries: Readonly<Record<string, string>> = {
  ...whole(
    'records',
    'reviews',
    'statuses',
    'library_entries',
    'laps',
    'skips',
    'notes',
    'activities',
    'users',
    'likes',
    'acts',
  ),
  ...whole('lists', 'list_works', 'favorites'),
  ...whole('activity_records', 'activity_deletions'),
  // That an import ended is told, and stays so when it is undone.
  notifications: "select * from notifications where kind <> 'import'",
  works: `
    select id, episodes_count, watchers_count, reviews_count from works
    where watchers_count + reviews_count > 0
    union all select 0, sum(episodes_count), count(*), max(id) from works`,
  episodes: `
    select id, work_id, number, sort_number, records_count, record_comments_count from episodes
    where records_count > 0 or source_id = 3
    union all select 0, 0, '', 0, count(*), max(id) from episodes`,
}
