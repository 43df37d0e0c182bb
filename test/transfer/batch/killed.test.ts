import type { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findDrift } from '../../../src/catalogue/counters/recount'
import { openHandle, openStore, type Store } from '../../../src/db/open'
import { createLists } from '../../../src/transfer/batch/create-lists'
import type { Lists } from '../../../src/transfer/batch/lists'
import { openCopy } from '../../support/database-copy'
import { seedLibrary } from '../../support/seed-library'
import { csvOf, readCsv, undoWhole } from './any-list'
import { dumpOf } from './support'

const now = Date.UTC(2026, 3, 1, 12)
const folder = mkdtempSync(join(tmpdir(), 'kiroku-killed-'))
const previewed = join(folder, 'previewed')
const applied = join(folder, 'applied')
const undone = join(folder, 'undone')
afterAll(() => rmSync(folder, { recursive: true }))

/** A list that takes some forty transactions. */
const list = csvOf(
  ['work_id', 'title', 'status', 'progress', 'rating', 'comment'],
  [
    [6, '100点の恋', 'watched', 1000, 'great', 'ながい'],
    [5, '100%の恋', 'on_hold', 1100, '', ''],
    [1, '星降る庭', 'watching', 3, 'good', ''],
    [3, '海のＡＢＣ', 'watched', '', 'bad', 'みじかい'],
  ],
)

async function inStore<T>(directory: string, use: (lists: Lists, store: Store) => Promise<T>): Promise<T> {
  const handle = openHandle(directory)
  handle.run('pragma synchronous = off')
  const store = openStore(directory, handle)
  const lists = createLists({ ...store, now: () => now })
  try {
    return await use(lists, store)
  } finally {
    await lists.close()
    await store.close()
  }
}

/** All that an import writes, also of its own. */
const contentOf = (handle: Database) => ({
  ...dumpOf(handle),
  imports: handle.query('select id, state, counts, done, total from list_imports').all(),
  rows: handle.query('select number, state, match is null as is_done from list_import_rows').all(),
  changes: handle.query('select kind, row_id, last_id, before, after from list_import_changes').all(),
})

let whole: Readonly<Record<'applied' | 'undone', ReturnType<typeof contentOf>>>
beforeAll(async () => {
  for (const directory of [previewed, applied, undone]) mkdirSync(directory)
  const handle = await openCopy(previewed, seedLibrary)
  handle.close()
  await inStore(previewed, (lists) => readCsv(lists, 1, list))
  cpSync(previewed, applied, { recursive: true })
  const afterApply = await inStore(applied, async (lists, { handle }) => {
    await lists.apply(1, 1, { acceptsProbable: false })
    await lists.settled(1)
    return contentOf(handle)
  })
  cpSync(applied, undone, { recursive: true })
  const afterUndo = await inStore(undone, async (lists, { handle }) => {
    await undoWhole(lists, 1, 1)
    return contentOf(handle)
  })
  whole = { applied: afterApply, undone: afterUndo }
}, 60_000)

async function killAt(act: 'apply' | 'undo', nth: number, from: string): Promise<void> {
  const directory = join(folder, `${act}-${nth}`)
  cpSync(from, directory, { recursive: true })
  const when = nth % 2 === 0 ? 'in' : 'after'
  const script = join(import.meta.dir, 'killed-process.ts')
  const child = Bun.spawn([process.execPath, script, directory, act, String(nth), when, String(now)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await child.exited
  expect([nth, await child.stdout.text(), child.signalCode]).toEqual([nth, '', 'SIGKILL'])
  await inStore(directory, async (lists, { handle }) => {
    await lists.resume()
    await lists.settled(1)
    const { state } = await lists.find(1, 1)
    // Killed before the first transaction was committed, it was not begun.
    if (state === 'preview') await lists.apply(1, 1, { acceptsProbable: false })
    if (state === 'applied' && act === 'undo') await lists.undo(1, 1)
    await lists.settled(1)
    expect(contentOf(handle)).toEqual(act === 'apply' ? whole.applied : whole.undone)
    expect(findDrift(handle)).toEqual([])
  })
  rmSync(directory, { recursive: true })
}

test.each([
  ['apply', () => previewed],
  ['undo', () => applied],
] as const)(
  'killed at any of 20 points, an import goes on where it was, and nothing is doubled or lost: %s',
  async (act, from) => {
    for (let nth = 1; nth <= 20; nth += 2)
      await Promise.all([killAt(act, nth, from()), killAt(act, nth + 1, from())])
  },
  60_000,
)
