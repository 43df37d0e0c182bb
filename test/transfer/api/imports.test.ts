import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { listsOf } from '../../../src/transfer/batch/lists-of'
import {
  type Body,
  createInstance,
  formData,
  type Instance,
  refusals,
  withToken,
} from '../../support/instance'
import { type Params, type Person, personOf } from '../../support/people'

let kiroku: Instance
let ritsu: Person
beforeAll(async () => {
  kiroku = await createInstance()
  ritsu = await personOf(kiroku, 'Ritsu_T')
})
afterAll(() => kiroku.close())

const path = '/v1/me/imports'
const list = [
  'work_id,title,year,status,episode,watched_at,score_format',
  '1,星降る庭,2021,watching,1,2024-04-01T21:00:00+09:00,',
  '2,ガラスの汽車,2021,wanna_watch,,,',
  ',知らない作品,1999,watched,,,',
].join('\n')

/** Uploads a file as mio, or with another token. */
const send = (file: string | Blob, fields: Record<string, string> = {}, token = kiroku.token) =>
  kiroku.ask(path, withToken(token, { method: 'POST', body: formData({ ...fields, file: blob(file) }) }))
const blob = (file: string | Blob) => (typeof file === 'string' ? new File([file], 'list.csv') : file)

async function preview(file: string = list, fields: Record<string, string> = {}): Promise<Body> {
  const response = await send(file, fields)
  expect([response.status, await response.clone().text()]).toEqual([201, expect.any(String)])
  return await response.json()
}

const json = async (target: string) => (await kiroku.get(target)).json() as Promise<Body>
const change = (method: string, target: string, params: Params = {}) =>
  kiroku.get(target, {
    method,
    body: JSON.stringify(params),
    headers: { 'content-type': 'application/json' },
  })

async function settled(id: number): Promise<Body> {
  await listsOf(kiroku.deps).settled(id)
  return await json(`${path}/${id}`)
}

const library = async () => {
  const { works } = await json('/v1/me/works?per_page=50')
  const { total_count } = await json('/v1/records?filter_username=mio')
  return { works: works.map(({ id, status }: Body) => [id, status.kind]), records: total_count }
}

beforeEach(async () => {
  for (const { id } of (await json(path)).imports) {
    await change('POST', `${path}/${id}/undo`)
    await settled(id)
    expect((await change('DELETE', `${path}/${id}`)).status).toBe(204)
    await listsOf(kiroku.deps).settled(id)
  }
})

describe('a list imported by the API', () => {
  test('is for the caller alone with all_private, until it is applied (D72)', async () => {
    const made = await preview()
    await change('PATCH', `${path}/${made.id}`, { all_private: true })
    await change('POST', `${path}/${made.id}/apply`)
    expect(await settled(made.id)).toMatchObject({ state: 'applied', all_private: true })
    expect((await json('/v1/records?filter_username=mio')).records).toMatchObject([{ private: true }])
    expect((await ritsu.json('/v1/records?filter_username=mio')).total_count).toBe(0)
  })

  test('is first shown as a preview, and changes nothing', async () => {
    const before = await library()
    const made = await preview()
    expect(made).toMatchObject({ source: 'csv', file_name: 'list.csv', state: 'preview', conflict: 'keep' })
    expect(made.counts).toEqual({
      ...{ new: 2, unchanged: 0, conflict: 0, check: 0, not_found: 1, skipped: 0, error: 0 },
    })
    expect(await json(`${path}/${made.id}`)).toEqual(made)
    expect((await json(path)).imports).toEqual([made])
    expect(await library()).toEqual(before)
  })

  test('has rows, by page, state and reason', async () => {
    const { id } = await preview()
    const all = await json(`${path}/${id}/rows`)
    expect(all.total_count).toBe(3)
    expect(all.rows.map(({ row, state, work_id }: Body) => [row, state, work_id])).toEqual([
      [1, 'new', 1],
      [2, 'new', 2],
      [3, 'not_found', null],
    ])
    const second = await json(`${path}/${id}/rows?per_page=1&page=2`)
    expect(second).toEqual({ rows: [all.rows[1]], total_count: 3, next_page: 3, prev_page: 1 })
    expect((await json(`${path}/${id}/rows?filter_state=not_found`)).rows).toEqual([all.rows[2]])
    expect((await json(`${path}/${id}/rows?filter_reason=private`)).rows).toEqual([])
  })

  test('is applied, undone, and applied again', async () => {
    const before = await library()
    const { id } = await preview()
    expect((await change('POST', `${path}/${id}/apply`)).status).toBe(200)
    const applied = await settled(id)
    expect(applied).toMatchObject({ state: 'applied', progress: { done: 3, total: 3 } })
    const after = await library()
    expect(after.records).toBe(before.records + 1)
    expect(after).not.toEqual(before)
    expect((await preview()).counts).toMatchObject({ new: 0, unchanged: 2, not_found: 1 })
    expect((await change('POST', `${path}/${id}/undo`)).status).toBe(200)
    expect(await settled(id)).toMatchObject({ state: 'undone', left: [] })
    expect(await library()).toEqual(before)
    expect((await change('POST', `${path}/${id}/undo`)).status).toBe(200)
    expect((await preview()).counts).toMatchObject({ new: 2, not_found: 1 })
  })

  test('accepts decisions on rows', async () => {
    const { id } = await preview()
    const rows = `${path}/${id}/rows`
    for (const [target, params, rule] of [
      ['3', { episode_offset: 12 }, /^episode_offset requires work_id/],
      ['3', { work_id: 999_999 }, /^work_id /],
      ['1', { decision: 'perhaps' }, 'decision must be one of accept, skip.'],
    ] as const)
      expect(await refusals(await change('PATCH', `${rows}/${target}`, params), 'invalid_params')).toEqual([
        expect.stringMatching(rule),
      ])
    expect(await (await change('PATCH', `${rows}/3`, { work_id: 4 })).json()).toMatchObject({
      row: 3,
      state: 'new',
      work_id: 4,
      matched_by: 'choice',
    })
    expect(await (await change('PATCH', `${rows}/2`, { decision: 'skip' })).json()).toMatchObject({
      state: 'skipped',
      reason: 'chosen',
    })
    expect((await json(`${path}/${id}`)).counts).toMatchObject({ new: 2, skipped: 1, not_found: 0 })
    await refusals(await change('PATCH', `${rows}/99`, { decision: 'skip' }), 'not_found')
  })

  test('accepts new options', async () => {
    const { id } = await preview('title,year,status,rating\n星降る庭,2021,watched,3\n')
    expect((await json(`${path}/${id}`)).asks).toContainEqual(
      expect.objectContaining({ name: 'score_format' }),
    )
    expect((await change('POST', `${path}/${id}/apply`)).status).toBe(400)
    const changed = await change('PATCH', `${path}/${id}`, { score_format: 'POINT_5', conflict: 'file' })
    expect(await changed.json()).toMatchObject({ score_format: 'POINT_5', conflict: 'file', asks: [] })
    expect((await json(`${path}/${id}/rows`)).rows[0]).toMatchObject({ rating: 'average' })
  })

  test('offers the rest as a file to upload again', async () => {
    const { id } = await preview()
    const response = await kiroku.get(`${path}/${id}/rest.csv`)
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const rest = await response.text()
    expect(rest).toContain('知らない作品')
    expect(rest).not.toContain('星降る庭')
    expect((await preview(rest)).counts).toMatchObject({ not_found: 1 })
  })
})

describe('refused', () => {
  test.each<[string, () => Promise<Response>, string | RegExp]>([
    [
      'no file',
      () => kiroku.get(path, { method: 'POST', body: formData({ source: 'mal' }) }),
      'file is required.',
    ],
    [
      'text for a file',
      () => kiroku.get(path, { method: 'POST', body: formData({ file: 'x' }) }),
      'file must be a file.',
    ],
    [
      'no form',
      () => kiroku.get(path, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }),
      /^The body must be multipart/,
    ],
    ['an unknown source', () => send(list, { source: 'myspace' }), /^source must be one of mal, /],
    ['an unknown zone', () => send(list, { time_zone: 'Mars/Base' }), /^time_zone must be the IANA name/],
    ['an empty file', () => send(''), /^empty: /],
    ['another kind of file', () => send('%PDF-1.4'), /^unrecognised: /],
  ])('%s', async (_, ask, rule) => {
    expect(await refusals(await ask(), 'invalid_params')).toEqual([expect.stringMatching(rule)])
    expect((await json(path)).total_count).toBe(0)
    expect(readdirSync(join(kiroku.deps.config.data, 'uploads'))).toEqual([])
  })

  test('a file that is too large, which leaves nothing on disk', async () => {
    await refusals(await send(new Blob([new Uint8Array(33 * 1024 * 1024)])), 'payload_too_large')
    expect(readdirSync(join(kiroku.deps.config.data, 'uploads'))).toEqual([])
  })

  test('without a token, or with one that may only read', async () => {
    const [reading, writing] = [await kiroku.tokenOf('mio', 'read'), await kiroku.tokenOf('mio', 'write')]
    expect((await kiroku.ask(path, { method: 'POST', body: formData({ file: blob(list) }) })).status).toBe(
      401,
    )
    expect((await send(list, {}, reading)).status).toBe(403)
    const { id } = (await (await send(list, {}, writing)).json()) as Body
    for (const target of [path, `${path}/${id}`, `${path}/${id}/rows`, `${path}/${id}/rest.csv`]) {
      expect((await kiroku.ask(target, withToken(reading))).status).toBe(200)
      expect((await kiroku.ask(target, withToken(writing))).status).toBe(403)
    }
    for (const verb of ['apply', 'undo', 'cancel'])
      expect((await kiroku.ask(`${path}/${id}/${verb}`, withToken(reading, { method: 'POST' }))).status).toBe(
        403,
      )
  })

  test('an import of somebody else, which does not exist for the caller', async () => {
    const { id } = await preview()
    const one = `${path}/${id}`
    expect((await ritsu.json(path)).total_count).toBe(0)
    for (const [method, target, params] of [
      ['GET', one],
      ['GET', `${one}/rows`],
      ['GET', `${one}/rest.csv`],
      ['PATCH', one, { conflict: 'file' }],
      ['PATCH', `${one}/rows/1`, { decision: 'skip' }],
      ['POST', `${one}/apply`],
      ['POST', `${one}/undo`],
      ['POST', `${one}/cancel`],
      ['DELETE', one],
    ] as const)
      await ritsu.refused('not_found', method, target, params)
    expect(await json(one)).toMatchObject({ id, state: 'preview' })
  })

  test('a request that does not fit the state, which the error names', async () => {
    const { id } = await preview()
    expect(await refusals(await change('POST', `${path}/${id}/undo`), 'invalid_params')).toEqual([
      expect.stringContaining('preview'),
    ])
    await change('POST', `${path}/${id}/apply`)
    await settled(id)
    expect(
      await refusals(await change('PATCH', `${path}/${id}`, { conflict: 'file' }), 'invalid_params'),
    ).toEqual([expect.stringContaining('applied')])
  })
})
