import { afterEach, beforeEach, expect, test } from 'bun:test'
import { findDrift } from '../../src/catalogue/counters/recount'
import { dropEstimates } from '../../src/catalogue/estimate/drop-estimates'
import { findKind } from '../../src/catalogue/import/kinds/kinds'
import { mergeRows } from '../../src/catalogue/import/merge/rows'
import { listActs } from '../../src/library/acts/find-acts'
import { deleteRecord, editRecord } from '../../src/library/acts/own-record-acts'
import { recordEpisode } from '../../src/library/acts/record-acts'
import { setOwnSlot } from '../../src/library/acts/slot-acts'
import { undo } from '../../src/library/acts/undo'
import { chooseStatus, writeNote } from '../../src/library/acts/work-acts'
import { addToList, dropList, makeList } from '../../src/social/lists/list-acts'
import { refusal } from '../support/acts'
import { rowsOf } from '../support/counted'
import { createInstance, type Instance } from '../support/instance'
import { seedLibrary } from '../support/seed-library'

let kiroku: Instance
const mio = 1
beforeEach(async () => {
  kiroku = await createInstance({ seed: seedLibrary })
})
afterEach(async () => {
  expect(findDrift(kiroku.store.handle)).toEqual([])
  expect(kiroku.store.handle.query('pragma foreign_key_check').all()).toEqual([])
  await kiroku.close()
})

const rows = (table: string) => rowsOf(kiroku.store.handle, table)
const undoes = (actId: number) => undo(kiroku.deps, mio, { actId })

/** Merges work 1 into work 2. */
function merge(): void {
  const kind = findKind('work')
  if (kind === undefined) throw new Error('there is no kind work')
  for (const _ of mergeRows(kiroku.store.handle, kind, { from: 1, to: 2 }));
}

test('acts on a merged work are listed with the survivor, and undone on it (D67)', async () => {
  const { deps } = kiroku
  const edited = await editRecord(deps, mio, { recordId: 1, comment: '直した' })
  const gone = await deleteRecord(deps, mio, { recordId: 1 })
  const made = await recordEpisode(deps, mio, { episodeId: 2 })
  const chosen = await chooseStatus(deps, mio, { workId: 1, kind: 'on_hold', finishedOn: '2016' })
  merge()
  const listed = await listActs(deps.read, mio, { limit: 9 })
  expect(listed.map(({ id, workId }) => [id, workId])).toEqual(
    [chosen, made, gone, edited].map(({ id }) => [id, 2]),
  )
  for (const { id } of listed) await undoes(id)
  const record = rows('records').find(({ id }) => id === 1)
  expect(record).toMatchObject({ work_id: 2, comment: 'よかった', is_modified: 0, likes_count: 1 })
  const own = rows('statuses').filter(({ user_id, work_id }) => user_id === mio && work_id <= 2)
  expect(own).toMatchObject([{ work_id: 2, kind: 'watching', finished_on: null }])
})

test('what a merge combined stays combined (D67)', async () => {
  const { id } = await writeNote(kiroku.deps, mio, { workId: 1, text: '一' })
  await writeNote(kiroku.deps, mio, { workId: 2, text: '二' })
  merge()
  expect(await refusal(undoes(id))).toBe(
    'act_id must be an act that can be undone: what it changed was changed since.',
  )
  expect(rows('notes')).toMatchObject([{ work_id: 2, text: '二\n\n一' }])
})

test('skips of an estimated episode apply to the listed episode that replaces it (D62, D63)', async () => {
  const { handle } = kiroku.store
  handle.run(`insert into episodes (id, work_id, number, sort_number, estimated, source_id)
    values (801, 8, '1', 10, 1, 2), (802, 8, '1', 10, 0, 3), (803, 8, '2', 20, 1, 2)`)
  handle.run('insert into skips (user_id, episode_id, lap, created_at) values (1, 801, 1, 0), (1, 803, 1, 0)')
  dropEstimates(handle, 8)
  expect(rows('skips')).toMatchObject([{ episode_id: 802, lap: 1 }])
})

test('a merge keeps the survivor’s time of one’s own, else moves it (D67, D80)', async () => {
  const { deps } = kiroku
  const slots = () => rows('own_slots').map(({ user_id, work_id, minute }) => ({ user_id, work_id, minute }))
  kiroku.store.handle.run('delete from own_slots')
  await setOwnSlot(deps, mio, { workId: 1, weekday: 1, minute: 60 })
  await setOwnSlot(deps, 4, { workId: 1, weekday: 1, minute: 120 })
  const { id } = await setOwnSlot(deps, 4, { workId: 2, weekday: 2, minute: 180 })
  merge()
  expect(slots()).toEqual([
    { user_id: mio, work_id: 2, minute: 60 },
    { user_id: 4, work_id: 2, minute: 180 },
  ])
  await undo(deps, 4, { actId: id })
  expect(slots()).toEqual([{ user_id: mio, work_id: 2, minute: 60 }])
})

const listFields = { name: '見返したい', text: '', visibility: undefined, isOrdered: true }

test('in a list with both, the survivor stands once, at the better place, with both notes (D67, D88)', async () => {
  const { deps } = kiroku
  const { handle } = kiroku.store
  const { listId: both } = await makeList(deps, mio, { ...listFields, workIds: [1, 3, 2] })
  const { listId: merged } = await makeList(deps, mio, { ...listFields, workIds: [3, 1] })
  handle.run("update list_works set note = '一' where list_id = ? and work_id = 1", [both])
  handle.run("update list_works set note = '二' where list_id = ? and work_id = 2", [both])
  merge()
  const inList = (id: number) =>
    handle.query('select work_id, note from list_works where list_id = ? order by place, id').values(id)
  expect(inList(both)).toEqual([
    [2, '二\n一'],
    [3, ''],
  ])
  expect(inList(merged)).toEqual([
    [3, ''],
    [2, ''],
  ])
  expect(rows('lists').filter(({ id }) => id === both)).toMatchObject([{ items_count: 2 }])
})

test('a deleted list comes back with the survivor of two of its works, once (D67, D88)', async () => {
  const { deps } = kiroku
  const { listId } = await makeList(deps, mio, { ...listFields, workIds: [1, 2, 3] })
  const added = await addToList(deps, mio, { listId, workIds: [5] })
  const { id } = await dropList(deps, mio, { listId })
  merge()
  await undoes(id)
  const inList = () => rows('list_works').flatMap((row) => (row.list_id === listId ? [row.work_id] : []))
  expect(inList()).toEqual([2, 3, 5])
  await undoes(added.id)
  expect(inList()).toEqual([2, 3])
})
