import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { createLists } from '../../../src/transfer/batch/create-lists'
import type { Lists } from '../../../src/transfer/batch/lists'
import { listsOf } from '../../../src/transfer/batch/lists-of'
import { Runner } from '../../../src/transfer/batch/runner'
import { createInstance, type Instance } from '../../support/instance'
import { seedLibrary } from '../../support/seed-library'
import { csvOf, readCsv } from './any-list'

const [mio, ritsu] = [1, 2]
let kiroku: Instance
let lists: Lists
beforeEach(async () => {
  kiroku = await createInstance({ seed: seedLibrary })
  lists = listsOf(kiroku.deps)
})
afterEach(async () => {
  await lists.close()
  await kiroku.close()
})

const rows = <T = Record<string, unknown>>(sql: string) => kiroku.store.handle.query<T, []>(sql).all()
const columns = ['work_id', 'title', 'status', 'progress', 'rating']
const watched = csvOf(columns, [
  [1, '星降る庭', 'watched', 2, 'great'],
  [6, '100点の恋', 'watching', 3, ''],
  [77, '知らない作品', 'watched', 1, ''],
])
const read = (csv = watched, userId = mio) => readCsv(lists, userId, csv)

test('what the file said of applied rows is forgotten, of those left over it is kept for their file', async () => {
  const { id } = await read()
  const matches = () =>
    rows<{ number: number; match: string | null }>(
      `select number, match from list_import_rows where import_id = ${id} order by number`,
    ).map(({ number, match }) => [number, match === null ? null : match.includes('"title"')])
  expect(matches()).toEqual([
    [1, true],
    [2, true],
    [3, true],
  ])
  await lists.apply(mio, id, { acceptsProbable: false })
  await lists.settled(id)
  expect(matches()).toEqual([
    [1, null],
    [2, null],
    [3, true],
  ])
})

test('at most two files are read at a time, of whomever; the others wait and are read too', async () => {
  const { deps } = kiroku
  let most = 0
  const counting = {
    ...deps,
    write: async (change: Parameters<typeof deps.write>[0]) => {
      const result = await deps.write(change)
      const [{ reading = 0 } = {}] = rows<{ reading: number }>(
        "select count(*) as reading from list_imports where state = 'reading'",
      )
      most = Math.max(most, reading)
      return result
    },
  }
  const busy = createLists(counting as typeof deps)
  const long = csvOf(
    columns,
    Array.from({ length: 300 }, (_, at) => [1000 + at, `作品${at}`, 'watched', 1, '']),
  )
  await Promise.all([mio, ritsu, 4, ritsu].map((user) => readCsv(busy, user, long)))
  expect(most).toBe(2)
  expect(rows("select id from list_imports where state = 'preview'")).toHaveLength(4)
  await busy.close()
})

test('a busy database delays an import, and does not fail it: the next start goes on with it', async () => {
  const { id } = await read()
  kiroku.store.handle.run(`update list_imports set state = 'applying' where id = ${id}`)
  const state = () =>
    rows<{ state: string; error: string | null }>(`select state, error from list_imports where id = ${id}`)
  const { promise: waits, resolve } = Promise.withResolvers<void>()
  const deps = { ...kiroku.deps, log: (event: string) => event === 'list_waits' && resolve() }
  const runner = new Runner(deps, async () => {
    // Two connections of their own, as the server's may be in a transaction.
    const path = join(kiroku.deps.config.data, 'kiroku.db')
    using holder = new Database(path)
    using other = new Database(path)
    holder.run('begin immediate')
    other.run('begin immediate')
  })
  runner.start(id, mio)
  await Promise.race([waits, runner.settled(id)])
  await runner.stop()
  expect(state()).toEqual([{ state: 'applying', error: null }])
  await lists.resume()
  await lists.settled(id)
  expect(state()).toEqual([{ state: 'applied', error: null }])
  expect((await lists.find(mio, id)).counts.new).toBeGreaterThan(0)
})
