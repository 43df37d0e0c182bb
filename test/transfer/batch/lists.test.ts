import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { findDrift } from '../../../src/catalogue/counters/recount'
import { mostImports, mostPreviews, previewMs } from '../../../src/transfer/batch/limits'
import type { ListImport } from '../../../src/transfer/batch/list-import'
import type { Lists } from '../../../src/transfer/batch/lists'
import { listsOf } from '../../../src/transfer/batch/lists-of'
import { createInstance, type Instance } from '../../support/instance'
import { seedLibrary } from '../../support/seed-library'
import { csvOf, readCsv, undoWhole } from './any-list'
import { dumpOf, listsFolder } from './support'

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
const rowsOf = async ({ id }: ListImport) => (await lists.rows(mio, id, { offset: 0, limit: 50 })).rows
const applied = async ({ id }: ListImport) => {
  await lists.apply(mio, id, { acceptsProbable: false })
  await lists.settled(id)
  return await lists.find(mio, id)
}

test("somebody else's import is not found, whatever the request", async () => {
  const { id } = await read()
  const before = dumpOf(kiroku.store.handle)
  const asked = [
    () => lists.find(ritsu, id),
    () => lists.rows(ritsu, id, { offset: 0, limit: 1 }),
    () => lists.rest(ritsu, id).next(),
    () => lists.setOptions(ritsu, id, { conflict: 'file' }),
    () => lists.decide(ritsu, id, 1, { decision: 'skip' }),
    () => lists.apply(ritsu, id, { acceptsProbable: true }),
    () => lists.undo(ritsu, id),
    () => lists.remove(ritsu, id),
  ]
  for (const one of asked) await expect(one()).rejects.toThrow('not_found')
  expect(await lists.list(ritsu, { offset: 0, limit: 10 })).toEqual({ imports: [], total: 0 })
  expect(dumpOf(kiroku.store.handle)).toEqual(before)
  expect((await lists.find(mio, id)).state).toBe('preview')
})

test('what a state does not allow is refused, naming the state, and changes nothing', async () => {
  const preview = await read()
  await expect(lists.undo(mio, preview.id)).rejects.toThrow('preview')
  await applied(preview)
  for (const one of [
    () => lists.setOptions(mio, preview.id, { conflict: 'file' }),
    () => lists.decide(mio, preview.id, 1, { decision: 'skip' }),
  ])
    await expect(one()).rejects.toThrow('this one is applied')
  await undoWhole(lists, mio, preview.id)
  expect((await lists.undo(mio, preview.id)).state).toBe('undone')
  await expect(lists.apply(mio, preview.id, { acceptsProbable: true })).rejects.toThrow('undone')
})

describe('a decision about a row', () => {
  const unknown = csvOf(['work_id', 'title', 'status', 'progress'], [[77, '知らない作品', 'watching', 1]])

  test('accepts a work, and is refused for an unknown one', async () => {
    const { id, counts } = await read(unknown)
    expect(counts.not_found).toBe(1)
    await expect(lists.decide(mio, id, 1, { workId: 999_999 })).rejects.toThrow('work_id')
    await expect(lists.decide(mio, id, 1, { workId: 9 })).rejects.toThrow('work_id')
    await expect(lists.decide(mio, id, 2, { workId: 6 })).rejects.toThrow('not_found')
    await expect(lists.decide(mio, id, 1, { decision: 'accept' })).rejects.toThrow('work_id')
    const row = await lists.decide(mio, id, 1, { workId: 6 })
    expect(row).toMatchObject({ state: 'new', workId: 6, shown: { matchedBy: 'choice', added: 1 } })
    expect((await lists.find(mio, id)).counts).toMatchObject({ new: 1, not_found: 0 })
    expect((await applied(await lists.find(mio, id))).sums).toEqual({
      records: 1,
      statuses: 1,
      reviews: 0,
      listed: 0,
    })
  })

  test('leaves a row out, until it is included again', async () => {
    const { id } = await read(watched)
    expect(await lists.decide(mio, id, 1, { decision: 'skip' })).toMatchObject({
      ...{ state: 'skipped', reason: 'chosen' },
    })
    const { counts, sums } = await lists.setOptions(mio, id, { conflict: 'file' })
    expect(counts).toMatchObject({ new: 1, skipped: 1, not_found: 1 })
    expect(sums.records).toBe(3)
    const row = await lists.decide(mio, id, 1, { decision: 'accept' })
    expect(row.state).not.toBe('skipped')
    expect((await lists.find(mio, id)).counts.skipped).toBe(0)
  })

  test("adds its offset to the file's numbers once, even if repeated", async () => {
    const counted = csvOf(['work_id', 'title', 'progress'], [[77, '知らない作品', 13]])
    const { id } = await read(counted)
    const offset = async (episodeOffset: number) =>
      (await lists.decide(mio, id, 1, { workId: 6, episodeOffset })).shown.added
    expect([await offset(-12), await offset(-11), await offset(-12)]).toEqual([1, 2, 1])
  })
})

test("a choice is stored for the source's id: other rows and later files follow it", async () => {
  const mal = (id: number) =>
    `<anime><series_animedb_id>${id}</series_animedb_id><series_title>${id}</series_title>` +
    '<my_watched_episodes>1</my_watched_episodes><my_status>Watching</my_status></anime>'
  const file = `<?xml version="1.0"?><myanimelist><myinfo><user_export_type>1</user_export_type></myinfo>${mal(501)}${mal(502)}${mal(501)}</myanimelist>`
  const { id, counts } = await read(file)
  expect(counts.not_found).toBe(3)
  await lists.decide(mio, id, 1, { workId: 6 })
  expect((await rowsOf(await lists.find(mio, id))).map(({ workId }) => workId)).toEqual([6, null, 6])
  const later = await read(file)
  expect((await rowsOf(later)).map(({ workId, state }) => [workId, state])).toEqual([
    [6, 'new'],
    [null, 'not_found'],
    [6, 'skipped'],
  ])
  expect((await read(file, ritsu)).counts.not_found).toBe(3)
})

test('other options plan every row again; a scale that does not fit the scores is refused', async () => {
  const scored = csvOf(
    ['work_id', 'title', 'rating'],
    [
      [6, '100点の恋', '4'],
      [5, '100%の恋', '3'],
    ],
  )
  const preview = await read(scored)
  expect(preview.asks).toEqual([{ name: 'score_format', options: ['POINT_5', 'POINT_10', 'POINT_100'] }])
  await expect(lists.apply(mio, preview.id, { acceptsProbable: false })).rejects.toThrow('score_format')
  await expect(lists.setOptions(mio, preview.id, { scoreFormat: 'POINT_3' })).rejects.toThrow('score_format')
  const five = await lists.setOptions(mio, preview.id, { scoreFormat: 'POINT_5' })
  expect(five).toMatchObject({ asks: [], scoreFormat: 'POINT_5', sums: { reviews: 2 } })
  const ratings = async () => (await rowsOf(preview)).map(({ shown }) => shown.rating)
  expect(await ratings()).toEqual(['good', 'average'])
  await lists.setOptions(mio, preview.id, { scoreFormat: 'POINT_100' })
  expect(await ratings()).toEqual(['bad', 'bad'])
})

test('the rest is offered as CSV that can be completed and uploaded again', async () => {
  const preview = await read(`${watched}"","=cmd()","watching","5",""\n`)
  await applied(preview)
  const rest = (await Array.fromAsync(lists.rest(mio, preview.id))).join('')
  expect(rest).toContain('知らない作品')
  expect(rest).toContain("'=cmd()")
  expect(rest).not.toContain('星降る庭')
  const again = await read(rest)
  expect(again.counts).toMatchObject({ not_found: 2 })
  expect((await rowsOf(again))[0]).toMatchObject({ title: '知らない作品' })
})

test('of two imports of one user, the second waits', async () => {
  const [one, other, third] = [await read(), await read(watched, ritsu), await read()]
  const begun = await Promise.all([
    lists.apply(mio, one.id, { acceptsProbable: false }),
    lists.apply(ritsu, other.id, { acceptsProbable: false }),
    lists.apply(mio, third.id, { acceptsProbable: false }),
  ])
  expect(begun.map(({ isWaiting }) => isWaiting)).toEqual([false, false, true])
  for (const { id } of begun) await lists.settled(id)
  expect(rows('select state from list_imports')).toEqual([
    { state: 'applied' },
    { state: 'applied' },
    { state: 'applied' },
  ])
  expect(findDrift(kiroku.store.handle)).toEqual([])
})

test('an untouched preview expires after seven days, with its rows', async () => {
  const [old, fresh] = [await read(), await read()]
  kiroku.clock.now += previewMs
  await lists.setOptions(mio, fresh.id, { conflict: 'file' })
  kiroku.clock.now += 1
  await lists.resume()
  expect([(await lists.find(mio, old.id)).state, (await lists.find(mio, fresh.id)).state]).toEqual([
    'expired',
    'preview',
  ])
  expect(rows(`select 1 from list_import_rows where import_id = ${old.id}`)).toEqual([])
  await expect(lists.apply(mio, old.id, { acceptsProbable: false })).rejects.toThrow('expired')
})

test('what one user can store is bounded: old previews expire, and useless history is deleted', async () => {
  const one = csvOf(columns, [[6, '100点の恋', 'watching', 1, '']])
  for (let n = 0; n < mostPreviews + 3; n++) await read(one)
  const states = () =>
    rows<{ state: string; n: number }>('select state, count(*) as n from list_imports group by state')
  expect(states()).toEqual([
    { state: 'expired', n: 3 },
    { state: 'preview', n: mostPreviews },
  ])
  expect(rows('select 1 from list_import_rows')).toHaveLength(mostPreviews)
  kiroku.store.handle.run(`
    with recursive n (n) as (select 1 union all select n + 1 from n where n < ${mostImports})
    insert into list_imports (user_id, source, file_name, state, time_zone, created_at, changed_at)
    select 1, 'csv', '', 'undone', 'UTC', 0, 0 from n`)
  await read(one)
  expect((await lists.list(mio, { offset: 0, limit: 1 })).total).toBe(mostImports)
  kiroku.store.handle.run("update list_imports set state = 'applied' where state <> 'preview'")
  await expect(read(one)).rejects.toThrow('delete some from the history first')
  expect((await read(one, ritsu)).state).toBe('preview')
})

test('an unreadable file leaves nothing', async () => {
  await expect(read('')).rejects.toThrow('empty')
  const path = join(listsFolder, 'bad/truncated.xml.gz')
  await expect(lists.read(mio, { path, name: '' }, {})).rejects.toThrow('truncated')
  expect(rows('select 1 from list_imports')).toEqual([])
  expect(rows('select 1 from list_import_rows')).toEqual([])
})

test('a deleted import keeps what it added, and nothing of itself', async () => {
  const preview = await read()
  await applied(preview)
  const after = dumpOf(kiroku.store.handle)
  await lists.remove(mio, preview.id)
  await expect(lists.find(mio, preview.id)).rejects.toThrow('not_found')
  await lists.settled(preview.id)
  expect(dumpOf(kiroku.store.handle)).toEqual(after)
  for (const table of ['list_imports', 'list_import_rows', 'changes'])
    expect(rows(`select 1 from ${table}`)).toEqual([])
})
