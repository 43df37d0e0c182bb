import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Endpoint } from '../../src/api/endpoint'
import { endpoints } from '../../src/app'
import { openStore, prepareDirectory } from '../../src/db/open'
import { errorTypes } from '../../src/http/errors'
import { openCopy } from '../support/database-copy'
import { type Fuzzed, oddRequests, wildRequests } from '../support/fuzz-requests'
import { refusals } from '../support/instance'
import { output, startServer, temporaryDirectory } from '../support/kiroku'
import { seedExamples } from '../support/seed-library'

const directory = temporaryDirectory()
await seed(directory.file('data'))
const token = (
  await output(directory, ['token', 'create', 'mio', '--description', 'fuzz', '--scope', 'read write'])
).trim()
const server = await startServer(directory, ['--rate-limit', 'off'])
let sent = 0
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  directory[Symbol.dispose]()
})

async function seed(data: string): Promise<void> {
  prepareDirectory(data)
  const store = openStore(data, await openCopy(data, seedExamples))
  await store.close()
}

/** How many requests to send per parameter, of which there are some 200, and how many at once. */
const [perParam, atOnce] = [52, 16]

/** What is wrong with the response; empty if nothing is. */
async function faultsOf(endpoint: Endpoint, { target, names, refused, ...init }: Fuzzed): Promise<string[]> {
  const response = await fetch(server.url + target, init)
  const { status } = response
  const told = `${init.method} ${target} ${typeof init.body === 'string' ? init.body : ''} → ${status}`.slice(
    0,
    600,
  )
  if (status < 300) {
    const text = await response.text()
    if ((status === 204) !== (text === '')) return [`${told}: ${text}`]
    return refused === undefined ? [] : [`${told}, although ${refused} breaks its rule`]
  }
  const type = Object.entries(errorTypes).find(
    ([name, error]) => error.status === status && name !== 'internal_error',
  )
  if (type === undefined) return [`${told}: ${await response.text()}`]
  const asBody = response.clone()
  const kind = (JSON.parse(await asBody.text()) as { errors: { type: keyof typeof errorTypes }[] }).errors[0]
    ?.type
  const said = await refusals(response, kind ?? 'internal_error', server.url)
  if (refused !== undefined && !said.some((rule) => rule.startsWith(`${refused} `)))
    return [`${told} does not name ${refused}: ${said}`]
  const known = new Set([...names, ...Object.keys(endpoint.operation.params)])
  const unnamed =
    status === 400 ? said.filter((rule) => !known.has(rule.split(' ')[0] ?? '') && !part.test(rule)) : []
  return unnamed.map((rule) => `${told} names nothing that was sent: ${rule}`)
}

/** What else a refusal may be about: a part of the request, several parameters together, or how much one may have. */
const part = new RegExp(
  '^(A name in the (query|body)|A parameter|A percent-encoding in the (query|body|path)|The (query|path|body|JSON body|multipart body)' +
    '|__proto__|At most 100 parameters|Exactly one of|You have 5 addresses,) ',
)

for (const endpoint of endpoints.filter(({ upload }) => upload === undefined)) {
  const { method, path, operation } = endpoint
  const names = Object.keys(operation.params)
  test(`${method} ${path}: never answers 5xx whatever is sent, and bad input is a 400 that names it (D8, D9, D12, D27)`, async () => {
    const odd = names.map((name) => oddRequests(endpoint, name, token))
    const wild = { weight: Math.ceil((names.length + 1) / 4), arbitrary: wildRequests(endpoint, token) }
    const batch = fc.array(fc.oneof(wild, ...odd), { minLength: atOnce, maxLength: atOnce })
    const faults: string[] = []
    const { seed, errorInstance } = await fc.check(
      fc.asyncProperty(batch, async (asked) => {
        sent += asked.length
        for (const found of await Promise.all(asked.map((one) => faultsOf(endpoint, one))))
          faults.push(...found)
        return faults.length === 0
      }),
      { numRuns: Math.ceil(((names.length + 0.5) * perParam) / atOnce), endOnFailure: true },
    )
    expect({ seed, faults, errorInstance }).toEqual({ seed, faults: [], errorInstance: null })
  }, 60_000)
}

test('after 10,000 such requests the server still answers, has logged no fault, and the database is intact', async () => {
  const answer = await fetch(`${server.url}/v1/me?access_token=${token}`)
  expect([answer.status, ((await answer.json()) as { username: string }).username]).toEqual([200, 'mio'])
  expect(sent).toBeGreaterThan(10_000)
  expect(await output(directory, ['check', '--deep'])).toBe('ok\n')
  const { code, stderr } = await server.end('SIGTERM')
  // Requests with `private_by_default` are logged, too.
  expect([code, stderr.split('\n').filter((line) => /(?<!de)fault/.test(line))]).toEqual([0, []])
}, 60_000)
