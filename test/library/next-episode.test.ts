import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Body, createInstance, type Instance } from '../support/instance'
import { type Person, personOf } from '../support/people'

let kiroku: Instance
let mio: Person
beforeAll(async () => {
  kiroku = await createInstance()
  mio = await personOf(kiroku, 'mio')
})
afterAll(() => kiroku.close())

const path = '/v1/me/episodes'
/** A series about which nothing is known. */
const bare = 10
const add = (work_id: number): Promise<Body> => mio.done('POST', path, { work_id })
const work = async (id: number): Promise<Body> => (await kiroku.json(`/v1/works?filter_ids=${id}`)).works[0]
const run = (sql: string) => kiroku.store.handle.run(sql)

describe('the next episode of an incomplete list (D62)', () => {
  test('begins with the first, and continues once that is recorded', async () => {
    expect(await work(bare)).toMatchObject({ episodes_count: 0, estimated: false })
    const first = await add(bare)
    expect(first).toMatchObject({
      number: '1',
      number_text: '第1話',
      sort_number: 10,
      title: '',
      estimated: true,
    })
    expect(first.work).toMatchObject({ id: bare, episodes_count: 1, estimated: true })
    expect((await add(bare)).id).toBe(first.id)
    await mio.done('POST', '/v1/me/records', { episode_id: first.id })
    const second = await add(bare)
    expect(second).toMatchObject({ number: '2', sort_number: 20, prev_episode: { id: first.id } })
    expect((await work(bare)).episodes_count).toBe(2)
  })

  test('continues after an episode that was recorded for its user alone (D74)', async () => {
    const { id } = await add(bare)
    await mio.done('POST', '/v1/me/records', { episode_id: id, private: true })
    expect((await add(bare)).prev_episode.id).toBe(id)
  })

  test('continues after estimates, which need not be recorded', async () => {
    run(`insert into episodes (work_id, number, number_text, sort_number, estimated, source_id)
      values (7, '1', '第1話', 10, 1, 2), (7, '2', '第2話', 20, 1, 2)`)
    expect(await add(7)).toMatchObject({ number: '3', sort_number: 30 })
  })

  test('no longer exists once a source lists the last one', async () => {
    const { id } = await add(5)
    expect((await work(5)).estimated).toBe(true)
    run(`update episodes set estimated = 0 where id = ${id}`)
    expect((await work(5)).estimated).toBe(false)
    expect(await mio.refused('invalid_params', 'POST', path, { work_id: 5 })).toEqual([
      'work_id must be the id of a work whose episodes are not all listed.',
    ])
  })

  test('does not exist for a film', async () => {
    expect(await mio.refused('invalid_params', 'POST', path, { work_id: 3 })).toEqual([
      'work_id must be the id of a work with episodes; for a film, record a viewing.',
    ])
    await mio.refused('not_found', 'POST', path, { work_id: 999 })
  })

  test('is limited to 2,000 episodes', async () => {
    run(`insert into episodes (work_id, number, number_text, sort_number, estimated, source_id)
      values (8, '1999', '', 19990, 1, 2)`)
    const last = await add(8)
    expect(last.number).toBe('2000')
    await mio.done('POST', '/v1/me/records', { episode_id: last.id })
    expect(await mio.refused('invalid_params', 'POST', path, { work_id: 8 })).toEqual([
      'work_id must be the id of a work with fewer than 2000 episodes.',
    ])
  })

  test('is the same for several simultaneous requests', async () => {
    const asked = await Promise.all(Array.from({ length: 8 }, () => add(4)))
    expect(new Set(asked.map(({ id }) => id)).size).toBe(1)
  })
})
