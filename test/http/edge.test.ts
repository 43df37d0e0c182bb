import { afterAll, describe, expect, test } from 'bun:test'
import { defineCommand } from '../../src/api/command'
import { type Body, createInstance, refusals, requestOf, serveOnly, withToken } from '../support/instance'

const kiroku = await createInstance()
const { ask, get, json, lines, token } = kiroku
afterAll(kiroku.close)

const from = (host: string) => ({ headers: { host, authorization: `Bearer ${token}` } })

describe('Host', () => {
  test.each([
    '',
    ' ',
    'a b',
    'a/b',
    'a?b',
    'a#b',
    'mio@nas',
    'a, b',
    'nas:',
    'nas:x',
    'nas:123456',
    '[::1',
    '::1',
    '%',
  ])('%j is refused', async (host) => {
    await refusals(await ask('/v1/works', from(host)), 'invalid_params')
    await refusals(await ask('/', from(host)), 'invalid_params')
  })

  test.each([
    'localhost:3000',
    'nas',
    'a',
    '127.0.0.1:80',
    '[::1]:3000',
    'log.example.org',
    'xn--wgv71a',
    'my_nas:1',
  ])('%s is served', async (host) => {
    expect((await ask('/v1/works', from(host))).status).toBe(200)
  })

  test('is in no response (D2)', async () => {
    for (const target of [
      '/',
      '/about',
      '/docs',
      '/docs/errors',
      '/openapi.json',
      '/v1/users',
      '/v1/nothing',
    ]) {
      const response = await ask(target, from('evil.example'))
      expect([target, [...response.headers].join(), await response.text()].join()).not.toInclude(
        'evil.example',
      )
    }
  })
})

describe('a path', () => {
  test.each(['/v1/%zz', '/v1/%', '/v1/%00', '/v1/works%00', '/%ff', '/v1/%e6%98', '/docs/%c0%ae'])(
    '%s is no text and is refused',
    async (target) => {
      await refusals(await ask(target), 'invalid_params')
      await refusals(await get(target, { method: 'POST' }), 'invalid_params')
      await refusals(await ask(target, { method: 'OPTIONS' }), 'invalid_params')
    },
  )

  test.each([
    '/v1',
    '/v1/',
    '/v1/nothing',
    '/v1/works/1',
    '/v1//works',
    '//v1/works',
    '/v1/works//',
    '/v1/%2e%2e/x',
    '/v1/%EF%BF%BD',
    '/x',
  ])('%s is nobody’s, whatever is asked of it', async (target) => {
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
      await refusals(await ask(target, { method }), 'unknown_route')
    }
  })

  test('of a page accepts only the page’s methods', async () => {
    for (const target of ['/', '/docs', '/openapi.json', '/livez', '/assets/avatar.svg']) {
      const response = await ask(target, { method: 'POST' })
      expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
      await refusals(response, 'method_not_allowed')
    }
  })
})

describe('a query', () => {
  test.each([
    '%zz',
    '%',
    '%00',
    '%ff',
    '%e6%98',
    '%ef%bf',
    '%c0%80',
    '%C3%EF%BF%BD',
    'a=1&b=%f0%9f',
    'page=1%',
    '%ed%a0%80=x',
  ])('%s is refused', async (query) => {
    await refusals(await get(`/v1/works?${query}`), 'invalid_params')
  })

  test('may contain U+FFFD, a character like any other (D12)', async () => {
    const comment = '文字化け\ufffd\ufffd'
    for (const target of [
      `/v1/me/records?episode_id=1&comment=${encodeURIComponent(comment)}`,
      `/v1/me/records?episode_id=1&comment=${encodeURIComponent(comment).toLowerCase()}`,
    ]) {
      const made: Body = await (await get(target, { method: 'POST' })).json()
      expect(made.comment).toBe(comment)
    }
    expect(await json('/v1/works?filter_title=%EF%BF%BD')).toMatchObject({ works: [], total_count: 0 })
    await refusals(await get('/v1/me/records/%EF%BF%BD', { method: 'DELETE' }), 'invalid_params')
  })

  test('may have 100 parameters, not 101', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => `p${at}=x`).join('&')
    expect((await get(`/v1/works?${many(100)}`)).status).toBe(200)
    expect(await refusals(await get(`/v1/works?${many(101)}`), 'invalid_params')).toHaveLength(1)
  })

  test('may be long, repetitive, or have empty parts', async () => {
    expect((await get(`/v1/works?filter_title=${'%E6%98%9F'.repeat(7000)}`)).status).toBe(200)
    expect((await get(`/v1/works?${'page=2&'.repeat(5000)}`)).status).toBe(200)
    expect((await get('/v1/works?&&page=1&&')).status).toBe(200)
  })

  test('may contain names that every object has, which are ignored', async () => {
    const plain = await (await get('/v1/works')).text()
    for (const name of ['constructor', 'hasOwnProperty', 'toString', 'prototype', 'valueOf']) {
      expect(await (await get(`/v1/works?${name}=x`)).text()).toBe(plain)
    }
    await refusals(await get('/v1/works?__proto__=x'), 'invalid_params')
    await refusals(await get('/v1/works?__proto__[page]=x&%5f_proto__=x'), 'invalid_params')
  })
})

describe('an unexpected error', () => {
  test('is 500 with the id under which the log has the reason, and says nothing else', async () => {
    const broken = await createInstance()
    broken.store.handle.run('pragma foreign_keys = off')
    broken.store.handle.run('drop table people')
    for (const target of ['/v1/people', '/v1/people?page=2&per_page=1', '/v1/casts']) {
      const response = await broken.get(target)
      const id = response.headers.get('x-request-id') ?? ''
      const body = (await response.clone().text()).replace(id, '')
      expect(await refusals(response, 'internal_error')).toEqual([`See the server log for request ${id}.`])
      expect(body).not.toMatch(/sql|people|select|\/src\/|\.ts|Error:|at /i)
      const fault = broken.lines.find(({ event, facts }) => event === 'fault' && facts.id === id)
      expect(fault?.facts.why).toInclude('no such table')
    }
    await broken.close()
  })

  test('is not what a user deleted between a lookup and a write causes: that is 404', async () => {
    const follow = defineCommand({
      method: 'POST',
      path: '/v1/late',
      tag: 'Test',
      summary: 'Writes about somebody who is there no more',
      params: {},
      run: async (_, { deps }) => {
        const row = { user_id: 999, muted_id: 1, created_at: 0 }
        await deps.write((tx) => tx.insertInto('mutes').values(row).execute())
        return null
      },
    })
    const { length } = lines
    const answer = await serveOnly(follow, kiroku)(
      requestOf('/v1/late', withToken(token, { method: 'POST' })),
      '',
    )
    expect(await refusals(answer, 'not_found')).toEqual(['The item that this refers to does not exist.'])
    expect(lines.slice(length).map(({ event }) => event)).toEqual(['request'])
  })

  test('leaves everything else working', async () => {
    const all: Body = await json('/v1/works')
    expect(all.total_count).toBe(9)
  })
})
