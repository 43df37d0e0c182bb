import { describe, expect, test } from 'bun:test'
import { clientAddress, peersOf } from '../../../src/http/incoming'
import { isLoopback, networkOf, parseNetwork } from '../../../src/lib/network'
import { createInstance, requestOf } from '../../support/instance'

const trusted = ['127.0.0.1', '10.0.0.0/8', '2001:db8:1::/48'].map((text) => parseNetwork(text) ?? '')

const clientOf = (peer: string, forwarded?: string) =>
  clientAddress(
    requestOf('/', forwarded === undefined ? {} : { headers: { 'x-forwarded-for': forwarded } }),
    peersOf(trusted)(peer),
    trusted,
  )

describe('X-Forwarded-For (ASVS 4.1.3)', () => {
  test.each([
    ['203.0.113.9', '198.51.100.1'],
    ['203.0.113.9', '10.0.0.1'],
    ['::ffff:203.0.113.9', '10.0.0.1'],
    ['2001:db8:2::1', '198.51.100.1'],
  ])('is not read when %s, whom nobody trusts, sends it', (peer, forwarded) => {
    expect(clientOf(peer, forwarded)).toBe(peer.replace('::ffff:', ''))
  })

  test.each([
    ['198.51.100.1', '198.51.100.1'],
    ['203.0.113.66, 198.51.100.1', '198.51.100.1'],
    ['127.0.0.1, 198.51.100.1', '198.51.100.1'],
    ['198.51.100.1, 10.1.2.3, 10.9.9.9', '198.51.100.1'],
    ['198.51.100.1:4711', '198.51.100.1'],
    ['[2001:DB8:2:0::1]:4711', '2001:db8:2::1'],
    ['::ffff:198.51.100.1', '198.51.100.1'],
    ['10.1.1.1, 10.2.2.2', '10.1.1.1'],
  ])('%s from a trusted proxy means %s: the last hop that is not trusted', (forwarded, client) => {
    expect(clientOf('127.0.0.1', forwarded)).toBe(client)
    expect(clientOf('::ffff:127.0.0.1', forwarded)).toBe(client)
    expect(clientOf('2001:db8:1::5', forwarded)).toBe(client)
  })

  test.each([
    [undefined, '127.0.0.1'],
    ['', '127.0.0.1'],
    ['unknown', '127.0.0.1'],
    ['127.1', '127.0.0.1'],
    ['198.51.100.1, unknown', '127.0.0.1'],
    ['198.51.100.1, unknown, 10.0.0.9', '10.0.0.9'],
  ])('%p holds no more than is known: %s', (forwarded, client) => {
    expect(clientOf('127.0.0.1', forwarded)).toBe(client)
  })

  test('is used for the log and for the limits of D53 only if its sender is trusted', async () => {
    for (const [trustedProxies, addresses] of [
      [[], ['192.0.2.1', '192.0.2.1']],
      [['192.0.2.0/24'], ['198.51.100.1', '198.51.100.2']],
    ] as const) {
      const kiroku = await createInstance({ config: { rateLimit: 600, trustedProxies } })
      const statuses: number[] = []
      for (const client of ['198.51.100.1', '198.51.100.2'])
        for (let count = 0; count < 60; count++)
          statuses.push((await kiroku.ask('/v1/works', { headers: { 'x-forwarded-for': client } })).status)
      const refused = statuses.filter((status) => status === 429).length
      expect([trustedProxies, refused]).toEqual([trustedProxies, trustedProxies.length === 0 ? 60 : 0])
      const logged = kiroku.lines.filter(({ event }) => event === 'request').map(({ facts }) => facts.peer)
      expect([logged[0], logged[60]]).toEqual([...addresses])
      await kiroku.close()
    }
  })
})

test('IPv6 addresses share a limit per /64, IPv4 addresses have one each', async () => {
  expect(networkOf('2001:db8:1:2::1')).toBe(networkOf('2001:db8:1:2:ffff::9'))
  expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'))
  expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1')
  expect(networkOf('192.0.2.1')).not.toBe(networkOf('192.0.2.2'))
  expect(['', 'a socket'].map(networkOf)).toEqual(['', 'a socket'])
  const kiroku = await createInstance({ config: { rateLimit: 600 } })
  const ask = async (peer: string) => (await kiroku.ask('/v1/works', {}, peer)).status
  for (let count = 0; count < 60; count++) expect(await ask(`2001:db8:1:2::${count}`)).toBe(401)
  expect(await ask('2001:db8:1:2:3:4:5:6')).toBe(429)
  expect(await ask('2001:db8:1:3::1')).toBe(401)
  await kiroku.close()
})

test('recognizes whether a host is this machine', () => {
  for (const host of ['localhost', 'kiroku.localhost', '127.0.0.1', '127.9.9.9', '[::1]', '::1'])
    expect([host, isLoopback(host)]).toEqual([host, true])
  for (const host of ['kiroku.example', 'localhost.example', '0.0.0.0', '[::]', '192.168.1.5', '[fe80::1]'])
    expect([host, isLoopback(host)]).toEqual([host, false])
})

test('what is known of peers is kept for the latest 1,000 (promise 12)', () => {
  const peer = peersOf(trusted)
  const first = peer('::ffff:10.0.0.1')
  expect(first).toEqual({ address: '10.0.0.1', isTrusted: true })
  for (let n = 0; n < 999; n += 1) peer(`192.0.${n >> 8}.${n & 255}`)
  expect(peer('::ffff:10.0.0.1')).toBe(first)
  for (let n = 0; n < 1000; n += 1) peer(`198.51.${n >> 8}.${n & 255}`)
  expect(peer('::ffff:10.0.0.1')).not.toBe(first)
})
