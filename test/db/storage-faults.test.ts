import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type Body, createInstance, type Instance, refusals, types, withToken } from '../support/instance'
import { authorizeUrl, codeFor, exchange, postAs, registerClient } from '../support/oauth'
import { until } from '../support/until'
import { createMember } from '../support/visitor'

let kiroku: Instance
beforeEach(async () => {
  kiroku = await createInstance()
})
afterEach(() => kiroku.close())

const setPragma = (pragma: string) => kiroku.store.handle.run(`pragma ${pragma}`)

/** As on a full disk: the file may not grow, and has no free pages, as migrations leave some. */
function fillDisk(): void {
  kiroku.store.handle.run('vacuum')
  const [row] = kiroku.store.handle.query<{ page_count: number }, []>('pragma page_count').all()
  setPragma(`max_page_count = ${row?.page_count}`)
}

/** Posts a record too long for the existing pages. */
function postRecord(): Promise<Response> {
  const body = JSON.stringify({ episode_id: 1, comment: 'よ'.repeat(10_000) })
  const headers = { 'content-type': types.json }
  return kiroku.ask('/v1/me/records', withToken(kiroku.token, { method: 'POST', headers, body }))
}

const logged = (...events: string[]) => kiroku.lines.filter(({ event }) => events.includes(event))

test('promise 5: on a full disk writes are 503 with Retry-After, reads continue, and so do writes once there is room', async () => {
  fillDisk()
  const response = await postRecord()
  expect(response.headers.get('retry-after')).toBe('30')
  expect(await refusals(response, 'service_unavailable')).toEqual(['The disk is full.'])
  expect((await kiroku.get('/v1/works')).status).toBe(200)
  setPragma('max_page_count = 1000000')
  expect((await postRecord()).status).toBe(200)
})

test('promise 5: a full disk is logged in one line, not one per request, and without a stack', async () => {
  fillDisk()
  for (let turn = 0; turn < 10; turn++) expect((await postRecord()).status).toBe(503)
  expect(logged('fault')).toEqual([])
  const [line, ...others] = logged('storage_fault')
  expect(others).toEqual([])
  expect(line?.facts.problem).toBe('disk_full')
  expect(String(line?.facts.why)).toInclude('SQLITE_FULL')
  expect(String(line?.facts.advice)).toInclude('room')
})

test('failing to note a token’s use is not logged with every request', async () => {
  setPragma('query_only = on')
  for (let turn = 0; turn < 10; turn++) expect((await kiroku.get('/v1/works')).status).toBe(200)
  const noted = async () => logged('storage_fault', 'token_use_not_noted')
  await until(async () => (await noted()).length > 0)
  expect((await noted()).map(({ facts }) => facts.problem)).toEqual(['read_only'])
})

test('a page answers 503 as a page, in the language of the reader', async () => {
  const mio = await createMember(kiroku, 'mio', { language: 'ja' })
  setPragma('query_only = on')
  const page = await mio.submit('/settings/profile', { name: '澪' })
  expect([page.status, page.headers.get('retry-after')]).toEqual([503, '30'])
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.text).toInclude('サイトを一時的に利用できません')
  setPragma('query_only = off')
  expect((await mio.submit('/settings/profile', { name: '澪' })).status).toBeLessThan(400)
})

test('OAuth endpoints answer 503 temporarily_unavailable (RFC 6749 §5.2), and the code stays valid', async () => {
  const client = await registerClient(kiroku)
  const code = await codeFor(kiroku, client)
  setPragma('query_only = on')
  const redeem = () => postAs(kiroku, '/oauth/token', exchange(client, code))
  const refused = await redeem()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30'])
  expect(await refused.json()).toEqual({
    error: 'temporarily_unavailable',
    error_description: 'The database is read-only.',
  })
  setPragma('query_only = off')
  const redeemed = await redeem()
  const { access_token }: Body = await redeemed.json()
  expect(redeemed.status).toBe(200)
  setPragma('query_only = on')
  const revoke = await postAs(kiroku, '/oauth/revoke', {
    client_id: client.uid,
    client_secret: client.secret,
    token: access_token,
  })
  expect([revoke.status, await revoke.json()]).toEqual([
    503,
    expect.objectContaining({ error: 'temporarily_unavailable' }),
  ])
})

test('the consent page answers 503 as a page and does not redirect', async () => {
  const client = await registerClient(kiroku)
  const mio = await createMember(kiroku, 'mio')
  setPragma('query_only = on')
  const page = await mio.open(authorizeUrl(client))
  expect([page.status, page.location]).toEqual([503, ''])
  expect(page.text).toInclude('The site is temporarily unavailable')
})

test('damage found by a read stops writes too, and is 503', async () => {
  const { handle } = kiroku.store
  const [{ root = 0 } = {}] = handle
    .query<{ root: number }, []>("select rootpage as root from sqlite_schema where name = 'people'")
    .all()
  handle.run('pragma wal_checkpoint(truncate)')
  const file = Bun.file(`${kiroku.deps.config.data}/kiroku.db`)
  const bytes = await file.bytes()
  bytes.fill(0xa5, (root - 1) * 4096, root * 4096)
  await Bun.write(file, bytes)
  // Makes the reading connection drop its cached pages.
  await kiroku.store.write((tx) => tx.insertInto('instance').values({ name: 'a', value: 'a' }).execute())
  const response = await kiroku.get('/v1/people')
  expect(await refusals(response, 'service_unavailable')).toEqual(['The database is damaged.'])
  expect(await refusals(await postRecord(), 'service_unavailable')).toEqual(['The database is damaged.'])
  const { problems }: Body = await (await kiroku.ask('/readyz')).json()
  expect(problems).toContain('damaged')
})
