import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { type Body, createInstance, type Instance, refusals, types } from '../support/instance'

let kiroku: Instance
let others: readonly string[]
beforeAll(async () => {
  kiroku = await createInstance()
  await kiroku.deps.write((tx) =>
    tx
      .updateTable('works')
      .set({ title: 'x'.repeat(2_000_000) })
      .where('id', '=', 2)
      .execute(),
  )
  others = await Promise.all(Array.from({ length: 3 }, () => kiroku.tokenOf('azusa', 'read')))
})
afterAll(() => kiroku.close())

const unread: Response[] = []
afterEach(async () => {
  for (const response of unread.splice(0)) if (!response.bodyUsed) await response.body?.cancel()
})

/** A GraphQL answer with so many titles of 2 MB, unlike any other; it is not read. */
let sent = 0
const bodyOf = (titles: number) => {
  sent += 1
  const works = Array.from(
    { length: titles },
    (_, nth) => `a${sent}_${nth}: searchWorks(annictIds: [2]) { nodes { title } }`,
  )
  return JSON.stringify({ query: `{ ${works.join(' ')} }` })
}

async function ask(token: string, titles: number): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': types.json }
  const response = await kiroku.ask('/graphql', { method: 'POST', body: bodyOf(titles), headers })
  unread.push(response)
  return response
}

const list = async (token: string, nth: number) => {
  const headers = { authorization: `Bearer ${token}` }
  const response = await kiroku.ask(`/v1/works?filter_ids=2&fields=title&per_page=${nth}`, { headers })
  unread.push(response)
  return response
}

test('a token’s unread answers are kept up to 24 MB, then refused until it reads them; others go on', async () => {
  for (let nth = 1; nth <= 5; nth++) expect((await list(kiroku.token, nth)).status).toBe(200)
  const large = await ask(kiroku.token, 5)
  expect(large.status).toBe(200)
  expect((await list(kiroku.token, 6)).status).toBe(200)
  const refused = await list(kiroku.token, 7)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
  expect(await refusals(refused, 'rate_limited')).toEqual([
    'Read the answers that were sent already, or ask for less at once.',
  ])
  expect((await ask(kiroku.token, 1)).status).toBe(429)
  expect((await kiroku.get('/v1/works?filter_ids=1')).status).toBe(200)
  expect((await list(others[0] ?? '', 8)).status).toBe(200)
  const { data } = (await large.json()) as Body
  expect(Object.values(data)).toHaveLength(5)
  expect((await list(kiroku.token, 9)).status).toBe(200)
})

test('unread answers of all clients are kept up to 64 MB; small ones are still sent', async () => {
  for (const token of [kiroku.token, ...others]) expect((await ask(token, 7)).status).toBe(200)
  const [one, two] = [await ask(others[0] ?? '', 4), await ask(others[1] ?? '', 4)]
  expect([one.status, two.status]).toEqual([429, 429])
  const last = await list(kiroku.token, 10)
  expect(last.status).toBe(200)
  for (let nth = 11; nth <= 12; nth++) expect((await list(others[2] ?? '', nth)).status).toBe(200)
  const refused = await list(others[1] ?? '', 13)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
  expect((await kiroku.get('/v1/works?filter_ids=1')).status).toBe(200)
  await unread[0]?.body?.cancel()
  expect((await list(others[1] ?? '', 14)).status).toBe(200)
})

test('an answer whose client goes away is given up', async () => {
  await using listening = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => kiroku.handle(request),
  })
  const body = bodyOf(9)
  const head = `POST /graphql HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${kiroku.token}\r\nContent-Type: ${types.json}\r\nContent-Length: ${body.length}\r\n\r\n`
  const socket = await new Promise<Socket>((resolve) => {
    const opened = connect(listening.port ?? 0, '127.0.0.1')
    opened.once('data', () => resolve(opened.pause()))
    opened.write(head + body)
  })
  expect((await ask(kiroku.token, 1)).status).toBe(429)
  socket.destroy()
  let answer = await ask(kiroku.token, 1)
  while (answer.status === 429) {
    await new Promise(setImmediate)
    answer = await ask(kiroku.token, 1)
  }
  expect(answer.status).toBe(200)
})
