import { afterAll, beforeEach, expect, test } from 'bun:test'
import { secretPattern } from '../../../src/lib/secret'
import { rowsOf } from '../../support/counted'
import { createInstance } from '../../support/instance'
import { personOf } from '../../support/people'
import { seedLibrary } from '../../support/seed-library'
import { createMember, createVisitor } from '../../support/visitor'

const kiroku = await createInstance({ seed: seedLibrary, config: { rateLimit: 10_000 } })
const mio = await createMember(kiroku, 'mio')
const api = await personOf(kiroku, 'mio')
const azusa = await personOf(kiroku, 'azusa')
afterAll(kiroku.close)
const { handle } = kiroku.store
beforeEach(() => handle.run('delete from feeds'))

const path = '/settings/calendar'
const feeds = () => rowsOf(handle, 'feeds')
const secretIn = (text: string) => secretPattern.exec(text)?.[0] ?? ''
const statusOf = async (secret: string) => (await kiroku.ask(`/feeds/${secret}.ics`)).status

test('an address is shown once, renewed and revoked (D83)', async () => {
  const made = await mio.submit(path, { name: 'Phone', alarm: '30', wanted: '1', with_rule: '' })
  const secret = secretIn(made.text)
  expect(made.text).toContain(`<code id="ics_url">http://localhost:3000/feeds/${secret}.ics</code>`)
  expect(made.text).toContain(`href="webcal://localhost:3000/feeds/${secret}.ics"`)
  expect(made.text).toContain('Whoever has one of these addresses can read what you watch and when')
  expect(feeds()).toMatchObject([{ user_id: 1, name: 'Phone', alarm: 30, wanted: 1, with_rule: 0 }])
  expect(await statusOf(secret)).toBe(200)
  const list = (await mio.open(path)).text
  expect([list.includes('Phone'), secretIn(list)]).toEqual([true, ''])
  const id = feeds()[0]?.id
  const renewed = secretIn((await mio.submit(`${path}/${id}/renew`)).text)
  expect([await statusOf(secret), await statusOf(renewed)]).toEqual([404, 200])
  expect((await mio.submit(`${path}/${id}/revoke`)).location).toBe(path)
  expect([await statusOf(renewed), feeds()]).toEqual([404, []])
})

test('five are the most; a name that breaks the rule and a strange alarm are refused', async () => {
  expect((await mio.submit(path, { name: ' ' })).status).toBe(422)
  expect((await mio.submit(path, { name: 'x', alarm: '11' })).status).toBe(422)
  for (let n = 0; n < 5; n++) expect((await mio.submit(path, { name: `x${n}` })).status).toBe(200)
  const { text } = await mio.open(path)
  expect([text.includes('You have 5 addresses'), text.includes('data-act="feed_create"')]).toEqual([
    true,
    false,
  ])
  expect(await api.refused('invalid_params', 'POST', '/v1/me/feeds')).toEqual([
    'You have 5 addresses, which is the most. Revoke one to make another.',
  ])
  expect(feeds()).toHaveLength(5)
})

test('they are their owner’s only', async () => {
  await mio.submit(path, { name: 'Phone' })
  const id = feeds()[0]?.id
  const other = await createMember(kiroku, 'azusa')
  for (const page of ['renew', 'revoke']) expect((await other.open(`${path}/${id}/${page}`)).status).toBe(404)
  expect((await azusa.send('DELETE', `/v1/me/feeds/${id}`)).status).toBe(404)
  expect((await createVisitor(kiroku).open(path)).status).toBe(303)
  expect(feeds()).toHaveLength(1)
})

test('POST, GET and DELETE /v1/me/feeds (D83)', async () => {
  expect(
    await api.refused('invalid_params', 'POST', '/v1/me/feeds', { alarm: '11', name: 'x'.repeat(51) }),
  ).toHaveLength(2)
  const made = await api.done('POST', '/v1/me/feeds', { name: 'Watch', alarm: '0', wanted: false })
  const secret = secretIn(made.ics_url)
  expect(made).toEqual({
    id: expect.any(Number),
    ics_url: `http://localhost:3000/feeds/${secret}.ics`,
    atom_url: `http://localhost:3000/feeds/${secret}.atom`,
    following_url: `http://localhost:3000/feeds/${secret}/following.atom`,
  })
  expect((await api.json('/v1/me/feeds')).feeds).toEqual([
    {
      ...{ id: made.id, name: 'Watch', wanted: false, alarm: 0, with_rule: true },
      ...{ created_at: '2026-04-01T12:00:00.000Z', last_used_at: null },
    },
  ])
  expect(await statusOf(secret)).toBe(200)
  await api.done('DELETE', `/v1/me/feeds/${made.id}`)
  expect(await statusOf(secret)).toBe(404)
  expect((await api.send('DELETE', `/v1/me/feeds/${made.id}`)).status).toBe(404)
})

test('sixty reads an hour are answered, each feed by itself, and one more after a minute', async () => {
  const one = secretIn((await api.done('POST', '/v1/me/feeds')).ics_url)
  const other = secretIn((await api.done('POST', '/v1/me/feeds')).ics_url)
  for (let n = 0; n < 60; n++) expect(await statusOf(one)).toBe(200)
  const refused = await kiroku.ask(`/feeds/${one}.ics`)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  expect(await statusOf(other)).toBe(200)
  kiroku.clock.now += 60_000
  expect([await statusOf(one), await statusOf(one)]).toEqual([200, 429])
})

test('wrong secrets count as bad tokens do', async () => {
  const wrong = `kir_fd_${'0'.repeat(49)}`
  const answers = []
  for (let n = 0; n < 61; n++)
    answers.push((await kiroku.ask(`/feeds/${wrong}.ics`, {}, '203.0.113.9')).status)
  expect([answers.slice(0, 60).every((status) => status === 404), answers[60]]).toEqual([true, 429])
})
