import { afterAll, expect, test } from 'bun:test'
import { endpoints } from '../../src/app'
import { episode, header, textOf, work } from '../support/catalogue-store'
import { flood } from '../support/flood'
import { output } from '../support/in-process'
import { types } from '../support/instance'
import { startServer, temporaryDirectory } from '../support/kiroku'
import { memoryOf, peakOf } from '../support/memory'
import { createRandom, distinctRequest, knownTo } from '../support/memory-requests'

const directory = temporaryDirectory()
afterAll(() => directory[Symbol.dispose]())

const limit = 256_000_000
const atRest = 120_000_000

const ids = (count: number) => Array.from({ length: count }, (_, n) => n + 1)
/** Ids of episodes are not in the order of their works, so lists of both are long. */
const catalogue = textOf(header('annict'), [
  ...ids(500).map((id) => work(`annict:${id}`, { released_on: `${2012 + (id % 12)}-04-01` })),
  ...ids(6000).map((id) => episode(`annict:${id}`, `annict:${1 + (id % 500)}`, Math.ceil(id / 500))),
])

/** Not to this process, which would have to read 30,000 lines. */
const logsToFile = ['sh', '-c', 'exec "$0" "$@" 2>log']

test.skipIf(process.platform !== 'linux')(
  '30,000 distinct requests of every list and command leave less than 256 MB in memory, and a rest less than 120 (promise 12)',
  async () => {
    await output(directory, ['catalogue', 'import', '-'], { input: catalogue })
    await output(directory, ['demo', '--users', '200', '--records', '6000'])
    const user = ['user', 'create', 'tester', '--email', 'tester@example.com', '--password-stdin']
    await output(directory, user, { input: 'correct horse battery staple' })
    const making = ['token', 'create', 'tester', '--description', 'memory', '--scope', 'read write']
    const token = (await output(directory, making)).trim()
    await using server = await startServer(directory, ['--rate-limit', 'off'], { through: logsToFile })
    const known = await knownTo(server.url, token)
    const random = createRandom(1)
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': types.json,
      'accept-encoding': 'gzip',
    }
    let sent = 0
    const refused = new Set<string>()
    const statuses = await flood(
      server.port,
      16,
      () => {
        const endpoint = sent < 30_000 ? endpoints[sent % endpoints.length] : undefined
        sent += 1
        return endpoint && { ...distinctRequest(endpoint, sent, random, known), headers }
      },
      (status, { target }) => {
        if (status === 429) refused.add(target)
      },
    )
    expect([...statuses.keys()].filter((status) => ![200, 204, 400, 404, 429].includes(status))).toEqual([])
    // Of comments, 30 an hour are accepted even without a rate limit, of reports 20 a day.
    expect([...refused].toSorted()).toEqual(['/v1/me/comments', '/v1/me/reports'])
    expect(statuses.get(200)).toBeGreaterThan(12_500)
    expect(peakOf(server)).toBeLessThan(limit)
    // Given back at rest: a server that keeps it runs into the test's time limit.
    while (memoryOf(server) > atRest) await Bun.sleep(1000)
    const again = await flood(server.port, 1, () => {
      sent += 1
      return sent > 30_100 ? undefined : { method: 'GET', target: `/v1/works?page=${sent}`, headers }
    })
    expect([...again.keys()]).toEqual([200])
  },
  300_000,
)
