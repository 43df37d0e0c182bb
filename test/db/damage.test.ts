import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  copyFileSync,
  cpSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { readHighWater } from '../../src/db/health/high-water'
import { databasePath } from '../../src/db/open'
import { header, textOf, work } from '../support/catalogue-store'
import { flipBytes, freelistOf, freePages, leafOf, noise, noisePage, overwrite } from '../support/damage'
import { output, run } from '../support/in-process'
import { types } from '../support/instance'
import { startServer, temporaryDirectory } from '../support/kiroku'

/**
 * Models: `old` was stopped; `new` is `old` with more data, stopped; `killed` is `new` with more in its log, killed;
 * `other` is another instance.
 */
const directory = temporaryDirectory()
const model = (name: string) => directory.file(name)
const main = (data: string) => databasePath(data)
const wal = (data: string) => `${databasePath(data)}-wal`

const works = Array.from({ length: 1500 }, (_, n) => work(`annict:${n + 1}`, { title: `作品${n}` }))

const addUser = (data: string, name: string) =>
  output(
    directory,
    ['user', 'create', name, '--email', `${name}@example.com`, '--password-stdin', '--data', data],
    {
      input: 'correct horse',
    },
  )

/** Sets statuses, each in its own commit. */
async function setStatuses(url: string, token: string, count: number): Promise<void> {
  for (let work_id = 1; work_id <= count; work_id++) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': types.json }
    const body = JSON.stringify({ work_id, kind: 'watching' })
    const { status } = await fetch(`${url}/v1/me/statuses`, { method: 'POST', headers, body })
    expect(status).toBe(204)
  }
}

async function makeKilled(): Promise<void> {
  const data = model('killed')
  cpSync(model('new'), data, { recursive: true })
  const token = (
    await output(directory, [
      'token',
      'create',
      'mio',
      '--description',
      'x',
      '--scope',
      'read write',
      '--data',
      data,
    ])
  ).trim()
  await using server = await startServer(directory, ['--data', data, '--rate-limit', 'off'])
  await setStatuses(server.url, token, 50)
  const tick = () => readHighWater(data)?.tick ?? 0
  for (const before = tick(); tick() <= before; ) await setStatuses(server.url, token, 1)
  await server.end('SIGKILL')
}

beforeAll(async () => {
  const catalogue = textOf(header('annict'), works)
  await output(directory, ['catalogue', 'import', '-', '--data', model('old')], { input: catalogue })
  await addUser(model('old'), 'mio')
  freePages(main(model('old')))
  cpSync(model('old'), model('new'), { recursive: true })
  await addUser(model('new'), 'ritsu')
  await makeKilled()
  await addUser(model('other'), 'yui')
}, 60_000)
afterAll(() => directory[Symbol.dispose]())

/** Ends a server that should not have started. */
const brief = { through: ['timeout', '60'] }

const copyOf = (of: string, name: string): string => {
  const data = directory.file(name.replaceAll(/\W+/g, '-'))
  cpSync(model(of), data, { recursive: true })
  return data
}

const foreign = () => {
  const path = directory.file('foreign.db')
  rmSync(path, { force: true })
  using handle = new Database(path)
  handle.run('create table letters (text)')
  return path
}

describe('promise 4: damage at the start is 65, one line says what to type, and nothing changes:', () => {
  const wrongs: [string, string, (data: string) => void][] = [
    ['a broken header', 'new', (data) => overwrite(main(data), 0, noise(100))],
    ['a truncated database', 'new', (data) => truncateSync(main(data), statSync(main(data)).size / 2)],
    ['a database cut to its first page', 'new', (data) => truncateSync(main(data), 4096)],
    ['a database of some other program', 'new', (data) => copyFileSync(foreign(), main(data))],
    ['a text file', 'new', (data) => writeFileSync(main(data), 'notes\n'.repeat(2000))],
    ['an emptied database', 'new', (data) => truncateSync(main(data))],
    ['an emptied database with its log', 'killed', (data) => truncateSync(main(data))],
    ['a deleted database', 'new', (data) => rmSync(main(data))],
    ['a deleted database with its log', 'killed', (data) => rmSync(main(data))],
    ['an older database', 'new', (data) => copyFileSync(main(model('old')), main(data))],
    [
      'an older database beside the newer log',
      'killed',
      (data) => copyFileSync(main(model('old')), main(data)),
    ],
    ['a deleted log', 'killed', (data) => rmSync(wal(data))],
    ['flipped bytes in the log', 'killed', (data) => flipBytes(wal(data))],
    ['a log cut in the middle', 'killed', (data) => truncateSync(wal(data), statSync(wal(data)).size / 2)],
    ['a database of another instance', 'new', (data) => copyFileSync(main(model('other')), main(data))],
    ['noise in place of the schema', 'new', (data) => noisePage(main(data), 1)],
  ]
  test.each(wrongs)('%s', async (name, of, spoil) => {
    const data = copyOf(of, name)
    rmSync(`${main(data)}-shm`, { force: true })
    spoil(data)
    const files = () =>
      [main(data), wal(data)].map((path) => (existsSync(path) ? readFileSync(path).toBase64() : ''))
    const before = files()
    const commands = [['user list', {}] as const, ['serve --port 0 --no-catalogue', brief] as const]
    for (const [command, through] of commands) {
      const { code, stdout, stderr } = await run(directory, [...command.split(' '), '--data', data], through)
      expect([code, stdout, stderr]).toEqual([65, '', expect.stringMatching(/^kiroku: .*kiroku doctor.*\n$/)])
    }
    expect(files()).toEqual(before)
  })

  test('noise in a table that the start reads', async () => {
    const data = copyOf('new', 'noise in a table')
    const [[page = 0] = []] = new Database(main(data))
      .query<never, []>("select rootpage from sqlite_schema where name = 'tokens'")
      .values() as number[][]
    noisePage(main(data), page)
    const { code, stderr } = await run(
      directory,
      ['serve', '--port', '0', '--no-catalogue', '--data', data],
      brief,
    )
    expect([code, stderr]).toEqual([
      65,
      expect.stringMatching(/^kiroku: .*damaged.*kiroku doctor.*restore.*\n$/),
    ])
  })

  test('undamaged files start, even after a kill', async () => {
    for (const of of ['new', 'killed']) {
      const data = copyOf(of, `sound ${of}`)
      expect(await output(directory, ['user', 'list', '--data', data])).toInclude('ritsu')
    }
  })
})
void freelistOf
void leafOf
