import type { Database } from 'bun:sqlite'
import { join } from 'node:path'
import type { Seed } from '../../support/database-copy'
import { fill } from '../../support/seed'

export const listsFolder = join(import.meta.dir, '../lists')

/** The default catalogue with two users. */
export const wholeCatalogue: Seed = async (store) => {
  const { loadDefaultCatalogue } = await import('../../../src/catalogue/default-catalogue')
  await loadDefaultCatalogue(store, Date.UTC(2026, 3, 1))
  await fill(store, { users: [userRow(1, 'mio'), userRow(2, 'nodoka')] })
}

const userRow = (id: number, username: string) => ({
  ...{ id, username, username_key: username, name: username, time_zone: 'Asia/Tokyo' },
  ...{ email: `${username}@example.com`, email_key: `${username}@example.com`, password_hash: '' },
  created_at: 0,
})

/** What an undo must put back: every row of these tables, without versions, and every counter. */
export function dumpOf(handle: Database): Readonly<Record<string, string>> {
  return Object.fromEntries(
    tables.map((table) => {
      const rows = handle.query<Record<string, unknown>, []>(`select * from ${table}`).all()
      const lines = rows.map(({ version: _, ...row }) => JSON.stringify(row))
      return [table, Bun.hash(lines.join('\n')).toString(36)]
    }),
  )
}

const tables = [
  ...['works', 'episodes', 'records', 'reviews', 'statuses', 'laps', 'skips', 'notes', 'activities', 'users'],
  ...['activity_records', 'likes', 'notifications', 'acts', 'activity_deletions'],
]
