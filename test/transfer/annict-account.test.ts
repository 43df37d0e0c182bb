import { afterAll, afterEach, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HostPace } from '../../src/fetching/pace'
import { messagesIn } from '../../src/messages/languages'
import { newPace } from '../../src/transfer/annict-account/pages'
import { pullAnnict } from '../../src/transfer/annict-account/pull'
import { AccountRefused, accountSentence } from '../../src/transfer/annict-account/refused'
import { detect } from '../../src/transfer/detect'
import type { Body } from '../support/instance'
import { sharedClock } from '../support/shared-clock'
import { createOutside, createWebSite, type WebSite } from '../support/web-site'

const folder = mkdtempSync(join(tmpdir(), 'kiroku-annict-'))
afterAll(() => rmSync(folder, { recursive: true }))

const sites: WebSite[] = []
afterEach(async () => {
  await Promise.all(sites.splice(0).map((site) => site.stop()))
  for (const name of readdirSync(folder)) rmSync(join(folder, name))
})

type Answerer = (question: Question, count: number) => Response | Promise<Response>

interface Question {
  readonly connection: string
  readonly after: string | null
  readonly authorization: string | null
}

/** Annict, as far as these tests need it. */
function annict(answer: Answerer) {
  const questions: Question[] = []
  const site = createWebSite(async (_, request) => {
    const { query, variables }: Body = await request.json()
    const connection = /viewer \{ (\w+)\(/.exec(query)?.[1] ?? ''
    const question = {
      connection,
      after: variables.after,
      authorization: request.headers.get('authorization'),
    }
    questions.push(question)
    return answer(question, questions.length)
  })
  sites.push(site)
  const { outside, state } = createOutside()
  const tools = { folder, annictUrl: site.at('annict.test', ''), userAgent: 'kiroku/1', outside }
  return { site, questions, state, tools }
}

const page = (connection: string, items: readonly unknown[], endCursor?: string) =>
  Response.json({
    data: {
      viewer: {
        [connection]: {
          pageInfo: { hasNextPage: endCursor !== undefined, endCursor },
          [connection === 'activities' ? 'edges' : 'nodes']: items,
        },
      },
    },
  })

const work = { annictId: 4645, title: 'orange', malAnimeId: '32729', seasonYear: 2016, episodesCount: 13 }

const account: Answerer = ({ connection, after }) => {
  if (connection === 'libraryEntries')
    return page(connection, [{ status: { state: 'WATCHING', createdAt: '2023-01-02T12:00:00Z' }, work }])
  if (connection === 'activities') {
    const review = { __typename: 'Review', title: '', body: 'また見たい', ratingOverallState: 'GREAT', work }
    return page(connection, [{ item: { __typename: 'Record' } }, { item: review }])
  }
  const number = after === null ? 1 : 2
  const record = { comment: '', ratingState: 'GOOD', createdAt: `2023-02-0${number}T14:30:00Z` }
  const episode = { number, sortNumber: number * 10 }
  return page(
    connection,
    [{ ...record, episode, work: { annictId: 4645 } }],
    after === null ? 'b' : undefined,
  )
}

type TestTools = Omit<Parameters<typeof pullAnnict>[0], 'pace'> & { pace?: HostPace }

const pull = (tools: TestTools, token = 'a-token') =>
  pullAnnict({ pace: newPace(), ...tools }, { token, signal: new AbortController().signal })

async function problemOf(answer: Answerer, tools: object = {}): Promise<unknown> {
  const site = annict(answer)
  const cause = await pull({ ...site.tools, ...tools }).catch((cause: unknown) => cause)
  expect(readdirSync(folder)).toEqual([])
  if (!(cause instanceof AccountRefused)) return cause
  expect(accountSentence(cause, messagesIn('ja'))).toEndWith('。')
  expect(cause.message).not.toContain('a-token')
  return cause.problem
}

test('several people’s accounts are read with two requests a second in all, and all wait when Annict asks one to', async () => {
  const clock = sharedClock(0, 5)
  const times: number[] = []
  let isAngry = true
  const { tools } = annict((question, count) => {
    times.push(clock.now())
    if (count === 7 && isAngry) {
      isAngry = false
      return new Response('', { status: 429, headers: { 'retry-after': '20' } })
    }
    return account(question, count)
  })
  const outside = { ...tools.outside, steady: clock.now, sleep: clock.sleep }
  const pace = newPace()
  await Promise.all(Array.from({ length: 5 }, () => pull({ ...tools, outside, pace }).finally(clock.leave)))
  expect(times.length).toBe(5 * 4 + 1)
  const pauses = times
    .toSorted((one, other) => one - other)
    .map((time, n, all) => time - (all[n - 1] ?? -500))
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(500)
  expect(Math.max(...pauses)).toBeGreaterThanOrEqual(15_000)
})

test('an account is read page by page, into a file for Annict’s reader', async () => {
  const { tools, questions, state } = annict(account)
  const { path, name } = await pull(tools)
  const { reader, contents } = await detect(path, name)
  expect(reader.source).toBe('annict')
  const [row, ...others] = await Array.fromAsync(reader.rows(contents))
  expect(others).toEqual([])
  expect(row).toMatchObject({ sourceId: '4645', status: 'watching', rating: 'great', note: 'また見たい' })
  expect(row?.plays?.map(({ episode, rating }) => [episode, rating])).toEqual([
    [1, 'good'],
    [2, 'good'],
  ])
  expect(questions.map(({ connection, after }) => [connection, after])).toEqual([
    ['libraryEntries', null],
    ['records', null],
    ['records', 'b'],
    ['activities', null],
  ])
  expect(new Set(questions.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer a-token']))
  expect(readFileSync(path, 'utf8')).not.toContain('a-token')
  expect(state.slept).toEqual([500, 500, 500])
})

test('a busy server is asked again after as long as it says', async () => {
  const { tools, state } = annict((question, count) =>
    count === 1
      ? new Response('', { status: 429, headers: { 'Retry-After': '7' } })
      : account(question, count),
  )
  await pull(tools)
  expect(state.slept[0]).toBe(7000)
})

const json = { headers: { 'Content-Type': 'application/json' } }

test.each<[string, string, Answerer]>([
  ['a wrong token', 'wrong_token', () => Response.json({}, { status: 401 })],
  ['always busy', 'busy', () => new Response('', { status: 429, headers: { 'Retry-After': '1' } })],
  ['busy for an hour', 'busy', () => new Response('', { status: 429, headers: { 'Retry-After': '3600' } })],
  ['a failing server', 'busy', () => new Response('', { status: 503 })],
  [
    'a page for people',
    'no_answer',
    () => new Response('<html>', { headers: { 'Content-Type': 'text/html' } }),
  ],
  ['an answer cut off', 'no_answer', () => new Response('{"data": {"viewer', json)],
  ['errors of GraphQL', 'no_answer', () => Response.json({ errors: [{ message: 'no' }] })],
  ['somebody else', 'no_answer', () => Response.json({ data: { viewer: null } })],
  ['another address', 'redirect', () => Response.redirect('http://other.test/graphql', 302)],
  ['one cursor again and again', 'endless', ({ connection }) => page(connection, [], 'a')],
  ['a new cursor again and again', 'endless', ({ connection }, count) => page(connection, [], `a${count}`)],
  ['an answer of 5 MiB', 'too_large', () => new Response(`"${'a'.repeat(5 * 1024 * 1024)}"`, json)],
])('nothing is taken, and the reason is told: %s', async (_, problem, answer) => {
  expect(await problemOf(answer)).toBe(problem)
})

test('an account of more than 32 MiB is refused', async () => {
  const large = { text: 'a'.repeat(3 * 1024 * 1024) }
  expect(await problemOf(({ connection }, count) => page(connection, [large], `a${count}`))).toBe('too_large')
})

test('an answer that arrives too slowly is not waited for', async () => {
  const drip = () =>
    new ReadableStream({
      pull: async (controller) => {
        await new Promise(setImmediate)
        controller.enqueue(new TextEncoder().encode(' '))
      },
    })
  expect(await problemOf(() => new Response(drip(), json), { answerMs: 100 })).toBe('too_slow')
})

test('an address that is not public or does not exist is not contacted', async () => {
  const { outside } = createOutside({ 'inside.test': ['10.0.0.1'] })
  expect(await problemOf(account, { annictUrl: 'http://inside.test', outside })).toBe('unreachable')
  expect(await problemOf(account, { annictUrl: 'http://nowhere.invalid', outside })).toBe('unreachable')
})

test('a token that cannot be in a header is not sent', async () => {
  const { tools, questions } = annict(account)
  expect(await pull(tools, 'a\r\nHost: b').catch(String)).toContain('wrong_token')
  expect(questions).toEqual([])
})

test('a user who leaves stops it, and no file remains', async () => {
  const leaving = new AbortController()
  const { tools } = annict((question, count) => {
    if (count === 2) leaving.abort(new Error('gone'))
    return account(question, count)
  })
  const cause = await pullAnnict(
    { ...tools, pace: newPace() },
    { token: 'a-token', signal: leaving.signal },
  ).catch(String)
  expect(cause).toContain('gone')
  expect(readdirSync(folder)).toEqual([])
})
