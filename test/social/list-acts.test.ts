import { afterAll, beforeEach, expect, test } from 'bun:test'
import { findDrift } from '../../src/catalogue/counters/recount'
import { NothingChanged } from '../../src/library/acts/act'
import { listActs } from '../../src/library/acts/find-acts'
import { undo } from '../../src/library/acts/undo'
import { UndoRefused } from '../../src/library/undo/undo-changes'
import {
  addToList,
  copyList,
  dropList,
  editList,
  makeList,
  moveInList,
  noteInList,
  removeFromList,
} from '../../src/social/lists/list-acts'
import { contentOf, refusal } from '../support/acts'
import { createInstance } from '../support/instance'
import { seedLibrary } from '../support/seed-library'

const kiroku = await createInstance({ seed: seedLibrary })
const { deps } = kiroku
const { handle } = kiroku.store
const [mio, ritsu] = [1, 2]
afterAll(kiroku.close)

beforeEach(() => {
  for (const table of ['changes', 'acts', 'list_works', 'lists']) handle.run(`delete from ${table}`)
})

const fields = { name: '見返したい', text: '', visibility: undefined, isOrdered: undefined }
const make = (...workIds: number[]) => makeList(deps, mio, { ...fields, workIds })
const undoes = (actId: number) => undo(deps, mio, { actId })
const works = (listId: number) =>
  handle.query('select work_id from list_works where list_id = ? order by place, id').values(listId).flat()
const deeds = async () =>
  (await listActs(deps.readAs(mio), mio, { limit: 20 })).map((act) => [
    act.kind,
    act.listDeed,
    act.listName,
    act.title,
  ])

/** What had to be undone first. */
async function blockerOf(actId: number): Promise<unknown> {
  const problem = await undoes(actId).catch((cause: unknown) => cause)
  expect(problem).toBeInstanceOf(UndoRefused)
  return problem instanceof UndoRefused ? problem.blockedBy : undefined
}

test('each deed is undone, the last first, and the database is as before (D88)', async () => {
  const before = contentOf(handle)
  const { id, listId } = await make(1, 2)
  const ids = [id]
  for (const act of [
    await addToList(deps, mio, { listId, workIds: [3, 5] }),
    await moveInList(deps, mio, { listId, workId: 5, to: 'top' }),
    await noteInList(deps, mio, { listId, workId: 5, text: '冬の夜に' }),
    await editList(deps, mio, { listId, name: 'おすすめ' }),
    await removeFromList(deps, mio, { listId, workIds: [1] }),
    await copyList(deps, mio, { ...fields, listId, name: '写し' }),
  ])
    ids.push(act.id)
  expect(works(listId)).toEqual([5, 2, 3])
  const copy = handle.query<{ id: number }, []>("select id from lists where name = '写し'").get()
  expect(works(copy?.id ?? 0)).toEqual([5, 2, 3])
  ids.push((await dropList(deps, mio, { listId })).id)
  expect(works(listId)).toEqual([])
  for (const act of ids.toReversed()) await undoes(act)
  expect(contentOf(handle)).toEqual(before)
  expect(findDrift(handle)).toEqual([])
})

test('the history says what was done to which list, also when the list is gone', async () => {
  const { listId } = await make(1)
  await addToList(deps, mio, { listId, workIds: [2] })
  await moveInList(deps, mio, { listId, workId: 2, to: 'up' })
  await noteInList(deps, mio, { listId, workId: 2, text: 'x' })
  await removeFromList(deps, mio, { listId, workIds: [1] })
  await editList(deps, mio, { listId, text: 'x' })
  const { id } = await dropList(deps, mio, { listId })
  const name = '見返したい'
  const titles = handle.query<{ title: string }, []>('select title from works where id in (1, 2) order by id')
  const [first = '', second = ''] = titles.all().map(({ title }) => title)
  expect(await deeds()).toEqual([
    ['list', 'deleted', name, ''],
    ['list', 'edited', name, ''],
    ['list_work', 'removed', name, first],
    ['list_work', 'noted', name, second],
    ['list_work', 'moved', name, second],
    ['list_work', 'added', name, second],
    ['list', 'made', name, ''],
  ])
  await undoes(id)
  expect((await deeds())[0]).toEqual(['list', null, name, ''])
})

test('what changes nothing is no act', async () => {
  const { listId } = await make(1)
  for (const nothing of [
    () => addToList(deps, mio, { listId, workIds: [1] }),
    () => removeFromList(deps, mio, { listId, workIds: [2] }),
    () => moveInList(deps, mio, { listId, workId: 1, to: 'up' }),
    () => noteInList(deps, mio, { listId, workId: 1, text: '' }),
    () => editList(deps, mio, { listId, name: '見返したい', isOrdered: false }),
  ])
    expect(await nothing().catch((cause: unknown) => cause)).toBeInstanceOf(NothingChanged)
})

test('a list that was made stays while it has later works, and what put them there is undone first', async () => {
  const { id, listId } = await make(1)
  const added = await addToList(deps, mio, { listId, workIds: [2] })
  expect(await blockerOf(id)).toEqual({ what: 'act', id: added.id })
  expect(works(listId)).toEqual([1, 2])
  await undoes(added.id)
  await undoes(id)
  expect(handle.query('select 1 from lists').all()).toEqual([])
})

test('a work that was removed and put there again does not come back beside itself', async () => {
  const { listId } = await make(1, 2)
  const removed = await removeFromList(deps, mio, { listId, workIds: [1] })
  const again = await addToList(deps, mio, { listId, workIds: [1] })
  expect(await blockerOf(removed.id)).toEqual({ what: 'act', id: again.id })
  await undoes(again.id)
  await undoes(removed.id)
  expect(works(listId)).toEqual([1, 2])
})

test('a work that was removed, put there again and removed again comes back from the last to the first', async () => {
  const { listId } = await make(1, 2)
  const before = contentOf(handle)
  const acts = [
    await removeFromList(deps, mio, { listId, workIds: [1] }),
    await addToList(deps, mio, { listId, workIds: [1] }),
    await removeFromList(deps, mio, { listId, workIds: [1] }),
  ].map(({ id }) => id)
  const [first = 0, ...later] = acts
  for (const id of later.toReversed()) {
    expect(await blockerOf(first)).toEqual({ what: 'act', id })
    await undoes(id)
  }
  await undoes(first)
  expect(contentOf(handle)).toEqual(before)
})

test('a move in a deleted list is undone after the deletion, or the list would come back with it', async () => {
  const { listId } = await make(1, 2)
  const before = contentOf(handle)
  const moved = await moveInList(deps, mio, { listId, workId: 1, to: 'bottom' })
  const dropped = await dropList(deps, mio, { listId })
  expect(await blockerOf(moved.id)).toEqual({ what: 'act', id: dropped.id })
  for (const { id } of [dropped, moved]) await undoes(id)
  expect(contentOf(handle)).toEqual(before)
})

test('a work comes back to a deleted list only after the list, and one whose adding is undone stays away', async () => {
  const { listId } = await make(1)
  const added = await addToList(deps, mio, { listId, workIds: [2, 3] })
  const removed = await removeFromList(deps, mio, { listId, workIds: [1] })
  const dropped = await dropList(deps, mio, { listId })
  expect(await blockerOf(removed.id)).toEqual({ what: 'act', id: dropped.id })
  await undoes(added.id)
  await undoes(dropped.id)
  expect(works(listId)).toEqual([])
  await undoes(removed.id)
  expect(works(listId)).toEqual([1])
})

test('a copy has the works of any list that one sees, but no notes of somebody else, nor what is hidden', async () => {
  const { listId } = await make(1, 2, 3)
  await noteInList(deps, mio, { listId, workId: 1, text: '冬の夜に' })
  const notes = (list: number) =>
    handle.query('select work_id, note from list_works where list_id = ? order by place').values(list)
  const own = await copyList(deps, mio, { ...fields, listId })
  expect(notes(own.listId)).toEqual([
    [1, '冬の夜に'],
    [2, ''],
    [3, ''],
  ])
  handle.run('update works set hidden = 1 where id = 3')
  const other = await copyList(deps, ritsu, { ...fields, listId })
  expect(notes(other.listId)).toEqual([
    [1, ''],
    [2, ''],
  ])
  handle.run('update works set hidden = 0 where id = 3')
  await editList(deps, mio, { listId, visibility: 'private' })
  expect(await refusal(copyList(deps, ritsu, { ...fields, listId }))).toBe('The list does not exist.')
  for (const doing of [
    () => addToList(deps, ritsu, { listId, workIds: [5] }),
    () => dropList(deps, ritsu, { listId }),
  ])
    expect(await refusal(doing())).toBe('The list does not exist.')
})

test('a list of 1,000 works is deleted and restored as it was', async () => {
  handle.run(`with recursive n (i) as (select 7000 union all select i + 1 from n where i < 7999)
    insert into works (id, title, media, source_id) select i, 'W' || i, 'tv', 1 from n`)
  const ids = Array.from({ length: 1000 }, (_, at) => 7000 + at)
  const { listId } = await make(...ids)
  const before = contentOf(handle)
  const { id } = await dropList(deps, mio, { listId })
  await undoes(id)
  expect(contentOf(handle)).toEqual(before)
})
