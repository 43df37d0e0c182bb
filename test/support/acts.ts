import type { Database } from 'bun:sqlite'
import { expect } from 'bun:test'
import { ApiError } from '../../src/http/errors'
import { type Row, rowsOf } from './counted'

/** The tables that an undo restores: without sequences, versions, logs of deletions and the acts themselves. */
const restored = [
  ...['works', 'episodes', 'users', 'records', 'reviews', 'statuses', 'laps', 'skips', 'notes'],
  ...['activities', 'activity_records', 'likes', 'notifications', 'follows', 'own_slots', 'lists'],
  'list_works',
  'shares',
  ...['follow_requests', 'mutes', 'blocks', 'favorites'],
]

/** Tables by name, without versions, rows ordered by content. */
export function contentOf(handle: Database): Record<string, readonly string[]> {
  const linesOf = (table: string) =>
    rowsOf(handle, table)
      .map(lines[table] ?? lineOf)
      .sort()
  return Object.fromEntries(restored.map((table) => [table, linesOf(table)]))
}

/** An undo is a change for cached feeds, too. */
const lineOf = ({ version, feed_version, ...row }: Row) => JSON.stringify(row)

/** An undo is a change for calendars, and for what was used last. */
const lines: Readonly<Record<string, (row: Row) => string>> = {
  own_slots: ({ changed_at, ...row }) => JSON.stringify(row),
  lists: ({ updated_at, version, ...row }) => JSON.stringify(row),
}

/** The developer_message of a refusal. */
export async function refusal(acting: Promise<unknown>): Promise<string> {
  const problem = await acting.then(
    () => undefined,
    (cause: unknown) => cause,
  )
  expect(problem).toBeInstanceOf(ApiError)
  return problem instanceof ApiError ? problem.violations.join(' ') : ''
}
