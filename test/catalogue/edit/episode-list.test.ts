import { afterEach, beforeEach, expect, test } from 'bun:test'
import { CatalogueChange } from '../../../src/catalogue/edit/change'
import {
  deleteEpisode,
  insertEpisode,
  type ListEdit,
  setTitles,
  splitEpisode,
  usesOfEpisode,
} from '../../../src/catalogue/edit/episode-list'
import { readPastedTitles } from '../../../src/catalogue/edit/pasted-titles'
import { addSlot } from '../../../src/catalogue/edit/slot-edit'
import { handleOf } from '../../../src/db/dialect'
import { nextEpisode } from '../../../src/library/next-episode'
import { type CatalogueStore, catalogueStore, episode, now, work } from '../../support/catalogue-store'

let store: CatalogueStore
beforeEach(async () => {
  store = await catalogueStore()
  store.handle.run(`insert into users (id, username, username_key, name, email, email_key, password_hash, created_at)
    values (1, 'mio', 'mio', '', '', 'mio', '', 1)`)
})
afterEach(() => store.close())

const idOfWork = () => store.row<{ id: number }>('select id from works').id

const edit = (make: (edit: ListEdit) => unknown) =>
  store.write(async (tx) => {
    const handle = handleOf(tx)
    const work = idOfWork()
    const change = new CatalogueChange(handle, { kind: 'episodes', work, user: 1, now })
    make({ handle, change, work })
    return change.save()
  })

const titles = (text: string, from = 1) =>
  edit((list) => {
    const read = readPastedTitles(text, from)
    if (!Array.isArray(read)) throw new Error('not readable')
    setTitles(list, read)
  })

const listState = (list_state: string) => edit(({ change, work }) => change.set('work', work, { list_state }))

/** `12 at 120: title`; in parentheses if it is hidden, with a star if nobody has listed it. */
const list = () =>
  store
    .rows<{ n: string | null; at: number; title: string; hidden: number; estimated: number }>(
      'select number as n, sort_number as at, title, hidden, estimated from episodes order by sort_number, id',
    )
    .map(({ n, at, title, hidden, estimated }) => {
      const text = `${n} at ${at}${estimated === 1 ? '*' : ''}${title === '' ? '' : `: ${title}`}`
      return hidden === 0 ? text : `(${text})`
    })

const idOf = (number: string) =>
  store.row<{ id: number }>('select id from episodes where number = ? and hidden = 0', number).id

const estimated = (count: number) => work('a:1', { episodes_estimate: count })
const listed = (count: number, more: object = {}) => [
  work('a:1'),
  ...Array.from({ length: count }, (_, k) => episode(`e:${k}`, 'a:1', k + 1, more)),
]
const record = (id: number) =>
  store.handle.run(
    `insert into records (user_id, work_id, episode_id, created_at, watched_at) values (1, ${idOfWork()}, ${id}, 1, 1)`,
  )

test('D94 titles by hand stay in a list that is estimated, through further estimates and a source that lists it', async () => {
  await store.load('mine', [estimated(4)])
  await titles('一\n\n三\n\n\n六')
  const idsByHand = () =>
    store.rows("select id from episodes where title in ('一', '三', '六') order by sort_number")
  const ids = idsByHand()
  const before = ['1 at 10*: 一', '2 at 20*', '3 at 30*: 三', '4 at 40*']
  expect(list()).toEqual([...before, '6 at 60*: 六'])
  await store.load('mine', [estimated(5)])
  await store.load('another', [work('b:1', { title: 'Other' })])
  expect(list()).toEqual([...before, '5 at 50*', '6 at 60*: 六'])

  await store.load('mine', listed(6, { title: 'listed' }))
  expect(list()).toEqual([
    '1 at 10: 一',
    '2 at 20: listed',
    '3 at 30: 三',
    '4 at 40: listed',
    '5 at 50: listed',
    '6 at 60: 六',
  ])
  const says = "select value from source_values where field = 'title' order by row_id"
  expect(store.rows(says)).toEqual(['listed', 'listed', 'listed'].map((value) => ({ value: `"${value}"` })))
  expect(idsByHand()).toEqual(ids)
})

test('an episode is inserted between two with those after it renumbered, and there is always room', async () => {
  await store.load('mine', listed(4))
  const ids = store.rows('select id from episodes order by sort_number')
  await edit((one) => insertEpisode(one, { after: idOf('2'), title: '総集編', isRenumbering: false }))
  expect(list()).toEqual(['1 at 10', '2 at 20', 'null at 25: 総集編', '3 at 30', '4 at 40'])
  await edit((one) => insertEpisode(one, { after: idOf('2'), title: '新', isRenumbering: true }))
  expect(list()).toEqual(['1 at 10', '2 at 20', '3 at 22: 新', 'null at 25: 総集編', '4 at 30', '5 at 40'])
  expect(store.rows('select number_text from episodes where number > 3')).toEqual([
    { number_text: '第4話' },
    { number_text: '第5話' },
  ])
  for (const title of ['a', 'b', 'c'])
    await edit((one) => insertEpisode(one, { after: idOf('2'), title, isRenumbering: false }))
  expect(list()).toEqual([
    '1 at 100',
    '2 at 200',
    'null at 202: c',
    'null at 205: b',
    'null at 210: a',
    '3 at 220: 新',
    'null at 250: 総集編',
    '4 at 300',
    '5 at 400',
  ])
  await edit((one) => insertEpisode(one, { after: 0, title: '前', isRenumbering: true }))
  await edit((one) => insertEpisode(one, { after: idOf('6'), title: '後', isRenumbering: false }))
  expect([list()[0], list()[1], list().at(-1)]).toEqual(['1 at 90: 前', '2 at 100', '7 at 410: 後'])
  expect(store.rows(`select id from episodes where title = '' order by sort_number`)).toEqual(ids)
  // The same file says what it said before.
  await store.load('mine', listed(4, { title: 'listed' }))
  expect(list().filter((text) => text.endsWith('listed'))).toEqual([
    '2 at 100: listed',
    '3 at 200: listed',
    '5 at 300: listed',
    '6 at 400: listed',
  ])
})

test('D96 of two parts of an episode, records stay with the first, and both are in its broadcasts', async () => {
  const channel = { type: 'channel', key: 'c:1', name: 'TOKYO MX' }
  const program = { type: 'program', key: 'p:1', channel: 'c:1', work: 'a:1', episode: 'e:0' }
  await store.load('mine', [...listed(2), channel, { ...program, started_at: '2024-02-01T15:00:00Z' }])
  const first = idOf('1')
  record(first)
  await edit((one) => splitEpisode(one, first, { titles: ['前編', '後編'], isRenumbering: true }))
  expect(list()).toEqual(['1 at 10: 前編', '2 at 15: 後編', '3 at 20'])
  expect(store.row('select episode_id from records')).toEqual({ episode_id: first })
  expect(store.rows('select episode_id, started_at, source_id from programs order by id')).toMatchObject([
    { episode_id: first, started_at: Date.parse('2024-02-01T15:00:00Z') },
    { episode_id: idOf('2'), started_at: Date.parse('2024-02-01T15:00:00Z'), source_id: 1 },
  ])
})

test('D96 what somebody recorded, skipped or plans to watch is not deleted; what is, no source brings back', async () => {
  await store.load('mine', listed(4))
  const [one, two, three, four] = ['1', '2', '3', '4'].map(idOf) as [number, number, number, number]
  record(one)
  store.handle.run(`insert into skips (user_id, episode_id, lap, created_at) values (1, ${two}, 1, 1)`)
  store.handle.run(`insert into meetings (id, user_id, work_id, begins_at, location, body, is_open, created_at, changed_at)
    values (1, 1, ${idOfWork()}, 1, '', '', 1, 1, 1)`)
  store.handle.run(`insert into meeting_episodes values (1, ${three})`)
  const uses = await Promise.all([one, two, three, four].map((id) => usesOfEpisode(store.read, { id })))
  expect(uses.flat()).toEqual([
    { records: 1, is_used: 1 },
    { records: 0, is_used: 1 },
    { records: 0, is_used: 1 },
    { records: 0, is_used: 0 },
  ])
  await edit((list) => deleteEpisode(list, four))
  await store.load('mine', listed(4, { title: 'listed' }))
  expect(list()).toEqual(['1 at 10: listed', '2 at 20: listed', '3 at 30: listed', '(4 at 40: listed)'])
  expect(store.row('select episodes_count from works')).toEqual({ episodes_count: 3 })
})

const grow = () => store.write((tx) => nextEpisode(tx, idOfWork()))

test('a complete list has no estimates that nobody needs, does not grow, and hides what sources add', async () => {
  await store.load('mine', [estimated(4)])
  record(idOf('2'))
  await titles('一')
  await listState('complete')
  expect(list()).toEqual(['1 at 10*: 一', '2 at 20*'])
  await store.load('mine', [estimated(6)])
  expect(list()).toEqual(['1 at 10*: 一', '2 at 20*'])
  expect(grow()).rejects.toThrow('not all listed')
  await store.load('mine', listed(3))
  expect(list()).toEqual(['1 at 10: 一', '2 at 20', '(3 at 30)'])
  await listState('')
  expect(list()).toEqual(['1 at 10: 一', '2 at 20', '(3 at 30)'])
})

test('a list that is no longer complete has its estimates again', async () => {
  await store.load('mine', [estimated(3)])
  await listState('complete')
  expect(list()).toEqual([])
  await listState('')
  expect(list()).toEqual(['1 at 10*', '2 at 20*', '3 at 30*'])
})

test('a list that grows takes further episodes though some are listed', async () => {
  await store.load('mine', listed(2))
  expect(grow()).rejects.toThrow('not all listed')
  await listState('grows')
  await grow()
  expect(list()).toEqual(['1 at 10', '2 at 20', '3 at 30*'])
})

test('dates to watch an estimated episode together go to the listed one', async () => {
  await store.load('mine', [estimated(2)])
  const { id } = store.row<{ id: number }>("select id from episodes where number = '2'")
  store.handle.run(`insert into meetings (id, user_id, work_id, begins_at, location, body, is_open, created_at, changed_at)
    values (1, 1, ${idOfWork()}, 1, '', '', 1, 1, 1)`)
  store.handle.run(`insert into meeting_episodes values (1, ${id})`)
  const report = await store.load('mine', listed(2))
  expect(report.problems).toEqual([])
  expect(list()).toEqual(['1 at 10', '2 at 20'])
  expect(store.row('select episode_id from meeting_episodes')).toEqual({ episode_id: idOf('2') })
})

test('D94 what a source lists later in the weeks of a slot by hand is hidden, on its channel alone', async () => {
  const channels = ['TOKYO MX', 'BS11'].map((name, at) => ({ type: 'channel', key: `c:${at}`, name }))
  await store.load('mine', [...listed(3), ...channels])
  const channel = store.row<{ id: number }>("select id from channels where name = 'TOKYO MX'").id
  const slot = { beginsOn: '2024-02-06', minute: 1440, every: 7, weeks: undefined, skips: [], atOnce: 1 }
  await edit((list) => addSlot(list, { ...slot, channel, firstPlace: 1 }, now))
  const program = (key: number, of: string, started_at: string) => ({
    ...{ type: 'program', key: `p:${key}`, channel: of, work: 'a:1', episode: 'e:0', started_at },
  })
  await store.load('another', [
    ...[...listed(3), ...channels],
    program(1, 'c:0', '2024-02-07T15:00:00Z'),
    program(2, 'c:1', '2024-02-07T15:00:00Z'),
    program(3, 'c:0', '2024-03-09T15:00:00Z'),
  ])
  expect(
    store.rows(`select channels.name, date(started_at / 1000, 'unixepoch') as day, programs.hidden
      from programs join channels on channels.id = channel_id where programs.source_id <> 1 order by programs.id`),
  ).toEqual([
    { name: 'TOKYO MX', day: '2024-02-07', hidden: 1 },
    { name: 'BS11', day: '2024-02-07', hidden: 0 },
    { name: 'TOKYO MX', day: '2024-03-09', hidden: 0 },
  ])
})
