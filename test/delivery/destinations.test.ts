import { afterAll, describe, expect, test } from 'bun:test'
import { createNews } from '../support/news'

const names: Record<string, string[]> = {
  'hooks.example': ['93.184.215.14'],
  'inside.example': ['192.168.1.5'],
  'both.example': ['93.184.215.14', '127.0.0.1'],
  'mapped.example': ['::ffff:10.0.0.1'],
  'rebinding.example': ['93.184.215.14'],
}
const { kiroku, handle, receiver, later, add, told, queue, close } = await createNews(names)
const { get, json } = kiroku
const { received, state } = receiver
afterAll(close)

const bodies = () => received.map(({ body }) => JSON.parse(body))
const make = (kind: string, url = receiver.url, more = {}) =>
  add({ kind, url, events: 'notification', ...more })

describe('only public addresses are contacted, and those that the operator named (D86)', () => {
  test.each([
    ['http://hooks.example/x', 'not https on its usual port'],
    ['https://hooks.example:8443/x', 'not https on its usual port'],
    ['ftp://hooks.example/x', 'not https on its usual port'],
    ['file:///etc/passwd', 'not https on its usual port'],
    ['https://mio:secret@hooks.example/x', 'a name or password in the address'],
    ['hooks.example', 'no address'],
    ['https://inside.example/', 'not a public address'],
    ['https://both.example/', 'not a public address'],
    ['https://mapped.example/', 'not a public address'],
    ['https://127.0.0.1/', 'not a public address'],
    ['https://2130706433/', 'not a public address'],
    ['https://0x7f000001/', 'not a public address'],
    ['https://0177.1/', 'not a public address'],
    ['https://[::1]/', 'not a public address'],
    ['https://[::ffff:127.0.0.1]/', 'not a public address'],
    ['https://[::ffff:7f00:1]/', 'not a public address'],
    // The operator allowed another port.
    ['http://127.0.0.1:1/', 'not https on its usual port'],
  ])('%s is refused when it is made', async (url, why) => {
    const { status, errors } = await make('webhook', url)
    expect([status, JSON.stringify(errors)]).toEqual([
      400,
      expect.stringContaining(`url must be a public https address without a name or password in it: ${why}.`),
    ])
    expect(handle.query('select count(*) as n from destinations').get()).toEqual({ n: 0 })
  })

  test('a name that has a private address by the time of sending is not contacted', async () => {
    const { id } = await make('webhook', 'https://rebinding.example/')
    names['rebinding.example'] = ['127.0.0.1']
    told()
    await later(0)
    await later(20_000)
    expect(queue()).toMatchObject([
      { state: 'failed', tries: 1, why: 'not a public address, or not https on its usual port' },
    ])
    const tested = await get(`/v1/me/destinations/${id}/test`, { method: 'POST' })
    expect(await tested.json()).toEqual({
      status: 'failed',
      http_status: null,
      why: 'not a public address, or not https on its usual port',
    })
  })

  test('a host that the operator named may be private, by http, on its port', async () => {
    const { id, status } = await make('webhook')
    expect(status).toBe(200)
    const tested = await get(`/v1/me/destinations/${id}/test`, { method: 'POST' })
    expect(await tested.json()).toEqual({ status: 'sent', http_status: 200, why: null })
    state.answer = () => new Response('', { status: 302, headers: { location: receiver.url } })
    const again = await get(`/v1/me/destinations/${id}/test`, { method: 'POST' })
    expect(await again.json()).toEqual({ status: 'failed', http_status: 302, why: null })
    expect(received).toHaveLength(2)
  })

  test('ten at most', async () => {
    for (let n = 0; n < 10; n++) expect((await make('discord')).status).toBe(200)
    expect((await make('discord')).status).toBe(400)
  })
})

describe('one’s own record is told a minute later (D85)', () => {
  const recorded = async (params: Record<string, string> = {}) => {
    const body = new URLSearchParams({ episode_id: '2', ...params })
    const response = await get('/v1/me/records', { method: 'POST', body })
    expect(response.status).toBe(200)
    return (await response.json()) as { id: number }
  }
  const sent = async () => {
    await later(59_999)
    expect(queue()).toEqual([])
    await later(1)
    await later(20_000)
    return bodies().flatMap(({ type, data }) =>
      data.items.map((item: { episode: unknown }) => [type, item.episode]),
    )
  }

  test('by its episode, to whom asked for records', async () => {
    await make('webhook', receiver.url, { events: 'record' })
    await recorded()
    expect(await sent()).toEqual([['record', expect.objectContaining({ id: 2 })]])
  })

  test('not if it was taken back or is private, nor what came with an import or is of the past', async () => {
    await make('webhook', receiver.url, { events: 'record' })
    const { id } = await recorded()
    await get(`/v1/me/records/${id}`, { method: 'DELETE' })
    await recorded({ private: 'true' })
    const past = await recorded({ watched_at: '' })
    handle.run("update records set watched_at_precision = 'none' where id = ?", [past.id])
    const imported = await recorded()
    const row = handle
      .query<{ work_id: number }, [number]>('select work_id from records where id = ?')
      .get(imported.id)
    handle.run(
      "insert into list_imports (id, user_id, source, file_name, state, time_zone, created_at, changed_at) values (99, 1, 'csv', 'a', 'applied', 'UTC', 1, 1)",
    )
    handle.run(
      "insert into changes (user_id, import_id, work_id, table_name, row_id, last_id) values (1, 99, ?, 'records', ?, ?)",
      [row?.work_id ?? 0, imported.id, imported.id],
    )
    expect(await sent()).toEqual([])
  })
})

test('an address, a token or a secret is in no list, log, error or export', async () => {
  const { secret } = await make('gotify', `${receiver.url}/very-secret-path?k=7`, {
    token: 'very-secret-token',
  })
  expect(secret).toBeNull()
  const url = 'https://inside.example/very-secret-path'
  const asked = `/v1/me/destinations?kind=ntfy&events=episode&token=very-secret-token&url=${encodeURIComponent(url)}`
  const refused = await get(asked, { method: 'POST' })
  state.answer = () => new Response('', { status: 500 })
  told()
  await later(0)
  await later(20_000)
  const list = await json('/v1/me/destinations')
  const messages = await json(`/v1/me/destinations/${list.destinations[0].id}/messages`)
  expect(messages.messages).toMatchObject([{ state: 'waiting', tries: 1, items: 1, http_status: 500 }])
  const texts = [list, messages, await refused.text(), kiroku.lines]
  expect(JSON.stringify(texts)).not.toMatch(/very-secret|whsec_|127\.0\.0\.1:/)
})

test('nobody else’s destination can be listed, tested or deleted', async () => {
  const { id } = await make('webhook')
  const other = await kiroku.tokenOf('Ritsu_T', 'read write')
  for (const [method, path] of [
    ['GET', '/messages'],
    ['POST', '/test'],
    ['DELETE', ''],
  ] as const) {
    const headers = { Authorization: `Bearer ${other}` }
    expect((await kiroku.ask(`/v1/me/destinations/${id}${path}`, { method, headers })).status).toBe(404)
  }
  expect((await get(`/v1/me/destinations/${id}`, { method: 'DELETE' })).status).toBe(204)
})

test('the quiet time is 23:00 to 8:00 until its person changes it, and none without one of them (D85)', async () => {
  const patch = async (params: Record<string, string>) => {
    const response = await get('/v1/me/notification_settings', {
      method: 'PATCH',
      body: new URLSearchParams(params),
    })
    return [response.status, await response.json()]
  }
  handle.run('update users set quiet_from = 1380, quiet_to = 480 where id = 1')
  const rest = { digest: [], here: ['episode', 'like', 'comment', 'follow', 'meeting', 'report'] }
  expect(await json('/v1/me/notification_settings')).toEqual({
    ...rest,
    quiet_from: '23:00',
    quiet_to: '08:00',
  })
  expect(await patch({ quiet_from: '0:30' })).toEqual([
    200,
    { ...rest, quiet_from: '00:30', quiet_to: '08:00' },
  ])
  expect(await patch({ quiet_from: '', here: 'like' })).toEqual([
    200,
    { digest: [], here: ['like'], quiet_from: null, quiet_to: '08:00' },
  ])
  expect(await patch({ here: '' })).toMatchObject([200, { here: [] }])
  expect((await patch({ here: 'record' }))[0]).toBe(400)
  expect((await patch({ quiet_to: '24:00' }))[0]).toBe(400)
})
