import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { savePrivacy } from '../../src/accounts/account/privacy'
import { type Body, createInstance, idsOf, itemsOf, start } from '../support/instance'
import { personOf, userNow } from '../support/people'
import { seedLibrary } from '../support/seed-library'

const kiroku = await createInstance({ seed: seedLibrary })
const { clock, deps, store } = kiroku
const { handle } = store
const [mio, ritsu, azusa] = [
  await personOf(kiroku, 'mio'),
  await personOf(kiroku, 'Ritsu_T'),
  await personOf(kiroku, 'azusa'),
]
afterAll(kiroku.close)

const path = '/v1/me/lists'
const make = async (params: Body = {}, who = mio): Promise<number> =>
  (await who.done('POST', path, { name: '見返したい', ...params })).id
const add = (list: number, work_id: number, params: Body = {}) =>
  mio.done('POST', `${path}/${list}/items`, { work_id, ...params })
const inList = async (list: number, who = mio): Promise<number[]> =>
  itemsOf(await who.json(`/v1/lists/${list}/items?per_page=50`)).map(({ work }) => work.id)
const listsOf = async (name: string, who = mio): Promise<number[]> =>
  idsOf(await who.json(`/v1/lists?filter_username=${name}`))
beforeEach(() => {
  for (const table of ['list_works', 'lists', 'acts', 'blocks', 'follows', 'privacy_moves'])
    handle.run(`delete from ${table}`)
  handle.run("update users set privacy = 'members'")
  handle.run('update works set hidden = 0 where id = 2')
  clock.now = start
})

describe('a list of works (D88)', () => {
  test('is refused without a name, with a bad value, and beyond its limits', async () => {
    expect(await mio.refused('invalid_params', 'POST', path, { name: ' ' })).toEqual(['name is required.'])
    for (const [params, why] of [
      [{ name: 'a\nb' }, 'name must'],
      [{ name: 'x'.repeat(101) }, 'name must be at most 100 characters long.'],
      [{ name: 'x', text: 'x'.repeat(2001) }, 'text must be at most 2000 characters long.'],
      [{ name: 'x', visibility: 'friends' }, 'visibility must'],
      [{ name: 'x', is_ordered: 'perhaps' }, 'is_ordered must'],
    ] as const)
      expect(await mio.refused('invalid_params', 'POST', path, params)).toEqual([
        expect.stringContaining(why),
      ])
    expect(handle.query('select 1 from lists').all()).toEqual([])
  })

  test('is answered with its fields, and is as the profile unless it says who sees it (D31)', async () => {
    const params = { name: ' 見返したい ', text: '疲れた夜に', is_ordered: true }
    const list = await mio.done('POST', path, params)
    expect(list).toEqual({
      ...{ id: list.id, name: '見返したい', text: '疲れた夜に', visibility: 'members', is_ordered: true },
      ...{ items_count: 0, created_at: '2026-04-01T12:00:00.000Z', updated_at: '2026-04-01T12:00:00.000Z' },
      user: await userNow(kiroku, 1),
    })
    for (const privacy of ['public', 'private']) {
      handle.run('update users set privacy = ? where id = 1', [privacy])
      expect((await mio.done('POST', path, { name: 'x' })).visibility).toBe(privacy)
    }
    expect((await mio.done('POST', path, { name: 'x', visibility: 'members' })).visibility).toBe('members')
  })

  test('changes only in what is sent, and a blank text clears it (D32)', async () => {
    const id = await make({ text: 'ひとつ', visibility: 'public' })
    clock.now += 60_000
    const changed = await mio.done('PATCH', `${path}/${id}`, { name: 'ふたつ', text: '' })
    expect(changed).toMatchObject({ name: 'ふたつ', text: '', visibility: 'public', is_ordered: false })
    expect(changed.updated_at).toBe('2026-04-01T12:01:00.000Z')
    clock.now += 60_000
    const same = await mio.done('PATCH', `${path}/${id}`, { name: 'ふたつ' })
    expect(same.updated_at).toBe('2026-04-01T12:01:00.000Z')
  })

  test('is deleted with its works', async () => {
    const id = await make()
    await add(id, 1)
    expect(await mio.done('DELETE', `${path}/${id}`)).toBeNull()
    expect(handle.query('select 1 from lists union all select 1 from list_works').all()).toEqual([])
    expect(await mio.refused('not_found', 'DELETE', `${path}/${id}`)).toEqual(['The list does not exist.'])
  })

  test('of somebody else cannot be changed, and one that may not be seen is not there', async () => {
    const [open, own] = [await make({ visibility: 'public' }), await make({ visibility: 'private' })]
    await add(open, 1)
    for (const id of [open, own]) {
      for (const [method, at, params] of [
        ['PATCH', '', { name: 'x' }],
        ['DELETE', '', {}],
        ['POST', '/items', { work_id: 2 }],
        ['PATCH', '/items/1', { note: 'x' }],
        ['DELETE', '/items/1', {}],
      ] as const)
        expect(await ritsu.refused('not_found', method, `${path}/${id}${at}`, params)).toEqual([
          'The list does not exist.',
        ])
    }
    expect(await inList(open, ritsu)).toEqual([1])
    expect(await ritsu.refused('not_found', 'GET', `/v1/lists/${own}/items`)).toEqual([
      'The list does not exist.',
    ])
    expect(await inList(open)).toEqual([1])
  })

  test('one person has at most 100 of them', async () => {
    for (let n = 0; n < 100; n += 1) await make({ name: `L${n}` })
    expect(await mio.refused('invalid_params', 'POST', path, { name: 'x' })).toEqual([
      'name must be of one of at most 100 lists.',
    ])
    await make({}, ritsu)
    const [{ id = 0 } = {}] = handle.query<{ id: number }, []>('select id from lists where user_id = 1').all()
    await mio.done('DELETE', `${path}/${id}`)
    await make()
  })
})

describe('lists are seen as they and the profile say (D72, D73, D88)', () => {
  test('private ones by their owner; those of a private profile by followers; others by members', async () => {
    const [open, members, own] = [
      await make({ visibility: 'public' }),
      await make({ visibility: 'members' }),
      await make({ visibility: 'private' }),
    ]
    expect([await listsOf('mio'), await listsOf('mio', ritsu)]).toEqual([
      [open, members, own],
      [open, members],
    ])
    // What names nobody is the same for everybody, its owner too.
    for (const who of [mio, ritsu]) expect(idsOf(await who.json('/v1/lists'))).toEqual([open, members])
    expect(idsOf(await mio.json(path))).toEqual([open, members, own])
    handle.run('insert into follows (follower_id, followed_id, created_at) values (2, 1, 1)')
    await savePrivacy(deps, 1, { privacy: 'private' })
    expect([await listsOf('mio', ritsu), await listsOf('mio', azusa)]).toEqual([[open, members], []])
    expect(await inList(members, ritsu)).toEqual([])
    await azusa.refused('not_found', 'GET', `/v1/lists/${open}/items`)
    expect(idsOf(await mio.json('/v1/lists'))).toEqual([])
  })

  test('neither side of a block sees the other’s (D78)', async () => {
    const list = await make({ visibility: 'public' })
    await add(list, 1)
    handle.run('insert into blocks (user_id, blocked_id, created_at) values (1, 2, 1)')
    expect([await listsOf('mio', ritsu), idsOf(await ritsu.json('/v1/lists'))]).toEqual([[], []])
    await ritsu.refused('not_found', 'GET', `/v1/lists/${list}/items`)
    expect(await listsOf('mio', azusa)).toEqual([list])
  })

  test('which of them have a work tells nothing of those that one may not see', async () => {
    const [open, own] = [await make({ visibility: 'public' }), await make({ visibility: 'private' })]
    for (const list of [open, own]) await add(list, 1)
    expect(idsOf(await ritsu.json('/v1/lists?filter_work_id=1'))).toEqual([open])
    expect(idsOf(await ritsu.json('/v1/lists?filter_work_id=1&filter_username=mio'))).toEqual([open])
    expect(idsOf(await mio.json(`${path}?filter_work_id=1`))).toEqual([open, own])
  })
})
