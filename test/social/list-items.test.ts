import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { findDrift } from '../../src/catalogue/counters/recount'
import { contentOf } from '../support/acts'
import { type Body, createInstance, itemsOf, start } from '../support/instance'
import { personOf, workNow } from '../support/people'
import { seedLibrary } from '../support/seed-library'

const kiroku = await createInstance({ seed: seedLibrary })
const { clock, store } = kiroku
const { handle } = store
const [mio, ritsu] = [await personOf(kiroku, 'mio'), await personOf(kiroku, 'Ritsu_T')]
afterAll(kiroku.close)

const path = '/v1/me/lists'
const make = async (params: Body = {}, who = mio): Promise<number> =>
  (await who.done('POST', path, { name: '見返したい', ...params })).id
const add = (list: number, work_id: number, params: Body = {}) =>
  mio.done('POST', `${path}/${list}/items`, { work_id, ...params })
const inList = async (list: number, who = mio): Promise<number[]> =>
  itemsOf(await who.json(`/v1/lists/${list}/items?per_page=50`)).map(({ work }) => work.id)
const madeWorks = (count: number, from = 5000) =>
  handle.run(
    `with recursive n (i) as (select ${from} union all select i + 1 from n where i < ${from + count - 1})
     insert into works (id, title, media, source_id) select i, 'W' || i, 'tv', 1 from n`,
  )

beforeEach(() => {
  for (const table of ['list_works', 'lists', 'acts', 'blocks', 'follows', 'privacy_moves'])
    handle.run(`delete from ${table}`)
  handle.run("update users set privacy = 'members'")
  handle.run('update works set hidden = 0 where id = 2')
  handle.run('delete from works where id >= 5000')
  clock.now = start
})

describe('the works in a list (D88)', () => {
  test('are in their order, with place, note and time', async () => {
    const list = await make()
    await add(list, 1)
    const second = await add(list, 2, { note: ' 冬の夜に ' })
    expect(second).toEqual({
      ...{ place: 2, note: '冬の夜に', added_at: '2026-04-01T12:00:00.000Z', work: await workNow(kiroku, 2) },
    })
    const first = await add(list, 3, { place: 1 })
    expect([first.place, await inList(list)]).toEqual([1, [3, 1, 2]])
    const page = await mio.json(`/v1/lists/${list}/items?per_page=1&page=2&fields=place,work.title`)
    expect(page).toEqual({
      ...{ items: [{ place: 2, work: { title: '星降る庭' } }], total_count: 3, next_page: 3, prev_page: 1 },
    })
    const [shown] = (await mio.json(`/v1/lists?filter_ids=${list}`)).lists
    expect(shown.items_count).toBe(3)
  })

  test('are there once: adding again changes nothing', async () => {
    const list = await make()
    await add(list, 1, { note: 'ひとつ' })
    await add(list, 2)
    clock.now += 60_000
    const again = await add(list, 1, { note: 'ふたつ', place: 9 })
    expect([again.place, again.note, again.added_at]).toEqual([1, 'ひとつ', '2026-04-01T12:00:00.000Z'])
    expect(await inList(list)).toEqual([1, 2])
    expect((await mio.json(`/v1/lists?filter_ids=${list}`)).lists[0].updated_at).toBe(
      '2026-04-01T12:00:00.000Z',
    )
  })

  test('are refused where they are unknown, hidden, or not in the list', async () => {
    const list = await make()
    for (const work_id of [9, 999])
      expect(await mio.refused('not_found', 'POST', `${path}/${list}/items`, { work_id })).toEqual([
        'The work does not exist.',
      ])
    for (const method of ['PATCH', 'DELETE'])
      expect(await mio.refused('not_found', method, `${path}/${list}/items/1`, {})).toEqual([
        'The work in the list does not exist.',
      ])
    for (const params of [{ work_id: 1, note: 'x'.repeat(501) }, { work_id: 1, place: 0 }, {}])
      expect(await mio.refused('invalid_params', 'POST', `${path}/${list}/items`, params)).toHaveLength(1)
  })

  test('change their note and their place, and go', async () => {
    const list = await make()
    for (const work of [1, 2, 3]) await add(list, work)
    const items = `${path}/${list}/items`
    expect((await mio.done('PATCH', `${items}/3`, { place: 1, note: 'x' })).note).toBe('x')
    expect(await mio.done('PATCH', `${items}/3`, { note: '' })).toMatchObject({ place: 1, note: '' })
    expect((await mio.done('PATCH', `${items}/3`, { place: 900 })).place).toBe(3)
    expect(await inList(list)).toEqual([1, 2, 3])
    expect(await mio.done('DELETE', `${items}/2`)).toBeNull()
    expect(await inList(list)).toEqual([1, 3])
  })

  test('are at most 1,000', async () => {
    madeWorks(1001)
    const list = await make()
    handle.run(
      `insert into list_works (list_id, user_id, work_id, place, added_at)
       select ?, 1, id, id, 1 from works where id between 5000 and 5999`,
      [list],
    )
    expect(await mio.refused('invalid_params', 'POST', `${path}/${list}/items`, { work_id: 6000 })).toEqual([
      'work_id must be of one of at most 1000 works in the list.',
    ])
    await mio.done('DELETE', `${path}/${list}/items/5000`)
    expect((await add(list, 6000)).place).toBe(1000)
  })

  test('keep their order through 1,000 moves, also between the same two', async () => {
    madeWorks(12)
    const list = await make()
    const order: number[] = []
    for (let work = 5000; work < 5012; work += 1) {
      await add(list, work)
      order.push(work)
    }
    // Two that take turns halve the same gap each time: numbers between them run out after some 50 moves.
    for (let n = 0; n < 1000; n += 1) {
      const [from, to] = n % 3 === 2 ? [(n * 7) % 12, (n * 5) % 12] : [2, 1]
      const work = order[from] ?? 0
      order.splice(to, 0, ...order.splice(from, 1))
      const moved = await mio.done('PATCH', `${path}/${list}/items/${work}`, { place: to + 1 })
      if (n % 50 === 0) expect([moved.place, await inList(list)]).toEqual([to + 1, order])
    }
    expect(await inList(list)).toEqual(order)
  })

  test('that the catalogue hides are shown to the owner alone, and not counted', async () => {
    const list = await make({ visibility: 'public' })
    for (const work of [1, 2, 3]) await add(list, work)
    handle.run('update works set hidden = 1 where id = 2')
    expect([await inList(list), await inList(list, ritsu)]).toEqual([
      [1, 2, 3],
      [1, 3],
    ])
    const items = await ritsu.json(`/v1/lists/${list}/items`)
    expect([items.total_count, itemsOf(items).map(({ place }) => place)]).toEqual([2, [1, 2]])
    expect((await mio.json(`/v1/lists?filter_ids=${list}`)).lists[0].items_count).toBe(2)
    expect(findDrift(handle)).toEqual([])
  })
})

test('the content of the database is as before when lists are gone', async () => {
  const before = contentOf(handle)
  const list = await make()
  await add(list, 1)
  await mio.done('DELETE', `${path}/${list}`)
  expect(contentOf(handle)).toEqual(before)
})
