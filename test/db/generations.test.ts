import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import type { Tables } from '../../src/db/generations/statement-tables'
import { keptReads } from '../../src/db/generations/tracked-read'
import { pausingRunner } from '../../src/db/in-pieces'
import { databasePath, openStore, type Store } from '../../src/db/open'
import type { Tx } from '../../src/db/write'
import { openCopy } from '../support/database-copy'
import { type Directory, temporaryDirectory } from '../support/kiroku'
import { NoticingGenerations } from '../support/noticing-generations'
import { seedLibrary } from '../support/seed-library'
import { until } from '../support/until'

let directory: Directory
let store: Store
let other: Database

beforeEach(async () => {
  directory = temporaryDirectory()
  store = openStore(directory.path, await openCopy(directory.path, seedLibrary))
  other = new Database(databasePath(directory.path))
})

afterEach(async () => {
  other.close()
  await store.close()
  directory[Symbol.dispose]()
})

const tables = () =>
  store.handle
    .query<{ name: string }, []>("select name from sqlite_schema where type = 'table' and rootpage > 0")
    .all()
    .map(({ name }) => name)

/** The tables of which nothing that was read before is current any more. */
async function touchedBy(change: () => Promise<unknown>): Promise<string[]> {
  const at = store.generations.last()
  await change()
  return tables()
    .filter((table) => !store.generations.isCurrent(at, [table]))
    .sort()
}

const byWrite = (change: (tx: Tx) => Promise<unknown>) => touchedBy(() => store.write(change))

const expectEverything = (touched: readonly string[]) => expect(touched).toEqual(tables().sort())

describe('a commit of this process', () => {
  test('touches the tables that its statements, their triggers and foreign keys write, and no other', async () => {
    const touched = await byWrite((tx) => tx.deleteFrom('records').where('id', '=', 1).execute())
    expect(touched).toEqual(expect.arrayContaining(['records', 'likes', 'activities', 'episodes', 'users']))
    expect(touched).not.toContain('statuses')
    const edit = (tx: Tx) => tx.updateTable('tokens').set({ last_used_at: 1 }).where('id', '=', 1).execute()
    expect(await byWrite(edit)).toEqual(['tokens'])
    // A table without foreign keys is emptied at once.
    expect(await byWrite((tx) => tx.deleteFrom('instance').execute())).toEqual(['instance'])
  })

  test('touches what each of the writes that share it touched, also those that failed', async () => {
    const touched = await touchedBy(() =>
      Promise.allSettled([
        store.write((tx) => tx.deleteFrom('skips').execute()),
        store.write((tx) => tx.deleteFrom('laps').execute()),
        store.write(async (tx) => {
          await tx.updateTable('tokens').set({ last_used_at: 1 }).execute()
          throw new Error('no')
        }),
      ]),
    )
    expect(touched).toEqual(['laps', 'skips', 'tokens'])
  })

  test('touches nothing if it only read, or was rolled back', async () => {
    expect(await byWrite((tx) => tx.selectFrom('works').select('id').execute())).toEqual([])
    const failing = async (tx: Tx) => {
      await tx.deleteFrom('laps').execute()
      throw new Error('no')
    }
    expect(await touchedBy(() => store.write(failing).catch(() => {}))).toEqual([])
    expect(await byWrite((tx) => tx.deleteFrom('skips').execute())).toEqual(['skips'])
  })

  test('touches everything if it wrote a virtual table, changed the schema, or wrote in pieces', async () => {
    expectEverything(await byWrite((tx) => sql`delete from users_search where rowid = 1`.execute(tx)))
    expectEverything(await byWrite((tx) => sql`create table more (id integer primary key)`.execute(tx)))
    const piece = () => store.handle.run('delete from skips')
    expectEverything(await touchedBy(() => pausingRunner(store.write)(piece)))
  })

  test('is known before its write is answered, and what was read before is then old', async () => {
    const at = store.generations.last()
    const seen = store
      .write((tx) => tx.deleteFrom('skips').execute())
      .then(() => [store.generations.isCurrent(at, ['skips']), store.generations.isCurrent(at, ['laps'])])
    expect(await seen).toEqual([false, true])
    expect(store.generations.isCurrent(store.generations.last(), ['skips'])).toBe(true)
  })
})

describe('a commit of another process', () => {
  test('touches everything, soon', async () => {
    const at = store.generations.last()
    expect(store.generations.isCurrent(at, ['works'])).toBe(true)
    other.run('update works set title = title where id = 1')
    await until(() => !store.generations.isCurrent(at, ['works']))
    await until(() => !store.generations.isCurrent(at, 'any'))
  })

  test('may move all root pages: later statements are still told apart', async () => {
    expect(await byWrite((tx) => tx.deleteFrom('skips').execute())).toEqual(['skips'])
    const rootPages = () => store.handle.query('select name, rootpage from sqlite_schema').values()
    const before = rootPages()
    other.run('drop table skips')
    other.run('vacuum')
    const unmoved = new Set(before.map(String))
    expect(rootPages().filter((one) => unmoved.has(String(one))).length).toBeLessThan(before.length / 2)
    expect(await byWrite((tx) => tx.updateTable('laps').set({ number: 2 }).execute())).toContain('laps')
    const touched = await byWrite((tx) => tx.updateTable('statuses').set({ kind: 'watched' }).execute())
    expect(touched).toContain('statuses')
    expect(touched).not.toContain('laps')
  })

  test('may change what a known statement writes', async () => {
    const edit = (tx: Tx) => tx.updateTable('laps').set({ number: 2 }).execute()
    await store.write(edit)
    other.run('create trigger laps_more after update on laps begin delete from skips; end')
    // The first write hears of the other process; by the second, everything it did has been told.
    await store.write((tx) => tx.selectFrom('works').select('id').execute())
    expect(await byWrite(edit)).toEqual(['laps', 'skips'])
  })
})

describe('a tracked read', () => {
  const readBy = async (read: (tracked: Store['read']) => Promise<unknown>): Promise<Tables> => {
    store.generations.last()
    const tracked = store.trackedRead('shared', 0)
    await read(tracked.read)
    return tracked.tables()
  }

  test('collects the tables of its statements: from rows, indexes, counts and views', async () => {
    const title = await readBy((read) => read.selectFrom('works').select('title').execute())
    expect(title).toEqual(['works'])
    const indexed = await readBy((read) =>
      read.selectFrom('records').select('id').where('episode_id', '=', 1).execute(),
    )
    // What decides who may see them too.
    expect(indexed).toEqual(['records', 'privacy_moves', 'blocks'])
    expect(await readBy((read) => read.selectFrom('laps').select(sql`count(*)`.as('n')).execute())).toEqual([
      'laps',
    ])
    other.run('create view both_of as select id from laps union all select id from skips')
    const both = await readBy((read) =>
      read
        .selectFrom(sql`both_of`.as('both'))
        .select('id' as never)
        .execute(),
    )
    expect([...both].sort()).toEqual(['laps', 'skips'])
  })

  test('adds up several statements, and shares none with other reads at the same time', async () => {
    const [one, two] = [store.trackedRead('shared', 0), store.trackedRead('shared', 0)]
    await Promise.all([
      one.read.selectFrom('works').select('id').where('title', '=', 'x').execute(),
      two.read.selectFrom('people').select('id').where('name', '=', 'x').execute(),
    ])
    await one.read.selectFrom('laps').select('id').execute()
    expect([one.tables(), two.tables()]).toEqual([['works', 'laps'], ['people']])
  })

  test('follows a view that another process replaces', async () => {
    other.run('create view seen as select id from laps')
    const read = () =>
      readBy((read) =>
        read
          .selectFrom(sql`seen`.as('seen'))
          .select('id' as never)
          .execute(),
      )
    expect(await read()).toEqual(['laps'])
    other.run('begin; drop view seen; create view seen as select id from skips; commit')
    await until(async () => (await read()).includes('skips'))
  })
})

describe('what reads keep', () => {
  const countLaps = (read: Store['read']) =>
    read
      .selectFrom('laps')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()

  test('is read again after a commit that touches its tables, which are those of whoever reads it', async () => {
    const keep = keptReads<{ n: number }>(10)
    let made = 0
    const read = async () => {
      const tracked = store.trackedRead('shared', 0)
      const kept = await keep(tracked.read, 'laps', (own) => {
        made += 1
        return countLaps(own)
      })
      expect(tracked.tables()).toEqual(['laps'])
      return kept.n
    }
    const before = await read()
    expect([await read(), made]).toEqual([before, 1])
    await store.write((tx) => tx.deleteFrom('skips').execute())
    expect([await read(), made]).toEqual([before, 1])
    await store.write((tx) =>
      tx.insertInto('laps').values({ user_id: 1, work_id: 3, number: 9, started_at: 1 }).execute(),
    )
    expect([await read(), made]).toEqual([before + 1, 2])
    expect((await keep(store.read, 'laps', async () => ({ n: -1 }))).n).toBe(-1)
  })

  test('is what was used last, and has no long keys (promise 12)', async () => {
    const keep = keptReads<string>(10)
    const made: string[] = []
    const read = (key: string) =>
      keep(store.trackedRead('shared', 0).read, key, async () => {
        made.push(key.slice(0, 2))
        return key
      })
    for (let n = 10; n < 30; n += 1) await read(`${n}`)
    for (let n = 20; n < 30; n += 1) await read(`${n}`)
    expect(made).toHaveLength(20)
    await read('10')
    for (let turn = 0; turn < 2; turn += 1) await read('x'.repeat(501))
    expect(made.slice(20)).toEqual(['10', 'xx', 'xx'])
  })
})

test('the generations of tests notice what was written on the handle before a write that touches nothing', async () => {
  using own = temporaryDirectory()
  const handle = await openCopy(own.path, seedLibrary)
  const generations = new NoticingGenerations(handle)
  const noticing = openStore(own.path, handle, { generations })
  const at = generations.last()
  handle.run('update works set title = title')
  await noticing.write(async () => {})
  expect(generations.isCurrent(at, ['works'])).toBe(false)
  await noticing.close()
})
