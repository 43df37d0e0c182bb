import { afterEach, beforeEach, expect, test } from 'bun:test'
import { beginDeletion, finishDeletion } from '../../../src/accounts/account/deletion'
import { findDrift } from '../../../src/catalogue/counters/recount'
import { findKind } from '../../../src/catalogue/import/kinds/kinds'
import { mergeRows } from '../../../src/catalogue/import/merge/rows'
import { openHandle, openStore } from '../../../src/db/open'
import { deleteRecord, editRecord } from '../../../src/library/acts/own-record-acts'
import { recordEpisode } from '../../../src/library/acts/record-acts'
import { chooseStatus } from '../../../src/library/acts/work-acts'
import { createLists } from '../../../src/transfer/batch/create-lists'
import type { Lists } from '../../../src/transfer/batch/lists'
import { listsOf } from '../../../src/transfer/batch/lists-of'
import { createInstance, type Instance } from '../../support/instance'
import { personOf } from '../../support/people'
import { seedLibrary } from '../../support/seed-library'
import { until } from '../../support/until'
import { csvOf, readCsv, takeOver, undoWhole } from './any-list'
import { dumpOf } from './support'

const [mio, ritsu] = [1, 2]
let kiroku: Instance
let lists: Lists
beforeEach(async () => {
  kiroku = await createInstance({ seed: seedLibrary })
  lists = listsOf(kiroku.deps)
})
afterEach(async () => {
  expect(findDrift(kiroku.store.handle)).toEqual([])
  expect(kiroku.store.handle.query('pragma foreign_key_check').all()).toEqual([])
  await lists.close()
  await kiroku.close()
})

type Cells = Readonly<Record<string, unknown>>
const rows = (sql: string) => kiroku.store.handle.query<Cells, []>(sql).all()
const columns = ['work_id', 'title', 'status', 'progress', 'rating', 'comment']
const take = (entries: readonly (readonly (string | number)[])[], userId = mio) => {
  kiroku.clock.now += 1000
  return takeOver(lists, userId, { csv: csvOf(columns, entries), conflict: 'file' })
}
const ownRecords = () =>
  rows('select id, episode_id as episode from records where user_id = 1 and work_id = 6')
const episodesOf6 = () => rows('select id from episodes where work_id = 6').length

test('what was edited, liked or set since stays, and the reason is given', async () => {
  const { deps, clock } = kiroku
  const id = await take([
    [6, '100点の恋', 'watching', 4, '', ''],
    [5, '100%の恋', 'watched', '', 'good', 'よかった'],
  ])
  clock.now += 1000
  const [first, second] = ownRecords()
  await editRecord(deps, mio, { recordId: Number(first?.id), comment: 'あとで' })
  const azusa = await personOf(kiroku, 'azusa')
  await azusa.done('POST', '/v1/me/likes', { record_id: second?.id })
  const [review] = rows('select id from reviews where work_id = 5 and user_id = 1')
  await azusa.done('POST', '/v1/me/likes', { review_id: review?.id })
  await chooseStatus(deps, mio, { workId: 6, kind: 'on_hold' })
  await undoWhole(lists, mio, id)
  const { left, state } = await lists.find(mio, id)
  expect(state).toBe('undone')
  expect(left.map(({ kind, id: row, why }) => [kind, row, why]).sort()).toEqual(
    [
      ['episode', expect.any(Number), 'used'],
      ['episode', expect.any(Number), 'used'],
      ['record', first?.id, 'changed'],
      ['record', second?.id, 'used'],
      ['review', review?.id, 'used'],
      ['status', 6, 'changed'],
    ].sort(),
  )
  expect(ownRecords()).toHaveLength(2)
  expect(rows('select kind from statuses where user_id = 1 and work_id = 6')).toEqual([{ kind: 'on_hold' }])
})

test('a review that an import changed stays if somebody has liked it since, and changes back if they did before', async () => {
  const { clock } = kiroku
  const [own, azusa] = [await personOf(kiroku, 'mio'), await personOf(kiroku, 'azusa')]
  for (const work_id of [5, 6]) await own.done('POST', '/v1/me/reviews', { work_id, body: '前から' })
  const idOf = (work: number) => rows(`select id from reviews where work_id = ${work} and user_id = 1`)[0]?.id
  await azusa.done('POST', '/v1/me/likes', { review_id: idOf(6) })
  const id = await take([
    [5, '100%の恋', '', '', '', 'よかった'],
    [6, '100点の恋', '', '', '', 'よかった'],
  ])
  clock.now += 1000
  await azusa.done('POST', '/v1/me/likes', { review_id: idOf(5) })
  await undoWhole(lists, mio, id)
  expect((await lists.find(mio, id)).left).toMatchObject([{ kind: 'review', id: idOf(5), why: 'used' }])
  expect(
    rows('select work_id, body from reviews where user_id = 1 and work_id in (5, 6) order by work_id'),
  ).toEqual([
    { work_id: 5, body: 'よかった' },
    { work_id: 6, body: '前から' },
  ])
})

test('a list that an undo could not shorten shrinks when its last record is deleted', async () => {
  const id = await take([[6, '100点の恋', 'watching', 5, '', '']])
  expect(episodesOf6()).toBe(5)
  const episodes = rows('select id from episodes where work_id = 6 order by sort_number')
  const third = Number(episodes[2]?.id)
  const act = await recordEpisode(kiroku.deps, ritsu, { episodeId: third })
  await undoWhole(lists, mio, id)
  expect(episodesOf6()).toBe(3)
  expect((await lists.find(mio, id)).left).toHaveLength(3)
  const [record] = rows(`select id from records where user_id = ${ritsu} and episode_id = ${third}`)
  await deleteRecord(kiroku.deps, ritsu, { recordId: Number(record?.id) })
  expect(act.episodeId).toBe(third)
  expect(episodesOf6()).toBe(0)
  expect((await lists.find(mio, id)).left).toEqual([])
})

test('undoing an import whose status a later one replaced leaves it; undoing that one restores what was before both', async () => {
  const before = dumpOf(kiroku.store.handle)
  const status = () => rows('select kind from statuses where user_id = 1 and work_id = 6')[0]?.kind
  const ids = [
    await take([[6, '100点の恋', 'wanna_watch', '', '', '']]),
    await take([[6, '100点の恋', 'watching', '', '', '']]),
    await take([[6, '100点の恋', 'on_hold', '', '', '']]),
  ] as const
  await undoWhole(lists, mio, ids[1])
  expect(status()).toBe('on_hold')
  expect((await lists.find(mio, ids[1])).left).toMatchObject([{ kind: 'status', workId: 6 }])
  await undoWhole(lists, mio, ids[0])
  expect(status()).toBe('on_hold')
  await undoWhole(lists, mio, ids[2])
  expect(status()).toBe(undefined)
  expect(dumpOf(kiroku.store.handle)).toEqual(before)
  for (const id of ids) expect((await lists.find(mio, id)).left).toEqual([])
})

test('an import of works merged since is undone on the survivor (D67)', async () => {
  const id = await take([
    [6, '100点の恋', 'watching', 2, 'good', 'みた'],
    [1, '星降る庭', 'on_hold', '', '', ''],
  ])
  const kind = findKind('work')
  if (kind === undefined) throw new Error('there is no kind work')
  for (const _ of mergeRows(kiroku.store.handle, kind, { from: 6, to: 5 }));
  await undoWhole(lists, mio, id)
  expect((await lists.find(mio, id)).left).toEqual([])
  expect(rows('select 1 from records where user_id = 1 and work_id in (5, 6)')).toEqual([])
  expect(rows('select 1 from reviews where user_id = 1 and work_id in (5, 6)')).toEqual([])
  expect(rows('select 1 from statuses where user_id = 1 and work_id in (5, 6)')).toEqual([])
  expect(rows('select 1 from episodes where work_id in (5, 6)')).toEqual([])
})

test('a work merged or hidden before an import is applied counts as it is then', async () => {
  const csv = csvOf(columns, [
    [6, '100点の恋', 'watching', 1, '', ''],
    [2, 'ガラスの汽車', 'watched', 1, '', ''],
  ])
  const { id } = await readCsv(lists, ritsu, csv, {})
  const kind = findKind('work')
  if (kind === undefined) throw new Error('there is no kind work')
  for (const _ of mergeRows(kiroku.store.handle, kind, { from: 6, to: 5 }));
  kiroku.store.handle.run('update works set hidden = 1 where id = 2')
  await lists.apply(ritsu, id, { acceptsProbable: false })
  await lists.settled(id)
  const { state, counts } = await lists.find(ritsu, id)
  expect([state, counts.new, counts.not_found]).toEqual(['applied', 1, 1])
  expect(
    rows(`select work_id from statuses where user_id = ${ritsu} and work_id in (2, 5, 6)`),
  ).toContainEqual({
    work_id: 5,
  })
})

test('an import cancelled while being applied is undone', async () => {
  const before = dumpOf(kiroku.store.handle)
  const csv = csvOf(columns, [
    [6, '100点の恋', 'watching', 700, '', ''],
    [5, '100%の恋', 'watching', 700, '', ''],
  ])
  const { id } = await readCsv(lists, mio, csv)
  await lists.apply(mio, id, { acceptsProbable: false })
  await until(async () => (await lists.find(mio, id)).progress.done > 0)
  expect((await lists.undo(mio, id)).state).toBe('undoing')
  await lists.settled(id)
  expect(await lists.find(mio, id)).toMatchObject({ state: 'undone', left: [], appliedAt: null })
  expect(dumpOf(kiroku.store.handle)).toEqual(before)
})

test('two processes that apply and undo one import duplicate and lose nothing', async () => {
  const { deps } = kiroku
  const other = openStore(deps.config.data, openHandle(deps.config.data))
  const beside = createLists({ ...other, now: deps.now })
  try {
    const before = dumpOf(kiroku.store.handle)
    const csv = csvOf(columns, [
      [6, '100点の恋', 'watching', 600, 'good', ''],
      [5, '100%の恋', 'watched', 300, '', ''],
    ])
    const { id } = await readCsv(lists, mio, csv)
    await lists.apply(mio, id, { acceptsProbable: false })
    await beside.resume()
    await Promise.all([lists.settled(id), beside.settled(id)])
    expect((await lists.find(mio, id)).state).toBe('applied')
    expect(
      rows('select work_id, count(*) as n from records where user_id = 1 and work_id in (5, 6) group by 1'),
    ).toEqual([
      { work_id: 5, n: 300 },
      { work_id: 6, n: 600 },
    ])
    await beside.undo(mio, id)
    await lists.resume()
    await Promise.all([lists.settled(id), beside.settled(id)])
    expect(dumpOf(kiroku.store.handle)).toEqual(before)
  } finally {
    await beside.close()
    await other.close()
  }
})

test('an account deleted while its import is being applied takes everything with it', async () => {
  const { deps } = kiroku
  const csv = csvOf(columns, [[6, '100点の恋', 'watching', 900, 'good', '']])
  const { id } = await readCsv(lists, ritsu, csv)
  const kept = await readCsv(lists, mio, csv)
  await lists.apply(ritsu, id, { acceptsProbable: false })
  await beginDeletion(deps, { userId: ritsu, keepsComments: false })
  await finishDeletion(deps, ritsu)
  await lists.settled(id)
  expect(rows('select id from list_imports')).toEqual([{ id: kept.id }])
  expect(rows('select distinct import_id from list_import_rows')).toEqual([{ import_id: kept.id }])
  expect(rows('select 1 from changes')).toEqual([])
  expect(rows(`select 1 from records where user_id = ${ritsu}`)).toEqual([])
})
