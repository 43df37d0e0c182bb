import type { Database } from 'bun:sqlite'
import { expect } from 'bun:test'
import { ApiError } from '../../src/http/errors'
import { type Row, rowsOf } from './counted'

/** What an undo restores: not sequences, versions, logs of deletions and the acts themselves. */
const restored = [
  ...['works', 'episodes', 'users', 'records', 'reviews', 'statuses', 'laps', 'skips', 'notes'],
  ...['activities', 'activity_records', 'likes', 'notifications', 'follows', 'row_counts'],
]

/** Tables by name, without versions, rows in the order of what they hold. */
export function contentOf(handle: Database): Record<string, readonly string[]> {
  return Object.fromEntries(restored.map((table) => [table, rowsOf(handle, table).flatMap(lineOf).sort()]))
}

/** A count of no rows is none. */
function lineOf({ version, ...row }: Row): string[] {
  return 'list' in row && row.n === 0 ? [] : [JSON.stringify(row)]
}

/** The developer_message of what is refused. */
export async function refusal(acting: Promise<unknown>): Promise<string> {
  const problem = await acting.then(
    () => undefined,
    (cause: unknown) => cause,
  )
  expect(problem).toBeInstanceOf(ApiError)
  return problem instanceof ApiError ? problem.violations.join(' ') : ''
}
