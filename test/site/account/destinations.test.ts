import { afterAll, beforeEach, expect, test } from 'bun:test'
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
const made = { kind: 'ntfy', url: `${receiver.url}/my-topic`, token: '', episode: '1', record: '1' }

test('a destination is added, tested and deleted, and its address is not shown again (D85, D86)', async () => {
  expect((await mio.submit(`${path}/new`, made)).location).toBe(path)
  expect(destinations()).toMatchObject([{ user_id: 1, kind: 'ntfy', events: 'episode,record', is_on: 1 }])
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
  const nothing = await mio.submit(`${path}/new`, { ...made, episode: '', record: '' })
  expect([nothing.status, nothing.text]).toEqual([422, expect.stringContaining('Choose at least one')])
  expect(destinations()).toEqual([])
})

test('the quiet time is kept in minutes; empty is none; nonsense is refused (D85)', async () => {
  const kept = () => handle.query('select quiet_from, quiet_to from users where id = 1').get()
  expect((await mio.open(path)).text).toContain('value="23:00"')
  await mio.submit(path, { quiet_from: '22:30', quiet_to: '7:00' })
  expect(kept()).toEqual({ quiet_from: 1350, quiet_to: 420 })
  await mio.submit(path, { quiet_from: '', quiet_to: '' })
  expect(kept()).toEqual({ quiet_from: null, quiet_to: null })
  expect((await mio.submit(path, { quiet_from: '25:00', quiet_to: '7:00' })).status).toBe(422)
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
