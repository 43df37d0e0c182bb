import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { findDrift } from '../../src/catalogue/counters/recount'
import { repair } from '../../src/catalogue/counters/repair'
import { createInstance, idsOf } from '../support/instance'
import { seedLibrary } from '../support/seed-library'

const kiroku = await createInstance({ seed: seedLibrary })
const { get, json, store } = kiroku
const { handle } = store
afterAll(kiroku.close)

const parents = ['people', 'characters', 'organizations', 'channels', 'series', 'works', 'episodes'] as const
const hide = (table: (typeof parents)[number], id: number, hidden = 1) =>
  handle.run(`update ${table} set hidden = (hidden & 2) | ? where id = ?`, [hidden, id])
const drift = () => findDrift(handle)

/** The ids that a list returns in both directions, one per page; its total is their number. */
async function ids(path: string): Promise<number[]> {
  const separator = path.includes('?') ? '&' : '?'
  const all = await json(path)
  expect(all.total_count).toBe(idsOf(all).length)
  const backwards = await json(`${path}${separator}sort_id=desc`)
  expect(idsOf(backwards).toReversed()).toEqual(idsOf(all).toSorted((one, other) => one - other))
  const last = await json(`${path}${separator}per_page=1&page=${Math.max(1, all.total_count)}`)
  expect(idsOf(last)).toEqual(idsOf(all).slice(-1))
  expect((await json(`${path}${separator}page=99`)).total_count).toBe(all.total_count)
  return idsOf(all)
}

afterEach(() => {
  for (const [table, shown] of [
    ['people', 2],
    ['characters', 2],
    ['organizations', 2],
    ['series', 2],
    ['channels', 9],
  ] as const)
    handle.run(`update ${table} set hidden = 0 where id <= ? and hidden <> 0`, [shown])
  expect(drift()).toEqual([])
})

describe('what belongs to something hidden is neither listed nor counted (D42)', () => {
  test.each([
    ['people', 1, '/v1/casts', [1, 2, 3], [3]],
    ['people', 2, '/v1/casts?filter_work_id=2', [3], []],
    ['people', 1, '/v1/staffs', [1, 2, 3], [2, 3]],
    ['people', 2, '/v1/staffs?filter_ids=1,2,3', [1, 2, 3], [1, 2]],
    ['characters', 1, '/v1/casts', [1, 2, 3], [2, 3]],
    ['characters', 2, '/v1/casts?sort_sort_number=asc', [2, 3, 1], [1]],
    ['organizations', 1, '/v1/staffs', [1, 2, 3], [1, 3]],
    ['organizations', 1, '/v1/staffs?filter_work_id=1&sort_sort_number=desc', [1, 2], [1]],
    ['channels', 1, '/v1/me/programs', [1, 2, 3], [2]],
    ['channels', 2, '/v1/me/programs?filter_work_ids=1', [1, 2], [1]],
    ['channels', 2, '/v1/me/programs?filter_channel_ids=2', [2], []],
  ] as const)('with %s %d hidden: %s', async (table, id, path, before, after) => {
    expect(await ids(path)).toEqual([...before])
    hide(table, id)
    expect(await ids(path)).toEqual([...after])
    expect(drift()).toEqual([])
    hide(table, id, 0)
    expect(await ids(path)).toEqual([...before])
  })

  test('a person is cast in the works of listed casts', async () => {
    const castsOf = async (id: number) => (await json(`/v1/people?filter_ids=${id}`)).people[0].casts_count
    expect([await castsOf(1), await castsOf(2)]).toEqual([1, 1])
    hide('characters', 2)
    expect([await castsOf(1), await castsOf(2)]).toEqual([1, 0])
    hide('characters', 1)
    expect([await castsOf(1), await castsOf(2)]).toEqual([0, 0])
    // A cached rendering of the person has to be invalidated with the count.
    expect((await json('/v1/casts')).casts).toEqual([])
    await repair(handle)
    expect([await castsOf(1), await castsOf(2)]).toEqual([0, 0])
  })

  test('a character of a hidden series is listed, without the series', async () => {
    const [before] = (await json('/v1/characters?filter_ids=1')).characters
    expect([before.kind, before.series.id]).toEqual(['星降る庭', 1])
    hide('series', 1)
    const [after] = (await json('/v1/characters?filter_ids=1')).characters
    expect([after.kind, after.series]).toEqual(['', null])
    expect((await json('/v1/casts?filter_ids=1')).casts[0].character.kind).toBe('')
  })

  test('a chosen channel that is hidden has no effect', async () => {
    await get('/v1/me/channels?channel_id=1', { method: 'POST' })
    expect(await ids('/v1/me/programs')).toEqual([1, 3])
    hide('channels', 1)
    expect(await ids('/v1/me/programs')).toEqual([2])
    handle.run('delete from user_channels')
  })
})

const step = fc.oneof(
  fc.tuple(
    fc.constant('hide'),
    fc.constantFrom(...parents),
    fc.integer({ min: 1, max: 2 }),
    fc.integer({ min: 0, max: 1 }),
  ),
  fc.tuple(
    fc.constant('cast'),
    fc.constantFrom('work_id', 'person_id', 'character_id'),
    fc.integer({ min: 1, max: 5 }),
    fc.integer({ min: 1, max: 3 }),
  ),
  fc.tuple(
    fc.constant('insert'),
    fc.constant(''),
    fc.integer({ min: 1, max: 3 }),
    fc.integer({ min: 1, max: 3 }),
  ),
  fc.tuple(fc.constant('delete'), fc.constant(''), fc.integer({ min: 6, max: 40 }), fc.constant(0)),
)

test('counts equal those of a recount, whatever is hidden, shown, moved, created or deleted (D40)', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      handle.run('begin')
      for (const [what, name, id, value] of steps) {
        if (what === 'hide') hide(name as (typeof parents)[number], id, value)
        if (what === 'delete') handle.run('delete from casts where id = ?', [id])
        if (what === 'cast') moveCast(name, id, value)
        if (what === 'insert') insertCast(id, value)
      }
      const found = drift()
      handle.run('rollback')
      expect(found).toEqual([])
    }),
    { numRuns: 200 },
  )
}, 60_000)

const insertCast = (person: number, character: number) =>
  handle.run(
    `insert into casts (work_id, character_id, person_id, name, hidden, source_id)
    select 1, ?, ?, 'x', hidden * 2, 1 from works where id = 1`,
    [character, person],
  )

const moveCast = (column: string, id: number, to: number) =>
  handle.run(
    column === 'work_id'
      ? 'update casts set work_id = ?1, hidden = (hidden & 1) | (select hidden * 2 from works where id = ?1) where id = ?2'
      : `update casts set ${column} = ?1 where id = ?2`,
    [to, id],
  )
