import { afterAll, describe, expect, test } from 'bun:test'
import { createNews } from '../support/news'

const { kiroku, handle, receiver, later, add, told, close } = await createNews()
const { clock } = kiroku
const { received } = receiver
afterAll(close)

const minute = 60_000
const bodies = () => received.map(({ body }) => JSON.parse(body))
const make = (kind: string, url = receiver.url, more = {}) =>
  add({ kind, url, events: 'notification', ...more })

describe('each kind is told as it wants', () => {
  const first = async (kind: string, url: string, more = {}) => {
    await make(kind, url, more)
    told()
    await later(0)
    await later(20_000)
    const [one] = received
    if (one === undefined) throw new Error('nothing came')
    return { ...one, json: JSON.parse(one.body) }
  }

  test('webhooks by Standard Webhooks, signed with the secret that was shown once', async () => {
    const { secret } = await make('webhook', `${receiver.url}/in?key=1`)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    told()
    await later(0)
    await later(20_000)
    const [{ path, headers, body } = { path: '', headers: new Headers(), body: '' }] = received
    expect([path, headers.get('webhook-timestamp')]).toEqual(['/in?key=1', String(clock.now / 1000)])
    const key = await crypto.subtle.importKey(
      'raw',
      Buffer.from(secret.slice(6), 'base64'),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['verify'],
    )
    const [version, sum = ''] = headers.get('webhook-signature')?.split(',') ?? []
    const signed = `${headers.get('webhook-id')}.${headers.get('webhook-timestamp')}.${body}`
    const isSigned = await crypto.subtle.verify('HMAC', key, Buffer.from(sum, 'base64'), Buffer.from(signed))
    expect([version, isSigned]).toEqual(['v1', true])
    expect(JSON.parse(body)).toEqual({
      type: 'notification',
      timestamp: new Date(clock.now).toISOString(),
      data: {
        items: [
          {
            ...{ work: null, episode: null, channel: null, started_at: null, estimated: null },
            ...{ text: expect.stringContaining('いいね'), url: 'http://localhost:3000/' },
          },
        ],
        more: 0,
      },
    })
  })

  test('ntfy by JSON to the root, with the topic, and Gotify with its key', async () => {
    const ntfy = await first('ntfy', `${receiver.url}/push/my%20topic`, { token: 'tk_1' })
    expect([ntfy.path, ntfy.headers.get('authorization')]).toEqual(['/push/', 'Bearer tk_1'])
    expect(ntfy.json).toMatchObject({ topic: 'my topic', title: 'お知らせ', click: 'http://localhost:3000/' })
    handle.run('delete from destinations')
    received.length = 0
    const gotify = await first('gotify', `${receiver.url}/g/`, { token: 'AbC' })
    expect([gotify.path, gotify.headers.get('x-gotify-key')]).toEqual(['/g/message', 'AbC'])
    expect(gotify.json).toMatchObject({ title: 'お知らせ', message: expect.stringContaining('いいね') })
  })

  test('Discord names nobody, reads no Markdown, and gets at most 2,000 characters', async () => {
    handle.run("update users set name = '@everyone *a* [b](c) <@1>' where id = 2")
    const { json: one } = await first('discord', receiver.url)
    expect(one.allowed_mentions).toEqual({ parse: [] })
    expect(one.content).toContain('\\@everyone \\*a\\* \\[b\\]\\(c\\) \\<\\@1\\>')
    handle.run('update users set name = ? where id = 2', ['😀'.repeat(500)])
    told(19)
    await later(0)
    await later(60 * minute)
    expect([...bodies()[1].content]).toHaveLength(2000)
  })
})

test('a new episode is told with its work, channel, time and address', async () => {
  await make('webhook', receiver.url, { events: 'episode' })
  handle.run('update programs set started_at = ?, estimated = 0 where id = 1', [clock.now])
  const program = handle
    .query<{ episode_id: number }, []>('select episode_id from programs where id = 1')
    .get()
  handle.run(
    "insert into notifications (user_id, kind, episode_id, began_at, created_at) values (1, 'episode', ?, ?, ?)",
    [program?.episode_id ?? 0, clock.now, clock.now],
  )
  told()
  await later(0)
  await later(20_000)
  const [{ type, data }] = bodies()
  expect([received.length, type]).toEqual([1, 'episode'])
  expect(data.items).toEqual([
    {
      work: expect.objectContaining({ id: expect.any(Number) }),
      episode: expect.objectContaining({ id: program?.episode_id }),
      channel: expect.any(String),
      started_at: new Date(clock.now - 20_000).toISOString(),
      estimated: false,
      text: expect.any(String),
      url: expect.stringMatching(/^http:\/\/localhost:3000\/works\/\d+\/episodes\//),
    },
  ])
})
