import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { rowsOf } from '../../support/counted'
import { createInstance } from '../../support/instance'
import { createReceiver } from '../../support/news'
import { seedLibrary } from '../../support/seed-library'
import { createMember, createVisitor, hiddenInputs } from '../../support/visitor'

const receiver = createReceiver()
const outgoingAllow = [{ hostname: '127.0.0.1', port: receiver.port }]
const kiroku = await createInstance({ seed: seedLibrary, config: { rateLimit: 10_000, outgoingAllow } })
const mio = await createMember(kiroku, 'mio')
afterAll(async () => {
  await receiver.stop()
  await kiroku.close()
})
const { handle } = kiroku.store
beforeEach(() => {
  for (const table of ['outgoing', 'destinations']) handle.run(`delete from ${table}`)
  receiver.received.length = 0
  receiver.state.answer = () => new Response('ok')
})

const path = '/settings/notifications'
const destinations = () => rowsOf(handle, 'destinations')
const made = { kind: 'ntfy', url: `${receiver.url}/my-topic`, token: '', episode: '1', notification: '1' }

test('a destination is added, tested and deleted, and its address is not shown again (D85, D86)', async () => {
  expect((await mio.submit(`${path}/new`, made)).location).toBe(path)
  expect(destinations()).toMatchObject([
    { user_id: 1, kind: 'ntfy', events: 'episode,notification', is_on: 1 },
  ])
  const id = destinations()[0]?.id
  const { text } = await mio.open(path)
  expect(text).toContain('New episodes')
  expect(text).not.toContain('my-topic')
  await mio.submit(path, {}, `${path}/${id}/test`)
  expect(receiver.received.map(({ body }) => JSON.parse(body).topic)).toEqual(['my-topic'])
  expect((await mio.open(path)).text).toContain('The test arrived.')
  receiver.state.answer = () => new Response('', { status: 500 })
  await mio.submit(path, {}, `${path}/${id}/test`)
  expect((await mio.open(path)).text).toContain('The test did not arrive.')
  expect((await mio.submit(`${path}/${id}/delete`)).location).toBe(path)
  expect([destinations(), rowsOf(handle, 'outgoing')]).toEqual([[], []])
})

test('one that was switched off says so, with the last answer', async () => {
  await mio.submit(`${path}/new`, made)
  receiver.state.answer = () => new Response('', { status: 503 })
  await mio.submit(path, {}, `${path}/${destinations()[0]?.id}/test`)
  handle.run('update destinations set is_on = 0')
  expect((await mio.open(path)).text).toContain('Ten failures in a row, switched off (503)')
})

test('the secret of a webhook is shown once', async () => {
  const { text } = await mio.submit(`${path}/new`, { ...made, kind: 'webhook' })
  expect(/<code id="secret">(whsec_[^<]+)</.exec(text)?.[1]).toBe(String(destinations()[0]?.secret))
  expect((await mio.open(path)).text).not.toContain('whsec_')
})

test('an address that is not public, and a choice of nothing, are refused and keep what was typed', async () => {
  const refused = await mio.submit(`${path}/new`, { ...made, url: 'https://10.0.0.1/secret' })
  expect([refused.status, refused.text]).toEqual([
    422,
    expect.stringContaining('value="https://10.0.0.1/secret"'),
  ])
  expect(refused.text).toContain('The address must be a public https address')
  const nothing = await mio.submit(`${path}/new`, { ...made, episode: '', notification: '' })
  expect([nothing.status, nothing.text]).toEqual([422, expect.stringContaining('Choose at least one')])
  expect(destinations()).toEqual([])
})

/** The form as a browser sends it: with the boxes that are checked, but for `changed`. */
async function save(changed: Record<string, string> = {}, shown = '') {
  const text = shown || (await mio.open(path)).text
  const boxes = [...text.matchAll(/<input type="checkbox" name="([^"]+)" value="1" [^>]*?checked/g)]
  const checked = Object.fromEntries(boxes.map(([, name = '']) => [name, '1']))
  const hours = [...text.matchAll(/name="(quiet_\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
    name,
    value,
  ])
  const values = { ...hiddenInputs(text, path), ...checked, ...Object.fromEntries(hours), ...changed }
  return await mio.post(path, values)
}

describe('what one is told of, by kinds and ways (D85)', () => {
  const notHere = () => handle.query('select not_here from users where id = 1').get()
  const events = () => destinations().map((row) => row.events)
  beforeEach(() => handle.run("update users set not_here = ''"))
  const on = '1'
  const off = ''

  test('what is unchecked is not shown here, and not counted, but for what cannot be chosen', async () => {
    const like = "insert into notifications (user_id, actor_id, kind, created_at) values (1, 2, 'like', 1)"
    for (const sql of [like, like.replace("'like'", "'destination_off'")]) handle.run(sql)
    const shown = async () =>
      (await kiroku.json('/v1/me/notifications')).notifications.map(
        ({ action }: { action: string }) => action,
      )
    const before = await shown()
    expect(before).toContain('like')
    await save({ here_like: off })
    expect(notHere()).toEqual({ not_here: 'like' })
    expect(await shown()).toEqual(before.filter((action: string) => action !== 'like'))
    expect((await kiroku.json('/v1/me/notification_settings')).here).toEqual([
      'episode',
      'comment',
      'follow',
      'meeting',
      'report',
    ])
    expect((await mio.open('/notifications')).text).not.toContain('liked what')
    await save({ here_like: on })
    expect(await shown()).toEqual(before)
    handle.run('delete from notifications where created_at = 1 and id > 2')
  })

  test('each destination has its own; records go to webhooks only', async () => {
    await mio.submit(`${path}/new`, made)
    await mio.submit(`${path}/new`, { ...made, kind: 'webhook', notification: '' })
    const [ntfy, webhook] = destinations().map((row) => row.id)
    await save({ [`${ntfy}_comment`]: off, [`${webhook}_record`]: on, [`${webhook}_follow`]: on })
    expect(events()).toEqual(['episode,like,follow,meeting,report', 'episode,record,follow'])
    const { text } = await mio.open(path)
    expect([text.includes(`name="${webhook}_record"`), text.includes(`name="${ntfy}_record"`)]).toEqual([
      true,
      false,
    ])
    const refused = await mio.submit(`${path}/new`, { ...made, record: '1' })
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('Only a webhook can be told'),
    ])
  })

  test('a form that was open meanwhile loses nothing that a program set', async () => {
    await mio.submit(`${path}/new`, { ...made, kind: 'webhook', notification: '' })
    const { text } = await mio.open(path)
    const id = destinations()[0]?.id
    handle.run("update destinations set events = 'episode,notification,record'")
    await mio.submit(`${path}/new`, made)
    const settings = new URLSearchParams({ here: 'episode,comment', quiet_from: '21:15' })
    await kiroku.get('/v1/me/notification_settings', { method: 'PATCH', body: settings })
    await save({ [`${id}_episode`]: off, here_follow: off, quiet_to: '6:00' }, text)
    expect(events()).toEqual(['notification,record', 'episode,notification'])
    expect(notHere()).toEqual({ not_here: 'like,follow,meeting,report' })
    expect(handle.query('select quiet_from, quiet_to from users where id = 1').get()).toEqual({
      quiet_from: 21 * 60 + 15,
      quiet_to: 360,
    })
  })

  test('what was chosen stays when the time is refused', async () => {
    const { status, text } = await save({ here_like: off, quiet_from: '25:00' })
    expect(status).toBe(422)
    await save({ quiet_from: '22:00' }, text)
    expect(notHere()).toEqual({ not_here: 'like' })
  })
})

test('the quiet time is kept in minutes; empty is none; nonsense is refused (D85)', async () => {
  const kept = () => handle.query('select quiet_from, quiet_to from users where id = 1').get()
  handle.run('update users set quiet_from = 1380, quiet_to = 480')
  expect((await mio.open(path)).text).toContain('value="23:00"')
  await save({ quiet_from: '22:30', quiet_to: '7:00' })
  expect(kept()).toEqual({ quiet_from: 1350, quiet_to: 420 })
  await save({ quiet_from: '', quiet_to: '' })
  expect(kept()).toEqual({ quiet_from: null, quiet_to: null })
  expect((await save({ quiet_from: '25:00', quiet_to: '7:00' })).status).toBe(422)
})

test('they are their owner’s only', async () => {
  await mio.submit(`${path}/new`, made)
  const id = destinations()[0]?.id
  const other = await createMember(kiroku, 'azusa')
  expect((await other.open(`${path}/${id}/delete`)).status).toBe(404)
  const own = hiddenInputs((await other.open(path)).text, path)
  expect((await other.post(`${path}/${id}/test`, own)).status).toBe(404)
  expect(receiver.received).toEqual([])
  expect((await createVisitor(kiroku).open(path)).status).toBe(303)
})
