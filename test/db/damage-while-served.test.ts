import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync, cpSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { databasePath } from '../../src/db/open'
import { header, textOf, work } from '../support/catalogue-store'
import { flipBytes, freelistOf, freePages, leafOf, noise, noisePage, overwrite } from '../support/damage'
import { output } from '../support/in-process'
import { type Body, types } from '../support/instance'
import { startServer, temporaryDirectory } from '../support/kiroku'
import { until } from '../support/until'

const directory = temporaryDirectory()
const model = directory.file('model')
const old = directory.file('old')
const main = (data: string) => databasePath(data)
let token = ''

beforeAll(async () => {
  const works = Array.from({ length: 1500 }, (_, n) => work(`annict:${n + 1}`, { title: `作品${n}` }))
  await output(directory, ['catalogue', 'import', '-', '--data', model], {
    input: textOf(header('annict'), works),
  })
  const user = ['user', 'create', 'mio', '--email', 'mio@example.com', '--password-stdin', '--data', model]
  await output(directory, user, { input: 'correct horse' })
  freePages(main(model))
  cpSync(model, old, { recursive: true })
  const args = ['token', 'create', 'mio', '--description', 'x', '--scope', 'read write', '--data', model]
  token = (await output(directory, args)).trim()
}, 60_000)
afterAll(() => directory[Symbol.dispose]())

const authorized = () => ({ authorization: `Bearer ${token}`, 'content-type': types.json })

const setStatus = (url: string) =>
  fetch(`${url}/v1/me/statuses`, {
    method: 'POST',
    headers: authorized(),
    body: JSON.stringify({ work_id: 1, kind: 'watching' }),
  })

/** Replaces the server's file by one of the same length: the inode stays. */
const writeOver = (path: string, bytes: Uint8Array) => writeFileSync(path, bytes)

const wrongs: [string, string, (data: string) => void][] = [
  ['a broken header', 'damaged', (data) => overwrite(main(data), 0, noise(100))],
  ['a truncated database', 'damaged', (data) => truncateSync(main(data), 100 * 4096)],
  [
    'a text file in its place',
    'damaged',
    (data) => writeOver(main(data), Buffer.from('notes\n'.repeat(2000))),
  ],
  ['an emptied database', 'damaged', (data) => truncateSync(main(data))],
  ['an older database in its place', 'damaged', (data) => writeOver(main(data), readFileSync(main(old)))],
  [
    'a noise page in a table',
    'damaged',
    (data) => noisePage(main(data), leafOf(main(model), 'works_search_keys')),
  ],
  [
    'a noise page in an index',
    'damaged',
    (data) => noisePage(main(data), leafOf(main(model), 'works_season')),
  ],
  ['a noise page in the freelist', 'damaged', (data) => noisePage(main(data), freelistOf(main(model)))],
  ['a flipped log', 'damaged', (data) => flipBytes(`${main(data)}-wal`)],
  ['a deleted database', 'moved', (data) => rmSync(main(data))],
  ['a deleted log', 'moved', (data) => rmSync(`${main(data)}-wal`)],
  [
    'a swapped database',
    'moved',
    (data) => {
      copyFileSync(main(old), directory.file('swapped.db'))
      renameSync(directory.file('swapped.db'), main(data))
    },
  ],
]

/** What is wrong, and what the log says about it. */
async function spoilWhileServed(name: string, spoil: (data: string) => void) {
  const data = directory.file(name.replaceAll(/\W+/g, '-'))
  cpSync(model, data, { recursive: true })
  await using server = await startServer(directory, ['--data', data])
  expect((await setStatus(server.url)).status).toBe(204)
  spoil(data)
  const readiness = async () => (await (await fetch(`${server.url}/readyz`)).json()) as Body
  await until(async () => (await readiness()).status !== 'ok', 1000)
  const { problems } = await readiness()
  const write = await setStatus(server.url)
  const read = await fetch(`${server.url}/v1/me`, { headers: authorized() })
  const { stderr } = await server.end('SIGTERM')
  const lines = stderr.split('\n').filter((line) => line.includes('storage_fault'))
  return { problems, write: write.status, isRead: read.status === 200 || read.status === 503, lines }
}

test('promise 4: damage while serving is noticed within a minute: writes stop, /readyz and one line say so', async () => {
  const found = await Promise.all(
    wrongs.map(async ([name, problem, spoil]) => ({
      name,
      problem,
      ...(await spoilWhileServed(name, spoil)),
    })),
  )
  for (const { name, problem, problems, write, isRead, lines } of found) {
    expect([name, problems, write, isRead]).toEqual([name, expect.arrayContaining([problem]), 503, true])
    expect([name, lines.length, lines[0]]).toEqual([
      name,
      1,
      expect.stringMatching(problem === 'damaged' ? /kiroku doctor.*kiroku backup restore/ : /put .*back/),
    ])
  }
}, 60_000)
