import { afterEach, beforeEach, expect, test } from 'bun:test'
import { findDrift } from '../../src/catalogue/counters/recount'
import { undo } from '../../src/library/acts/undo'
import { createInstance, type Instance } from '../support/instance'
import { seedLibrary } from '../support/seed-library'
import { createMember } from '../support/visitor'
import { addSeries, csrfIn } from '../support/works'

let kiroku: Instance
let mio: Awaited<ReturnType<typeof createMember>>
beforeEach(async () => {
  kiroku = await createInstance({ seed: seedLibrary })
  mio = await createMember(kiroku, 'mio', { language: 'en' })
  await addSeries(kiroku, 51, 50, { estimated: 1 })
  await addSeries(kiroku, 52, 12)
  await addSeries(kiroku, 53, 12, { estimated: 1 })
  kiroku.store.handle.run('update works set episodes_estimate = 12 where id = 53')
})
afterEach(async () => {
  expect(findDrift(kiroku.store.handle)).toEqual([])
  await kiroku.close()
})

const one = (query: string) => kiroku.store.handle.query<Record<string, number>, []>(query).get()
const counts = () =>
  one(`select (select count(*) from episodes where work_id = 51) as episodes,
    (select count(*) from records where work_id = 51) as records,
    (select count(*) from records where work_id = 51 and watched_at_precision = 'none') as undated`)

async function seenUpTo(work: number, number: string) {
  const page = `/works/${work}`
  const csrf = csrfIn((await mio.open(page)).text)
  const values = { csrf, return_to: page, work_id: String(work), number }
  return await mio.post('/record/seen_up_to', values)
}

test('a list whose length nobody knows says at least how long it is, and asks up to where it was seen', async () => {
  const open = async (id: number) => (await mio.open(`/works/${id}`)).text
  const unknown = await open(51)
  expect(unknown).toContain('<span class="estimated">50+</span>')
  expect(unknown).toContain('data-act="seen_up_to"')
  for (const id of [52, 53]) expect(await open(id)).not.toContain('seen_up_to')
})

test('it grows to what was seen and records it in one act, which one undo takes back', async () => {
  expect((await seenUpTo(51, '1100')).status).toBe(303)
  expect(counts()).toEqual({ episodes: 1100, records: 1100, undated: 1100 })
  const { text } = await mio.open('/works/51')
  expect(text).toContain('Recorded 1100 episodes, up to episode 1100')
  expect(one("select count(*) as n from acts where kind = 'record'")).toEqual({ n: 1 })
  await undo(kiroku.deps, 1, { actId: Number(one('select max(id) as id from acts')?.id) })
  expect(counts()).toEqual({ episodes: 50, records: 0, undated: 0 })
  expect(one('select count(*) as n from statuses where work_id = 51')).toEqual({ n: 0 })
})

test('episodes that somebody else recorded since stay when it is undone, and those before them', async () => {
  await seenUpTo(51, '60')
  kiroku.store.handle.run(`insert into records (user_id, work_id, episode_id, watched_at, created_at)
    select 2, 51, id, 0, 0 from episodes where work_id = 51 and number = '55'`)
  await undo(kiroku.deps, 1, { actId: Number(one('select max(id) as id from acts')?.id) })
  expect(counts()).toEqual({ episodes: 55, records: 1, undated: 0 })
})

test('it neither records again what is recorded, nor grows for a number in the list', async () => {
  await seenUpTo(51, '3')
  await seenUpTo(51, '10')
  expect(counts()).toEqual({ episodes: 50, records: 10, undated: 10 })
})

test.each(['0', '2001', '-1', 'x', ''])('%p is refused', async (number) => {
  expect((await seenUpTo(51, number)).status).toBe(422)
  expect(counts()).toEqual({ episodes: 50, records: 0, undated: 0 })
})

test('a list that a source gives does not grow', async () => {
  expect((await seenUpTo(52, '13')).status).toBe(400)
  expect(one('select count(*) as n from episodes where work_id = 52')).toEqual({ n: 12 })
})

test('two thousand are as many as a list can have', async () => {
  await seenUpTo(51, '2000')
  expect(counts()).toEqual({ episodes: 2000, records: 2000, undated: 2000 })
})
