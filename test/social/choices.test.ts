import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { rowsOf } from '../support/counted'
import { type Body, createInstance, itemsOf } from '../support/instance'
import { type Params, personOf } from '../support/people'
import { seedLibrary } from '../support/seed-library'

const kiroku = await createInstance({ seed: seedLibrary })
const { json, store } = kiroku
const [mio, azusa] = [await personOf(kiroku, 'mio'), await personOf(kiroku, 'azusa')]
afterAll(kiroku.close)

describe('/v1/me/channels (D52)', () => {
  const path = '/v1/me/channels'
  const chosen = async (who = mio) =>
    itemsOf(await who.json(path)).flatMap(({ id, selected }) => (selected ? [id] : []))
  beforeEach(() => store.handle.run('delete from user_channels'))

  test.each(['POST', 'DELETE'])('%s refuses a missing channel and an unknown one', async (method) => {
    expect(await mio.refused('invalid_params', method, path, {})).toEqual(['channel_id is required.'])
    expect(await mio.refused('not_found', method, path, { channel_id: 99 })).toEqual([
      'The channel does not exist.',
    ])
  })

  test('a hidden channel cannot be chosen, but removed', async () => {
    await mio.refused('not_found', 'POST', path, { channel_id: 3 })
    store.handle.run('insert into user_channels (user_id, channel_id) values (1, 3)')
    await mio.done('DELETE', path, { channel_id: 3 })
    expect(store.handle.query('select * from user_channels').all()).toEqual([])
  })

  test('lists every channel, and which of them the caller has chosen', async () => {
    await mio.done('POST', path, { channel_id: 2 })
    await azusa.done('POST', path, { channel_id: 1 })
    expect(await mio.json(path)).toEqual({
      channels: [
        { id: 1, name: '東京局', selected: false },
        { id: 2, name: '大阪局', selected: true },
      ],
      total_count: 2,
      next_page: null,
      prev_page: null,
    })
    expect(await chosen(azusa)).toEqual([1])
  })

  test('choosing and removing are idempotent', async () => {
    for (let time = 0; time < 2; time++) await mio.done('POST', path, { channel_id: 1 })
    expect(await chosen()).toEqual([1])
    for (let time = 0; time < 2; time++) await mio.done('DELETE', path, { channel_id: 1 })
    expect(await chosen()).toEqual([])
  })
})

describe('/v1/me/favorites (D52)', () => {
  const path = '/v1/me/favorites'
  const kinds: [name: string, list: string, counter?: string][] = [
    ['work_id', 'works'],
    ['character_id', 'characters', 'favorite_characters_count'],
    ['person_id', 'people', 'favorite_people_count'],
    ['organization_id', 'organizations', 'favorite_organizations_count'],
  ]

  test.each(['POST', 'DELETE'])('%s refuses none, several, and what is no id', async (method) => {
    const one = 'Exactly one of work_id, character_id, person_id, organization_id is required.'
    const odd: Params[] = [
      {},
      { character_id: 1, person_id: 1 },
      { character_id: 1, person_id: 1, organization_id: 1 },
    ]
    for (const params of odd) expect(await mio.refused('invalid_params', method, path, params)).toEqual([one])
    expect(
      await mio.refused('invalid_params', method, path, { person_id: 'x', character_id: 0 }),
    ).toHaveLength(2)
  })

  describe.each(kinds)('%s', (name, list, counter) => {
    const count = async () =>
      counter === undefined
        ? rowsOf(store.handle, 'favorites').filter((row) => row[name] === 1).length
        : (await json(`/v1/${list}?filter_ids=1`))[list].map((row: Body) => row[counter])[0]

    test('refuses an unknown one, and adding a hidden one', async () => {
      for (const method of ['POST', 'DELETE']) {
        expect(await mio.refused('not_found', method, path, { [name]: 999 })).toEqual([
          `The ${name.replace('_id', '')} does not exist.`,
        ])
      }
      await mio.refused('not_found', 'POST', path, { [name]: name === 'work_id' ? 9 : 3 })
    })

    test('counts once per user, until it is removed (D40)', async () => {
      for (let time = 0; time < 2; time++) await mio.done('POST', path, { [name]: 1 })
      expect(await count()).toBe(1)
      await azusa.done('POST', path, { [name]: 1 })
      expect(await count()).toBe(2)
      for (let time = 0; time < 2; time++) await mio.done('DELETE', path, { [name]: 1 })
      expect(await count()).toBe(1)
      await azusa.done('DELETE', path, { [name]: 1 })
      expect(await count()).toBe(0)
    })

    test('can be removed even if it was hidden since', async () => {
      await mio.done('POST', path, { [name]: 2 })
      store.handle.run(`update ${list} set hidden = 1 where id = 2`)
      await mio.done('DELETE', path, { [name]: 2 })
      const kept = store.handle.query('select * from favorites').all()
      store.handle.run(`update ${list} set hidden = 0 where id = 2`)
      expect(kept).toEqual([])
    })
  })
})
