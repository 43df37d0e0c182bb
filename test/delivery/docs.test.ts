import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { createNews } from '../support/news'

const { handle, receiver, later, add, told, close } = await createNews()
afterAll(close)

const docs = await Bun.file(join(import.meta.dir, '../../docs/notifications.md')).text()
const example = (language: string) =>
  new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(docs)?.[1] ?? ''

test('the code for receivers in docs/notifications.md accepts what is sent, and nothing else (D85)', async () => {
  const url = URL.createObjectURL(new Blob([example('js')], { type: 'text/javascript' }))
  const { isFromKiroku } = await import(url)
  const { secret } = await add({ kind: 'webhook', url: receiver.url, events: 'like' })
  told()
  await later(0)
  await later(20_000)
  const [{ headers, body } = { headers: new Headers(), body: '' }] = receiver.received
  const sent = Object.fromEntries(headers)
  expect(isFromKiroku(secret, sent, body)).toBe(true)
  expect(isFromKiroku(secret, sent, `${body} `)).toBe(false)
  expect(isFromKiroku(secret, { ...sent, 'webhook-timestamp': '1' }, body)).toBe(false)
  expect(isFromKiroku(`whsec_${'A'.repeat(44)}`, sent, body)).toBe(false)
})

test('its example has the keys of what is sent', async () => {
  await add({ kind: 'webhook', url: receiver.url, events: 'episode' })
  handle.run(
    "insert into notifications (user_id, kind, episode_id, began_at, created_at) values (1, 'episode', 2, 1, ?)",
    [Date.UTC(2026, 3, 1, 12)],
  )
  await later(0)
  await later(20_000)
  const sent = JSON.parse(receiver.received[0]?.body ?? '{}')
  const shown = JSON.parse(example('json'))
  const keys = (value: object) => [Object.keys(value)]
  const [item, own] = [shown.data.items[0], sent.data.items[0]]
  expect([keys(shown), keys(shown.data), keys(item), keys(item.work), keys(item.episode)]).toEqual([
    ...[keys(sent), keys(sent.data), keys(own), keys(own.work), keys(own.episode)],
  ])
})
