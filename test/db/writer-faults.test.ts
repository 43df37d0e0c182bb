import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { databasePath, openHandle, openStore, type Store } from '../../src/db/open'
import { storageFault } from '../../src/db/storage-fault'
import type { Tx } from '../../src/db/write'
import { openCopy } from '../support/database-copy'
import { type Directory, temporaryDirectory } from '../support/kiroku'
import { until } from '../support/until'

let directory: Directory
let data: string
let store: Store

beforeEach(async () => {
  directory = temporaryDirectory()
  data = directory.file('data')
  mkdirSync(data)
  const handle = await openCopy(data)
  store = openStore(data, handle)
})

afterEach(async () => {
  await store.close()
  directory[Symbol.dispose]()
})

const add =
  (name: string, value = 'x') =>
  (tx: Tx) =>
    tx.insertInto('instance').values({ name, value }).execute()

/** More than fits: 4 MB. */
const tooMuch = (tx: Tx) => add('large', 'x'.repeat(4_000_000))(tx)

function fillDisk(): void {
  const [row] = store.handle.query<{ page_count: number }, []>('pragma page_count').all()
  store.handle.run(`pragma max_page_count = ${(row?.page_count ?? 0) + 4}`)
}

const makeRoom = () => store.handle.run('pragma max_page_count = 1000000')

function names(): string[] {
  const rows = store.handle
    .query<{ name: string }, []>(
      "select name from instance where name not in ('kiroku_version', 'instance_id') order by name",
    )
    .all()
  return rows.map(({ name }) => name)
}

/** The outcome of each write: the storage problem, the message of another failure, or `written`. */
const outcomes = (writes: readonly Promise<unknown>[]): Promise<string[]> =>
  Promise.all(
    writes.map((write) =>
      write.then(
        () => 'written',
        (cause) => storageFault(cause)?.problem ?? String(cause),
      ),
    ),
  )

/** Another process that holds the database until it is disposed of. */
function holdDatabase(): Disposable {
  const other = new Database(databasePath(data))
  other.run('begin immediate')
  return { [Symbol.dispose]: () => other.close() }
}

describe('a full disk', () => {
  test('is reported to every member of the group, and writes continue once there is room', async () => {
    fillDisk()
    const group = [add('a'), tooMuch, add('b')].map((change) => store.write(change))
    expect(await outcomes(group)).toEqual(['disk_full', 'disk_full', 'disk_full'])
    expect(await outcomes([store.write(tooMuch)])).toEqual(['disk_full'])
    expect(names()).toEqual([])
    makeRoom()
    expect(await outcomes([store.write(add('c'))])).toEqual(['written'])
    expect(names()).toEqual(['c'])
  })

  test('D43: nothing is kept of a change that continues after SQLite rolled back its transaction', async () => {
    fillDisk()
    const goesOn = async (tx: Tx) => {
      await tooMuch(tx).catch(() => {})
      await add('alone')(tx)
    }
    const atOnce = (tx: Tx) => Promise.all([tooMuch(tx), add('beside')(tx)])
    expect(await outcomes([store.write(goesOn)])).toEqual(['disk_full'])
    expect(await outcomes([store.write(atOnce)])).toEqual(['disk_full'])
    expect(await outcomes([store.write(goesOn), store.write(atOnce)])).toEqual(['disk_full', 'disk_full'])
    expect(names()).toEqual([])
  })
})

test('a rollback that fails stops no later write', async () => {
  const { run } = store.handle
  const failing = new Set(['commit', 'rollback'])
  store.handle.run = ((sql: string) => {
    if (failing.delete(sql)) throw new Error(`no ${sql}`)
    return run.call(store.handle, sql)
  }) as typeof run
  expect(await outcomes([store.write(add('a'))])).toEqual(['Error: no commit'])
  expect(await outcomes([store.write(add('b'))])).toEqual(['written'])
  store.handle.run = run
  expect(names()).toEqual(['b'])
})

describe('a database that another process holds', () => {
  test('each write waits as long as its own patience, even if it came while others were waiting', async () => {
    await store.close()
    store = openStore(data, openHandle(data), { patienceMs: 2000 })
    using _held = holdDatabase()
    const clock = spyOn(performance, 'now').mockReturnValue(0)
    const ended: string[] = []
    const wait = async (name: string) => {
      ended.push(`${name} ${await outcomes([store.write(add(name))])}`)
    }
    const at = async (now: number) => {
      clock.mockReturnValue(now)
      // Each attempt to begin asks the clock.
      const before = clock.mock.calls.length
      await until(() => clock.mock.calls.length > before + 3)
      return ended
    }
    const first = wait('first')
    await at(1000)
    const second = wait('second')
    expect(await at(1999)).toEqual([])
    expect(await at(2000)).toEqual(['first busy'])
    // Waiting for the first one's patience before its own would take until 4000.
    expect(await at(2999)).toEqual(['first busy'])
    clock.mockReturnValue(3000)
    await Promise.all([first, second])
    clock.mockRestore()
    expect(ended).toEqual(['first busy', 'second busy'])
  }, 60_000)

  test('waiting writes are refused when the server stops; a write that need not wait is still done', async () => {
    const held = holdDatabase()
    const waiting = [store.write(add('a')), store.write(add('b'))]
    await new Promise(setImmediate)
    store.storage.stopWaiting()
    expect(await outcomes(waiting)).toEqual(['busy', 'busy'])
    expect(await outcomes([store.write(add('c'))])).toEqual(['busy'])
    held[Symbol.dispose]()
    expect(await outcomes([store.write(add('d'))])).toEqual(['written'])
  }, 60_000)
})

describe('a database file that is not the opened one', () => {
  const path = (end = '') => databasePath(data) + end
  const ways: [string, () => void, () => void][] = [
    ['moved', () => renameSync(path(), path('.old')), () => renameSync(path('.old'), path())],
    [
      'replaced',
      () => {
        renameSync(path(), path('.old'))
        writeFileSync(path(), '')
      },
      () => renameSync(path('.old'), path()),
    ],
    [
      'in a directory that was renamed',
      () => renameSync(data, `${data}2`),
      () => renameSync(`${data}2`, data),
    ],
  ]
  for (const [what, doIt, undoIt] of ways) {
    test(`${what}: nothing is written to it until it is back`, async () => {
      expect(await outcomes([store.write(add('before'))])).toEqual(['written'])
      doIt()
      expect(await outcomes([store.write(add('lost'))])).toEqual(['moved'])
      expect(await outcomes([store.write(add('a')), store.write(add('b'))])).toEqual(['moved', 'moved'])
      expect(
        await store.read.selectFrom('instance').select('name').where('name', '=', 'before').execute(),
      ).toHaveLength(1)
      undoIt()
      expect(await outcomes([store.write(add('after'))])).toEqual(['written'])
      expect(names()).toEqual(['after', 'before'])
    })
  }

  test.each(['-wal', '-shm'])(
    'without its %s: nothing is written a second later, until it is back',
    async (end) => {
      expect(await outcomes([store.write(add('before'))])).toEqual(['written'])
      renameSync(path(end), path('.old'))
      await until(async () => (await outcomes([store.write(elsewhere)]))[0] !== 'written')
      expect(await outcomes([store.write(add('lost'))])).toEqual(['moved'])
      renameSync(path('.old'), path(end))
      expect(await outcomes([store.write(add('after'))])).toEqual(['written'])
      expect(names()).toEqual(['after', 'before'])
    },
  )

  test('deleted: nothing is written, and closing touches nothing in its place', async () => {
    rmSync(data, { recursive: true })
    expect(await outcomes([store.write(add('lost'))])).toEqual(['moved'])
    mkdirSync(data)
    const other = openHandle(data)
    other.run('create table theirs (id integer)')
    await store.close()
    expect(other.query('select count(*) as n from theirs').all()).toEqual([{ n: 0 }])
    other.close()
    store = openStore(data, await openCopy(data))
  })
})

/** A write to another table than `add`. */
const elsewhere = (tx: Tx) =>
  tx.updateTable('sources').set({ priority: 11 }).where('name', '=', 'estimate').execute()

test('a damaged database accepts no more writes', async () => {
  const [{ root = 0 } = {}] = store.handle
    .query<{ root: number }, []>("select rootpage as root from sqlite_schema where name = 'instance'")
    .all()
  store.handle.run('pragma wal_checkpoint(truncate)')
  await store.close()
  const file = Bun.file(databasePath(data))
  const bytes = await file.bytes()
  bytes.fill(0xa5, (root - 1) * 4096, root * 4096)
  await Bun.write(file, bytes)
  store = openStore(data, openHandle(data))
  expect(await outcomes([store.write(add('a'))])).toEqual(['damaged'])
  expect(await outcomes([store.write(elsewhere)])).toEqual(['damaged'])
})
