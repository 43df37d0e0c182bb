import type { Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { exportUser } from '../../../src/accounts/export/export'
import { importCatalogue } from '../../../src/catalogue/import/import-catalogue'
import type { Store } from '../../../src/db/open'
import { makeCommunity } from '../../../src/demo/make-community'
import { ApiError } from '../../../src/http/errors'
import { listsOf } from '../../../src/transfer/batch/lists-of'
import { anyAct } from '../../support/any-act'
import { bytesOf, episode, textOf, work } from '../../support/catalogue-store'
import { comparable, doubledIn } from '../../support/comparable-export'
import { checkCounters } from '../../support/counted'
import { createInstance, type Instance, start } from '../../support/instance'
import { fill } from '../../support/seed'
import { dumpOf } from '../batch/support'

const day = 86_400_000

/** Forty works of twelve episodes. */
const catalogue = Array.from({ length: 40 }, (_, at) => at + 1).flatMap((n) => [
  work(`w:${n}`, {
    ...{ ids: { mal: 100 + n }, broadcast: { begin: new Date(start - (30 + n * 9) * day), interval: 'P7D' } },
  }),
  ...Array.from({ length: 12 }, (_, at) => episode(`w:${n}-${at}`, `w:${n}`, at + 1)),
])

const others = Array.from({ length: 7 }, (_, at) => [
  work(`o:${at}`, { ids: { mal: 500 + at } }),
  episode(`o:${at}-1`, `o:${at}`, 1),
]).flat()

/** What `anyAct` acts on: two films, a work with two episodes of one number and two of none, one that may grow. */
const actedOn = (offset: number) => {
  const works = [1, 2, 3, 5, 10].map((id) => ({
    ...{ id: offset + id, title: `庭${id}`, mal_anime_id: String(900 + id) },
    ...(id === 3 || id === 10 ? { media: 'movie', no_episodes: 1 } : { media: 'tv' }),
  }))
  const listed = [
    ['1', 10],
    [null, 15],
    ['2', 20],
    [null, 25],
    ['2', 27],
  ] as const
  return {
    works,
    external_ids: works.map(({ id, mal_anime_id }) => ({
      ...{ kind: 'work', ns: 'mal', external_id: mal_anime_id, local_id: id },
    })),
    episodes: listed.map(([number, sort_number], at) => ({
      ...{ id: offset + ([1, 2, 3, 4, 6][at] ?? 0), work_id: offset + 1, number, sort_number },
    })),
  }
}

const mio = 1

const seedWith = (name: string, rows: readonly object[], offset: number) => async (store: Store) => {
  const { problems } = await importCatalogue(store, bytesOf(textOf(name, rows), 65_536), { now: start - day })
  expect(problems).toEqual([])
  const account = {
    username: 'mio',
    username_key: 'mio',
    email: 'mio@example.com',
    email_key: 'mio@example.com',
  }
  await fill(store, {
    ...actedOn(offset),
    users: [{ id: mio, ...account, name: 'mio', time_zone: 'Asia/Tokyo', password_hash: '', created_at: 0 }],
  })
}

const from = await createInstance({ seed: seedWith('here', catalogue, 0) })
const to = await createInstance({ seed: seedWith('there', [...others, ...catalogue], 50) })
to.clock.now = start + 400 * day
const lists = listsOf(to.deps)
afterAll(async () => {
  await lists.close()
  await Promise.all([from.close(), to.close()])
})

const exported = async (kiroku: Instance, userId: number): Promise<string> =>
  (await Array.fromAsync(exportUser(kiroku.deps, userId))).join('')

/** Exports a library, imports it into the other instance, exports it there, and undoes the import. */
async function moveAndBack(userId: number): Promise<readonly string[]> {
  const text = await exported(from, userId)
  const [path, before] = [join(to.deps.config.data, 'moved.json'), dumpOf(to.store.handle)]
  writeFileSync(path, text)
  const { id, counts } = await lists.read(mio, { path, name: 'moved.json' }, {})
  expect(counts).toMatchObject({ check: 0, not_found: 0, skipped: 0, error: 0, conflict: 0 })
  await lists.apply(mio, id, { acceptsProbable: false })
  await lists.settled(id)
  const doubled = doubledIn(text)
  expect(comparable(await exported(to, mio), doubled)).toEqual(comparable(text, doubled))
  const again = await lists.read(mio, { path, name: 'moved.json' }, {})
  expect(again.counts).toMatchObject({ new: 0, conflict: 0 })
  await lists.remove(mio, again.id)
  checkCounters(to.store.handle)
  const changes = to.store.handle.query<{ table_name: string }, []>('select table_name from changes').all()
  await lists.undo(mio, id)
  await lists.settled(id)
  expect((await lists.find(mio, id)).left).toEqual([])
  expect(dumpOf(to.store.handle)).toEqual(before)
  await lists.remove(mio, id)
  return changes.map(({ table_name }) => table_name)
}

/** What today's pages do not write, but clients and older versions did. */
const oddities: readonly ((handle: Database) => void)[] = [
  (handle) =>
    handle.run(`insert into records (user_id, work_id, episode_id, watched_at, watched_at_precision, lap, created_at)
      select 1, 5, id, ${start}, 'time', 1, ${start} from episodes where work_id = 5 and records_count = 0`),
  ...['records', 'reviews'].flatMap((table) => [
    (handle: Database) =>
      handle.run(`update ${table} set share_twitter = 1 where id % 2 = 0 and user_id = 1`),
    (handle: Database) =>
      handle.run(`update ${table} set share_facebook = 1 where id % 3 = 0 and user_id = 1`),
    // Of every number, also beside another word, and where the word was cleared (D87).
    (handle: Database) =>
      handle.run(`update ${table} set score = 1 + id * 7 % 100 where id % 4 < 3 and user_id = 1`),
  ]),
  (handle) =>
    handle.run("update records set rating = 3.5, rating_state = 'good' where id % 3 = 0 and user_id = 1"),
  (handle) => handle.run('update statuses set rewatches = 2 where work_id % 2 = 0 and user_id = 1'),
  (handle) =>
    handle.run(
      `update statuses set started_on = '2016-03-05', finished_on = '2016-04-01' where work_id % 2 = 1 and user_id = 1`,
    ),
  (handle) =>
    handle.run("update records set watched_at_precision = 'none', watched_at = created_at where id % 5 = 1"),
  ...['day', 'month', 'year'].map(
    (precision) => (handle: Database) =>
      handle.run(
        `update records set watched_at = ${start} - 90000000000, watched_at_precision = '${precision}' where id % 4 = 1`,
      ),
  ),
  (handle) =>
    handle.run(
      "update reviews set rating_music_state = 'bad', rating_story_state = 'great' where user_id = 1",
    ),
]

describe('a library that moves to an instance with other ids', () => {
  test('is the same there, and leaves nothing when the import is undone, whatever its owner did', async () => {
    const changed: string[] = []
    const { handle } = from.store
    const steps = fc.array(
      fc.oneof({ weight: 8, arbitrary: anyAct(() => handle) }, fc.constantFrom(...oddities)),
      { minLength: 50, maxLength: 90 },
    )
    await fc.assert(
      fc.asyncProperty(steps, async (some) => {
        for (const step of some) {
          from.clock.now += 60_000
          if (oddities.includes(step as never)) (step as (handle: Database) => void)(handle)
          else
            await (step as Exclude<typeof step, (handle: Database) => void>)(from.deps, mio).catch(
              (cause) => {
                if (!(cause instanceof ApiError)) throw cause
              },
            )
        }
        changed.push(...(await moveAndBack(mio)))
      }),
      { numRuns: 16, endOnFailure: true },
    )
    const tables = [
      ...['episodes', 'favorites', 'laps', 'library_entries', 'list_works', 'lists', 'notes', 'records'],
      ...['reviews', 'skips', 'statuses'],
    ]
    expect([...new Set(changed)].sort()).toEqual(tables)
  }, 120_000)

  test('so is that of everybody in a community', async () => {
    const made = { users: 15, records: 1200, seed: 14, until: start, force: true, onProgress: () => {} }
    makeCommunity(from.store.handle, made)
    const users = from.store.handle
      .query<{ id: number }, []>(
        'select user_id as id from records group by user_id order by count(*) desc limit 5',
      )
      .all()
    const changed: string[] = []
    for (const { id } of users) changed.push(...(await moveAndBack(id)))
    expect(changed.length).toBeGreaterThan(100)
  }, 120_000)

  test('keeps records of episodes as viewings of a work that is a film there', async () => {
    const { handle } = from.store
    handle.run('delete from records where work_id = 10; delete from reviews where work_id = 10')
    handle.run(
      "insert into episodes (id, work_id, number, sort_number, source_id) values (9000, 10, '1', 10, 1), (9001, 10, '2', 20, 1)",
    )
    handle.run(`insert into records
      (user_id, work_id, episode_id, watched_at, watched_at_precision, comment, rating_state, created_at) values
      (1, 10, 9000, ${start - day}, 'time', 'よかった', 'good', ${start}),
      (1, 10, 9001, ${start}, 'none', '', null, ${start})`)
    const path = join(to.deps.config.data, 'film.json')
    writeFileSync(path, await exported(from, mio))
    const { id } = await lists.read(mio, { path, name: 'film.json' }, {})
    await lists.apply(mio, id, { acceptsProbable: false })
    await lists.settled(id)
    const reviews = () =>
      to.store.handle
        .query(
          `select body, rating_overall_state as rating, watched_at, watched_at_precision as precision, created_at
           from reviews where work_id = 60 order by id`,
        )
        .all() as unknown[]
    const viewings = [
      ...[
        { body: 'よかった', rating: 'good', watched_at: start - day, precision: 'time', created_at: start },
      ],
      ...[{ body: '', rating: null, watched_at: start, precision: 'none', created_at: start }],
    ]
    expect(reviews()).toEqual(viewings)
    const again = await lists.read(mio, { path, name: 'film.json' }, {})
    expect(again.counts).toMatchObject({ new: 0 })
    await lists.undo(mio, id)
    await lists.settled(id)
    expect(reviews()).toEqual([])
  })
})
