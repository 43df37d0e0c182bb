import { afterAll, describe, expect, test } from 'bun:test'
import { endpoints } from '../../src/app'
import { createInstance, idsOf, query } from '../support/instance'
import { heldByUsers, seedLibrary } from '../support/seed-library'

const kiroku = await createInstance({ seed: seedLibrary })
const { get, json, store } = kiroku
afterAll(kiroku.close)

const lists = endpoints.filter(({ method, path }) => method === 'GET' && path !== '/v1/me')
const has = (name: string) =>
  lists.filter(({ operation }) => name in operation.params).map(({ path }) => path)
function rowsOf(path: string) {
  const rows = heldByUsers[path.replace('/v1/', '') as keyof typeof heldByUsers]
  if (rows === undefined)
    throw new Error(`which rows of ${path} are shown is not in test/support/seed-library.ts`)
  return rows
}

describe.each(has('filter_ids'))('%s', (path) => {
  const { shown, hidden } = rowsOf(path)
  const ids = async (params: Record<string, string> = {}) => idsOf(await json(path + query(params)))

  test('returns every shown row by id, and counts them', async () => {
    const body = await json(path)
    expect([idsOf(body), body.total_count]).toEqual([[...shown], shown.length])
  })

  test('returns no hidden row, whatever the query (D37, D39, D42)', async () => {
    for (const params of [{ filter_ids: hidden.join(',') || ',' }, { sort_id: 'desc' }, { per_page: '50' }]) {
      expect(await ids(params)).not.toContainAnyValues([...hidden])
    }
    const { total_count } = await json(`${path}?filter_ids=${[...shown, ...hidden]}`)
    expect(total_count).toBe(shown.length)
  })

  test('filter_ids accepts ids in any order, with gaps, duplicates and unknown ones', async () => {
    const [first = 0, second = 0] = shown
    for (const filter_ids of [
      `${second},${first}`,
      `,${first},,${second},`,
      `${first},${first},${second},999999`,
    ]) {
      expect(await ids({ filter_ids })).toEqual([first, second])
    }
    expect(await ids({ filter_ids: `00${first}` })).toEqual([first])
    for (const none of [',', ',,,', '0', '999999999999999'])
      expect(await ids({ filter_ids: none })).toEqual([])
  })

  test('filter_ids accepts 500 ids, not 501, of 15 digits, not 16', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => at + 1).join(',')
    expect(await ids({ filter_ids: many(500) })).toEqual([...shown])
    expect(await ids({ filter_ids: `${many(500)},,,` })).toEqual([...shown])
    for (const filter_ids of [many(501), '1'.repeat(16), '1;2', '1,a', '1, 2', '-1']) {
      expect((await get(path + query({ filter_ids }))).status).toBe(400)
    }
  })

  test('sort_id reverses the order', async () => {
    expect(await ids({ sort_id: 'asc' })).toEqual([...shown])
    expect(await ids({ sort_id: 'desc' })).toEqual(shown.toReversed())
  })
})

describe.each(has('filter_work_id'))('%s filter_work_id', (path) => {
  const ids = async (work: string) => idsOf(await json(`${path}?filter_work_id=${work}`))

  test('narrows to a work; for an unknown or hidden one there is only what users wrote (D42)', async () => {
    const known = { '/v1/episodes': [1, 2, 3, 4], '/v1/records': [1, 2, 3, 6], '/v1/me/lists': [1] }
    const ofWork = known[path as keyof typeof known] ?? [1, 2]
    expect(await ids('1')).toEqual(ofWork)
    const ofHidden = { '/v1/records': [4], '/v1/me/lists': [1] }
    expect(await ids('9')).toEqual(ofHidden[path as keyof typeof ofHidden] ?? [])
    for (const none of ['999', '999999999999999']) expect(await ids(none)).toEqual([])
  })
})

describe.each(has('sort_sort_number'))('%s sort_sort_number', (path) => {
  const orders: Readonly<Record<string, [asc: number[], desc: number[]]>> = {
    '/v1/episodes': [
      [6, 4, 2, 3, 1],
      [1, 2, 3, 4, 6],
    ],
    '/v1/staffs': [
      [2, 3, 1],
      [1, 2, 3],
    ],
    '/v1/casts': [
      [2, 3, 1],
      [1, 2, 3],
    ],
  }

  test('sorts both ways, ties by id; sort_id comes first', async () => {
    const [asc, desc] = orders[path] ?? []
    expect(idsOf(await json(`${path}?sort_sort_number=asc`))).toEqual(asc ?? [])
    expect(idsOf(await json(`${path}?sort_sort_number=desc`))).toEqual(desc ?? [])
    const both = await json(`${path}?sort_sort_number=asc&sort_id=desc`)
    expect(idsOf(both)).toEqual(rowsOf(path).shown.toReversed())
  })
})

describe.each(has('filter_name'))('%s filter_name (D17)', (path) => {
  const found = async (filter_name: string) => idsOf(await json(path + query({ filter_name })))

  test.each(path === '/v1/series' ? seriesNames() : names())('finds %s', async (_, name, ids) => {
    expect(await found(name)).toEqual(ids)
  })

  test('no longer returns a row once it is hidden', async () => {
    const table = path.replace('/v1/', '')
    store.handle.run(`update ${table} set hidden = 1 where id = 1`)
    expect(await found(path === '/v1/series' ? '星降る' : '青井')).toEqual([])
    store.handle.run(`update ${table} set hidden = 0 where id = 1`)
  })
})

function names(): [string, string, number[]][] {
  return [
    ['a part of the name', '青井', [1]],
    ['one character', '井', [1]],
    ['the reading', 'あおいみ', [1]],
    ['the reading in katakana', 'アオイ', [1]],
    ['the English name, whatever its case', 'MINATO', [1]],
    ['full-width letters', 'ａｏｉ', [1]],
    ['katakana for half-width katakana', 'ハル', [2]],
    ['hiragana for half-width katakana', 'はる', [2]],
    ['half-width katakana', 'ﾊ', [2]],
    ['a hidden one', '隠れた', []],
    ['a percent sign, as itself', '%', []],
    ['an underscore, as itself', '_', []],
  ]
}

function seriesNames(): [string, string, number[]][] {
  return [
    ['a part of the name', '降る', [1]],
    ['the romanized name', 'furu', [1]],
    ['the English name', 'GARDEN', [1]],
    ['another name', '青井', [2]],
    ['a hidden one', '隠れた', []],
    ['a percent sign, as itself', '%', []],
  ]
}
