import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { databasePath, openHandle, openStore, type Store } from '../../src/db/open'
import type { Tx } from '../../src/db/write'
import { openCopy } from '../support/database-copy'
import { type Directory, temporaryDirectory } from '../support/kiroku'

let directory: Directory
let store: Store
let statements: string[]

beforeEach(async () => {
  directory = temporaryDirectory()
  const handle = await openCopy(directory.path)
  store = openStore(directory.path, handle)
  statements = []
  const { run } = handle
  handle.run = ((sql: string, ...values: []) => {
    statements.push(sql)
    return run.call(handle, sql, ...values)
  }) as typeof run
})

afterEach(async () => {
  await store.close()
  directory[Symbol.dispose]()
})

const add = (name: string) => (tx: Tx) => tx.insertInto('instance').values({ name, value: 'x' }).execute()

/** The names that another process would find in the file now. */
function onDisk(): string[] {
  using other = new Database(databasePath(directory.path), { readonly: true })
  const rows = other
    .query<{ name: string }, []>("select name from instance where value = 'x' order by name")
    .all()
  return rows.map(({ name }) => name)
}

const commits = () => statements.filter((sql) => sql === 'commit').length

test('D43: a write that has resolved is committed, for every reader', async () => {
  await store.write(add('a'))
  expect(onDisk()).toEqual(['a'])
  const seen = await store.read.selectFrom('instance').select('name').where('name', '=', 'a').execute()
  expect(seen).toHaveLength(1)
})

test('a read on the writer’s connection sees what was committed, and nothing of a write in progress', async () => {
  const names = async () => {
    const rows = await store
      .warmRead()
      .selectFrom('instance')
      .select('name')
      .where('value', '=', 'x')
      .orderBy('name')
      .execute()
    return rows.map(({ name }) => name)
  }
  await store.write(add('a'))
  expect(await names()).toEqual(['a'])
  const meanwhile = await store.write(async (tx) => {
    await add('b')(tx)
    return names()
  })
  expect(meanwhile).toEqual(['a'])
  expect(await names()).toEqual(['a', 'b'])
})

test('writes requested together share one transaction and one flush', async () => {
  const names = Array.from({ length: 50 }, (_, index) => `n${String(index).padStart(2, '0')}`)
  await Promise.all(names.map((name) => store.write(add(name))))
  expect(onDisk()).toEqual(names)
  expect(commits()).toBe(1)
})

test('writes of requests that arrive one after another in one turn of the event loop share a group too', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `n${String(index).padStart(2, '0')}`)
  const asked = names.map((name) => {
    // As the server receives requests: the effects of one are done before the next is received.
    return new Promise<void>((resolve) => setImmediate(() => resolve(store.write(add(name)).then(() => {}))))
  })
  await Promise.all(asked)
  expect(onDisk()).toEqual(names)
  expect(commits()).toBe(1)
})

test('writes that arrive turn after turn share a group, but the first does not wait for them endlessly', async () => {
  const asked: Promise<unknown>[] = []
  const ask = () => {
    // The next one is received before the writer checks again.
    if (asked.length < 49) setImmediate(ask)
    asked.push(store.write(add(`n${asked.length}`)))
  }
  ask()
  await asked[0]
  expect(onDisk().length).toBeGreaterThan(2)
  expect(asked.length).toBeLessThan(50)
  expect(commits()).toBe(1)
  while (asked.length < 50) await new Promise((resolve) => setImmediate(resolve))
  await Promise.all(asked)
  expect(onDisk()).toHaveLength(50)
})

test('a lone writer soon waits for nobody, and further ones soon share a group again', async () => {
  for (let n = 0; n < 8; n++) await store.write(add(`a${n}`))
  const turns = spyOn(globalThis, 'setImmediate')
  for (let n = 0; n < 15; n++) await store.write(add(`b${n}`))
  expect(turns.mock.calls.length).toBeLessThan(5)
  turns.mockRestore()
  statements = []
  for (let round = 0; round < 20; round++) {
    const asked = Array.from(
      { length: 10 },
      (_, n) =>
        new Promise<void>((resolve) =>
          setImmediate(() => resolve(store.write(add(`c${round}.${n}`)).then(() => {}))),
        ),
    )
    await Promise.all(asked)
  }
  expect(commits()).toBeLessThan(40)
})

test('writes requested while a group is in progress come next, together', async () => {
  const first = store.write(add('a'))
  await Promise.resolve()
  const second = store.write(async (tx) => {
    await add('b')(tx)
    for (const name of ['c', 'd']) later.push(store.write(add(name)))
  })
  const later: Promise<unknown>[] = []
  await Promise.all([first, second])
  await Promise.all(later)
  expect(onDisk()).toEqual(['a', 'b', 'c', 'd'])
  expect(commits()).toBeLessThanOrEqual(3)
})

test('a failing member is rolled back alone and rejects alone', async () => {
  const settled = await Promise.allSettled([
    store.write(add('a')),
    store.write(async (tx) => {
      await add('half')(tx)
      throw new Error('refused')
    }),
    store.write(add('a')),
    store.write(add('b')),
  ])
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
  expect(onDisk()).toEqual(['a', 'b'])
  expect(commits()).toBe(1)
})

test('D43: nobody learns of success before the commit, or of anything else if the commit fails', async () => {
  const told: string[] = []
  const { run } = store.handle
  store.handle.run = ((sql: string) => {
    if (sql === 'commit') throw new Error('the disk is full')
    return run.call(store.handle, sql)
  }) as typeof run
  const writes = ['a', 'b'].map((name) =>
    store.write(add(name)).then(
      () => told.push(name),
      (cause) => told.push(String(cause)),
    ),
  )
  await Promise.all(writes)
  store.handle.run = run
  expect(told).toEqual(['Error: the disk is full', 'Error: the disk is full'])
  expect(onDisk()).toEqual([])
  await store.write(add('c'))
  expect(onDisk()).toEqual(['c'])
})

test('a write waits for another process that holds the database, while reads continue', async () => {
  using other = new Database(databasePath(directory.path))
  other.run('begin immediate')
  other.run("insert into instance (name, value) values ('theirs', 'x')")
  const mine = store.write(add('mine'))
  const before = await store.read.selectFrom('instance').select('name').where('value', '=', 'x').execute()
  expect(before).toEqual([])
  other.run('commit')
  await mine
  expect(onDisk()).toEqual(['mine', 'theirs'])
})

test('closing waits for queued writes', async () => {
  const queued = ['a', 'b'].map((name) => store.write(add(name)))
  await store.close()
  await Promise.all(queued)
  expect(onDisk()).toEqual(['a', 'b'])
  store = openStore(directory.path, openHandle(directory.path))
})

test('a read connection cannot write', () => {
  const insert = store.read as unknown as Tx
  expect(add('a')(insert)).rejects.toThrow()
})
