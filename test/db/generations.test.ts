import { Database } from 'bun:sqlite'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { Generations } from '../../src/db/generations/generations'
import type { Tables } from '../../src/db/generations/statement-tables'
import { pausingRunner } from '../../src/db/in-pieces'
import { databasePath, openStore, type Store } from '../../src/db/open'
import type { Tx } from '../../src/db/write'
import { anyChange } from '../support/any-change'
import { openCopy } from '../support/database-copy'
import { createInstance } from '../support/instance'
import { type Directory, temporaryDirectory } from '../support/kiroku'
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
    const tracked = store.trackedRead()
    await read(tracked.read)
    return tracked.tables()
  }

  test('collects the tables of its statements: from rows, indexes, counts and views', async () => {
    const title = await readBy((read) => read.selectFrom('works').select('title').execute())
    expect(title).toEqual(['works'])
    const indexed = await readBy((read) =>
      read.selectFrom('records').select('id').where('episode_id', '=', 1).execute(),
    )
    expect(indexed).toEqual(['records'])
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
    const [one, two] = [store.trackedRead(), store.trackedRead()]
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

/** Remembers what each commit touched. */
class Remembering extends Generations {
  touched = new Set<string>()

  override committed(tables: Tables): void {
    super.committed(tables)
    for (const table of tables === 'any' ? ['any'] : tables) this.touched.add(table)
  }
}

const remembering: Remembering[] = []
const kiroku = await createInstance({
  seed: seedLibrary,
  generations: (handle) => {
    remembering.push(new Remembering(handle))
    return remembering[0] as Remembering
  },
})
afterAll(kiroku.close)

/** Temporary triggers note each changed row's table, whoever changes it on this connection. */
function noteChanges({ handle }: Store): () => string[] {
  handle.run('create temp table noted (name text)')
  const ordinary = handle
    .query<{ name: string }, []>(
      `select name from sqlite_schema where type = 'table' and rootpage > 0
       and name not like 'sqlite%' and name not like '%\\_search\\_%' escape '\\'`,
    )
    .all()
  for (const { name } of ordinary)
    for (const change of ['insert', 'update', 'delete'])
      handle.run(`create temp trigger note_${name}_${change} after ${change} on main.${name}
        begin insert into noted values ('${name}'); end`)
  return () => {
    const names = handle.query<{ name: string }, []>('select distinct name from noted').all()
    handle.run('delete from noted')
    return names.map(({ name }) => name)
  }
}

test('the tables that statements touch include all whose rows they change', async () => {
  const changed = noteChanges(kiroku.store)
  const change = await anyChange(kiroku)
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(change, async (one) => {
      changed()
      remembering[0]?.touched.clear()
      await one()
      const touched = remembering[0]?.touched ?? new Set()
      const missing = changed().filter((table) => {
        seen.add(table)
        return !touched.has(table)
      })
      expect(touched.has('any') ? [] : missing).toEqual([])
    }),
    { numRuns: 250 },
  )
  const often = ['records', 'reviews', 'activities', 'works', 'acts', 'episodes']
  expect([...seen]).toEqual(expect.arrayContaining(often))
}, 120_000)
