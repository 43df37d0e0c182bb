import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { ratingStates } from '../../../src/library/ratings'
import { statusKinds } from '../../../src/library/statuses'
import type { Lists } from '../../../src/transfer/batch/lists'
import { conflictPolicies } from '../../../src/transfer/plan/planned-row'

const titles = ['', '星降る庭', 'ガラスの汽車', '海のＡＢＣ', '無題', '100%の恋', '100点の恋']

const entry = fc.record({
  work: fc.constantFrom(1, 2, 3, 4, 5, 6),
  status: fc.constantFrom('', ...statusKinds),
  progress: fc.constantFrom('', '1', '2', '4', '7'),
  rating: fc.constantFrom('', ...ratingStates),
  comment: fc.constantFrom('', 'よかった', '別の感想'),
  started_on: fc.constantFrom('', '2020', '2020-02-03'),
  rewatches: fc.constantFrom('', '1'),
})

export interface AnyList {
  readonly csv: string
  readonly conflict: (typeof conflictPolicies)[number]
}

/** A file with a user's list of the seeded works. */
export const anyList: fc.Arbitrary<AnyList> = fc.record({
  csv: fc.uniqueArray(entry, { selector: ({ work }) => work, minLength: 1, maxLength: 5 }).map((entries) =>
    csvOf(
      ['work_id', 'title', 'status', 'progress', 'rating', 'comment', 'started_on', 'rewatches'],
      entries.map(({ work, ...more }) => [work, titles[work] ?? '', ...Object.values(more)]),
    ),
  ),
  conflict: fc.constantFrom(...conflictPolicies),
})

export const csvOf = (columns: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  [columns, ...rows].map((cells) => `${cells.map((cell) => `"${cell}"`).join(',')}\n`).join('')

const folder = mkdtempSync(join(tmpdir(), 'kiroku-lists-'))

export async function readCsv(
  lists: Lists,
  userId: number,
  csv: string,
  options: Parameters<Lists['read']>[2] = {},
) {
  const path = join(folder, 'list.csv')
  writeFileSync(path, csv)
  return await lists.read(userId, { path, name: 'list.csv' }, options)
}

/** Reads and applies it; returns the id of the import. */
export async function takeOver(lists: Lists, userId: number, { csv, conflict }: AnyList): Promise<number> {
  const { id } = await readCsv(lists, userId, csv, { conflict })
  await lists.apply(userId, id, { acceptsProbable: true })
  await lists.settled(id)
  return id
}

export async function undoWhole(lists: Lists, userId: number, id: number): Promise<void> {
  await lists.undo(userId, id)
  await lists.settled(id)
}
