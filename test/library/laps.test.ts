import { afterAll, beforeEach, expect, test } from 'bun:test'
import { createInstance, itemsOf } from '../support/instance'
import { personOf } from '../support/people'
import { seedLibrary } from '../support/seed-library'

const kiroku = await createInstance({ seed: seedLibrary })
const mio = await personOf(kiroku, 'mio')
afterAll(kiroku.close)

const path = '/v1/me/laps'
const laps = () => kiroku.store.handle.query('select number from laps order by 1').values().flat()
const record = async (episode_id: number) => (await mio.done('POST', '/v1/me/records', { episode_id })).lap

beforeEach(() => {
  kiroku.store.handle.run('delete from records where lap > 1')
  for (const table of ['laps', 'activities']) kiroku.store.handle.run(`delete from ${table}`)
})

test('watching again is refused for a work without records, a hidden one and an unknown one (D63)', async () => {
  expect(await mio.refused('invalid_params', 'POST', path, { work_id: 2 })).toEqual([
    'work_id must be the id of a work with a record in the current lap.',
  ])
  for (const work_id of [9, 99]) await mio.refused('not_found', 'POST', path, { work_id })
  expect(laps()).toEqual([])
})

test('starts a lap that later records belong to, also those of a bulk request, and sets watching (D63)', async () => {
  await mio.done('POST', '/v1/me/statuses', { work_id: 1, kind: 'watched' })
  expect(await mio.done('POST', path, { work_id: 1 })).toBeNull()
  expect(itemsOf(await kiroku.json('/v1/me/works'))[0].status.kind).toBe('watching')
  expect(await record(2)).toBe(2)
  const { records } = await mio.done('POST', '/v1/me/records/bulk', { episode_ids: [3] })
  expect(records[0].lap).toBe(2)
  await mio.done('POST', path, { work_id: 1 })
  expect([laps(), await record(2)]).toEqual([[2, 3], 3])
})

test('repeated before anything is recorded, it changes nothing (D52)', async () => {
  await mio.done('POST', path, { work_id: 1 })
  await mio.done('POST', path, { work_id: 1 })
  expect(laps()).toEqual([2])
})

test('filter_unwatched leaves out what was recorded in any lap (D63)', async () => {
  const unwatched = async () =>
    itemsOf(await kiroku.json('/v1/me/programs?filter_unwatched=true')).map(({ episode }) => episode?.id)
  await mio.done('POST', path, { work_id: 1 })
  expect(await unwatched()).not.toContain(1)
})
