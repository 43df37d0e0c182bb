import type { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findDrift } from '../../../src/catalogue/counters/recount'
import { openHandle, openStore, type Store } from '../../../src/db/open'
import { createLists } from '../../../src/transfer/batch/create-lists'
import type { Lists } from '../../../src/transfer/batch/lists'
import { openCopy } from '../../support/database-copy'
import { seedLibrary } from '../../support/seed-library'
import { csvOf, readCsv } from './any-list'
import { atTransactions, type Moment } from './at-transactions'
import { dumpOf } from './support'

const now = Date.UTC(2026, 3, 1, 12)
const folder = mkdtempSync(join(tmpdir(), 'kiroku-killed-'))
const previewed = join(folder, 'previewed')
const applied = join(folder, 'applied')
const undone = join(folder, 'undone')
afterAll(() => rmSync(folder, { recursive: true }))

/** A list that takes more than ten transactions. */
const list = csvOf(
  ['work_id', 'title', 'status', 'progress', 'rating', 'comment'],
  [
    [6, '100点の恋', 'watched', 300, 'great', 'ながい'],
    [5, '100%の恋', 'on_hold', 260, '', ''],
    [1, '星降る庭', 'watching', 3, 'good', ''],
    [3, '海のＡＢＣ', 'watched', '', 'bad', 'みじかい'],
  ],
)

async function inStore<T>(
  directory: string,
  use: (lists: Lists, store: Store) => Promise<T>,
  tell: Parameters<typeof atTransactions>[1] = () => {},
): Promise<T> {
  const handle = openHandle(directory)
  handle.run('pragma synchronous = off')
  const store = openStore(directory, handle)
  const lists = createLists({ ...store, write: atTransactions(store.write, tell), now: () => now })
  try {
    return await use(lists, store)
  } finally {
    await lists.close()
    await store.close()
  }
}

/** Everything that an import writes, including its own tables. */
const contentOf = (handle: Database) => ({
  ...dumpOf(handle),
  imports: handle.query('select id, state, counts, done, total from list_imports').all(),
  rows: handle.query('select number, state, match is null as is_done from list_import_rows').all(),
  changes: handle.query('select table_name, row_id, last_id, before, after from changes').all(),
})

let whole: Readonly<Record<'applied' | 'undone', ReturnType<typeof contentOf>>>
beforeAll(async () => {
  for (const directory of [previewed, applied, undone]) mkdirSync(directory)
  const handle = await openCopy(previewed, seedLibrary)
  handle.close()
  await inStore(previewed, (lists) => readCsv(lists, 1, list))
  cpSync(previewed, applied, { recursive: true })
  const afterApply = await inStore(applied, async (lists, { handle }) => {
    await complete(lists, 'apply')
    return contentOf(handle)
  })
  cpSync(applied, undone, { recursive: true })
  const afterUndo = await inStore(undone, async (lists, { handle }) => {
    await complete(lists, 'undo')
    return contentOf(handle)
  })
  whole = { applied: afterApply, undone: afterUndo }
}, 60_000)

type Act = 'apply' | 'undo'

const begin = (lists: Lists, act: Act) =>
  act === 'apply' ? lists.apply(1, 1, { acceptsProbable: false }) : lists.undo(1, 1)

/** Starts it again where it was killed. */
const expectToGoOn = (act: Act, directory: string) =>
  inStore(directory, async (lists, { handle }) => {
    await lists.resume()
    await lists.settled(1)
    const { state } = await lists.find(1, 1)
    // If killed before the first commit, it had not started.
    if (state === (act === 'apply' ? 'preview' : 'applied')) await complete(lists, act)
    expect(contentOf(handle)).toEqual(act === 'apply' ? whole.applied : whole.undone)
    expect(findDrift(handle)).toEqual([])
  })

async function complete(lists: Lists, act: Act): Promise<void> {
  await begin(lists, act)
  await lists.settled(1)
}

const acts = [
  ['apply', () => previewed],
  ['undo', () => applied],
] as const

const points = 10

test.each(acts)(
  `killed at any of ${points} points, an import continues where it was, and nothing is duplicated or lost: %s`,
  async (act, from) => {
    const directory = join(folder, act)
    const killed = (nth: number) => `${directory}-${nth}`
    cpSync(from(), directory, { recursive: true })
    // A kill leaves the files as they are: writes are in the operating system's memory.
    const copy = (nth: number, moment: Moment) => {
      if (nth <= points && moment === (nth % 5 === 0 ? 'in' : 'after'))
        cpSync(directory, killed(nth), { recursive: true })
    }
    // Makes a transaction end after some fifty rows.
    let time = 0
    const clock = spyOn(performance, 'now').mockImplementation(() => (time += 0.25))
    await inStore(directory, (lists) => complete(lists, act), copy)
    clock.mockRestore()
    for (let nth = 1; nth <= points; nth++) await expectToGoOn(act, killed(nth))
  },
)

test.each(acts.flatMap(([act, from]) => [[act, 3, 'in', from] as const, [act, 4, 'after', from] as const]))(
  'the same goes for a process that is killed: %s, transaction %d, %s it',
  async (act, nth, moment, from) => {
    const directory = join(folder, `process-${act}-${nth}`)
    cpSync(from(), directory, { recursive: true })
    const script = join(import.meta.dir, 'killed-process.ts')
    const args = [directory, act, String(nth), moment, String(now)]
    const child = Bun.spawn([process.execPath, script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
    await child.exited
    expect([await child.stdout.text(), child.signalCode]).toEqual(['', 'SIGKILL'])
    await expectToGoOn(act, directory)
  },
)
