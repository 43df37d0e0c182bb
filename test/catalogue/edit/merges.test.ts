import { expect, test } from 'bun:test'
import { undoneWithinMs } from '../../../src/catalogue/edit/merges'
import { runMerges, sweepMoves } from '../../../src/catalogue/edit/run-merges'
import { work } from '../../support/catalogue-store'
import { mergeRefusal, store, two, useTwoWorks } from '../../support/two-works'

useTwoWorks()

const statuses = () => store.rows('select user_id, work_id, kind from statuses order by 1, 2')
const recordsOf = (id: number) =>
  store.rows('select user_id, episode_id from records where work_id = ? order by 1, 2', id)

test('D97 a merge takes over what was chosen and keeps the other title, and its undo gives all of it back with its owners', async () => {
  const before = two.rows()
  const change = await two.merged({
    fields: { title: '蟲師 続章(第2期)', title_en: 'Mushishi', syobocal_tid: '3311' },
  })
  expect(store.row('select title, title_en, mal_anime_id, syobocal_tid from works where id = 1')).toEqual({
    ...{ title: '蟲師 続章(第2期)', title_en: 'Mushishi', mal_anime_id: '21939', syobocal_tid: '3311' },
  })
  expect(store.rows('select distinct title from work_aliases where work_id = 1 order by 1')).toEqual([
    { title: 'Mushi' },
    { title: '蟲師 続章' },
  ])
  expect(statuses()).toEqual([
    { user_id: 1, work_id: 1, kind: 'watched' },
    { user_id: 2, work_id: 1, kind: 'watched' },
    { user_id: 3, work_id: 1, kind: 'watching' },
  ])
  expect(store.row('select to_id from redirects where kind = ? and from_id = 2', 'work')).toEqual({
    to_id: 1,
  })
  expect(store.row('select state, undo_id from catalogue_merges')).toEqual({ state: 'moved', undo_id: null })
  await two.undone(change)
  expect(two.rows()).toEqual(before)
  expect(store.row('select state from catalogue_merges')).toEqual({ state: 'parted' })
  expect(store.row('select undoes_id, kind from catalogue_changes where id > ?', change)).toEqual({
    undoes_id: change,
    kind: 'undo',
  })
})

test('D97 what was edited since stays edited, and what was written since stays where it is', async () => {
  const change = await two.merged()
  store.handle.run("update records set comment = 'later' where user_id = 1 and episode_id = 12")
  store.handle.run("update statuses set kind = 'on_hold' where user_id = 3")
  store.handle.run(
    "update works set title_kana = 'むし', owners = json_set(owners, '$.title_kana', 1) where id = 1",
  )
  store.handle.run(
    'insert into likes (user_id, record_id, created_at) select 2, id, 0 from records where user_id = 1',
  )
  two.record(4, 12)
  two.record(4, 24)
  store.handle.run("insert into statuses (user_id, work_id, kind, changed_at) values (4, 1, 'watching', 7)")
  await two.undone(change)
  expect(
    store.rows('select episode_id, work_id, comment, likes_count from records where user_id = 1'),
  ).toEqual([{ episode_id: 22, work_id: 2, comment: 'later', likes_count: 1 }])
  // That of a matched episode stays with it; the episode of the other is its episode again.
  expect(
    store.rows('select episode_id, work_id from records where user_id = 4 and id > 11 order by 1'),
  ).toEqual([
    { episode_id: 12, work_id: 1 },
    { episode_id: 24, work_id: 2 },
  ])
  expect(store.row('select title_kana, owners from works where id = 1')).toMatchObject({ title_kana: 'むし' })
  expect(statuses()).toContainEqual({ user_id: 3, work_id: 2, kind: 'on_hold' })
  expect(statuses()).toContainEqual({ user_id: 4, work_id: 1, kind: 'watching' })
})

test('D97 estimated episodes that the estimator deleted since come back with their records', async () => {
  await store.load(
    'pack',
    [1, 2].map((n) => work(`annict:10${n}`, { title: `Long ${n}`, episodes_estimate: 6 - n })),
  )
  const ids = store.rows<{ id: number }>('select id from episodes where work_id in (101, 102) order by id')
  for (const { id } of ids.filter((_, at) => at % 2 === 0)) two.record(1, id)
  const before = two.rows()
  const change = await two.merged({ from: 102, to: 101 })
  expect(store.rows('select 1 from records where work_id = 102')).toEqual([])
  await two.undone(change)
  expect(two.rows()).toEqual(before)
})

test('D97 a line that a pack has of the merged work is taken again after the undo', async () => {
  const change = await two.merged()
  const lines = [work('annict:2', { title: 'New name' })]
  await store.load('pack', lines)
  await two.undone(change)
  await store.load('pack', lines)
  expect(store.row('select title, hidden from works where id = 2')).toEqual({ title: 'New name', hidden: 0 })
})

test('D97 a merge that went on is undone first, and each only once, within 30 days', async () => {
  const first = await two.merged()
  const second = await two.merged({ from: 1, to: 3 })
  expect(await mergeRefusal(two.undo(first))).toEqual(['later', second])
  await two.undone(second)
  const last = await two.begin({ kind: 'episode', from: 12, to: 13 })
  expect(await mergeRefusal(two.begin({ kind: 'episode', from: 13, to: 11 }))).toEqual(['running', last])
  await two.run()
  expect(await mergeRefusal(two.undo(first))).toEqual(['later', last])
  await two.undone(last)
  await two.undone(first)
  expect(await mergeRefusal(two.undo(first))).toEqual(['undone', undefined])
  const episodes = await two.merged({ kind: 'episode', from: 22, to: 23 })
  const works = await two.merged()
  expect(await mergeRefusal(two.undo(episodes))).toEqual(['later', works])
  await two.undone(works)
  await two.undone(episodes)
  expect(await mergeRefusal(two.begin({ from: 1, to: 1 }))).toEqual(['same', undefined])
  expect(await mergeRefusal(two.begin({ from: 9, to: 1 }))).toEqual(['gone', undefined])
})

test('D97 what a merge logged is forgotten after 30 days, and it is no longer undone', async () => {
  const old = await two.merged()
  two.clock += undoneWithinMs - 1
  const young = await two.merged({ from: 3, to: 1 })
  expect(await sweepMoves(two.deps)).toBe(0)
  two.clock += 2
  expect(await sweepMoves(two.deps)).toBeGreaterThan(0)
  expect(store.rows('select distinct change_id as id from catalogue_moves')).toEqual([{ id: young }])
  await two.undone(young)
  expect(await mergeRefusal(two.undo(old))).toEqual(['expired', undefined])
})

test('D97 a split moves episodes with their records, tells who has seen them, and is undone like a merge', async () => {
  store.handle.run('insert into laps (user_id, work_id, number, started_at) values (3, 2, 2, 5)')
  store.handle.run('update statuses set private = 1 where user_id = 3')
  store.handle.run('update records set lap = 2 where user_id = 3 and episode_id = 24')
  const before = two.rows()
  const change = await two.split([23, 24], 3, 2)
  await two.run()
  expect(store.rows('select id from episodes where work_id = 3 order by 1')).toEqual([
    { id: 23 },
    { id: 24 },
    { id: 31 },
  ])
  expect(recordsOf(3)).toEqual([
    { user_id: 2, episode_id: 23 },
    { user_id: 3, episode_id: 23 },
    { user_id: 3, episode_id: 24 },
    { user_id: 4, episode_id: 23 },
    { user_id: 4, episode_id: 24 },
  ])
  expect(
    store.rows('select user_id, kind, private, withheld from statuses where work_id = 3 order by 1'),
  ).toEqual([
    { user_id: 2, kind: 'watching', private: 0, withheld: 0 },
    { user_id: 3, kind: 'watched', private: 1, withheld: 2 },
    { user_id: 4, kind: 'watched', private: 0, withheld: 0 },
  ])
  expect(store.rows('select user_id, number from laps where work_id = 3')).toEqual([
    { user_id: 3, number: 2 },
  ])
  expect(store.rows("select id from activities where action = 'create_status'")).toEqual([])
  await two.undone(change)
  expect(two.rows()).toEqual(before)
  expect(await mergeRefusal(two.split([11], 3, 2))).toEqual(['gone', undefined])
})

test('D97 a merge that fails keeps no other one waiting, and none begins while the server stops', async () => {
  const failing = await two.begin({ from: 3, to: 1 })
  store.handle.run("update catalogue_merges set kind = 'nothing' where change_id = ?", [failing])
  await two.begin({ kind: 'episode', from: 22, to: 23 })
  await runMerges({ ...two.deps, isStopping: () => true })
  const states = () =>
    store.rows('select state from catalogue_merges order by change_id').map(({ state }) => state)
  expect(states()).toEqual(['moving', 'moving'])
  const lines: unknown[] = []
  await runMerges({ ...two.deps, log: (event) => lines.push(event) })
  expect(states()).toEqual(['moving', 'moved'])
  expect(lines).toEqual(['catalogue_failed'])
})

test('D97 what a merge dropped of a person goes with their account', async () => {
  await two.merged()
  const owners = () =>
    store.rows('select distinct user_id as id from catalogue_moves where user_id is not null order by 1')
  expect(owners()).toEqual([{ id: 1 }, { id: 2 }])
})
