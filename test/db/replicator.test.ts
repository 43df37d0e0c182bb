import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, statSync } from 'node:fs'
import { hundredWorks } from '../support/catalogue-store'
import { output } from '../support/in-process'
import type { Body } from '../support/instance'
import { output as outputOfExecutable, type Server, startServer, temporaryDirectory } from '../support/kiroku'
import { until } from '../support/until'

const directory = temporaryDirectory()
const log = directory.file('data/kiroku.db-wal')
const sizeOfLog = () => statSync(log).size
/** Changes when SQLite restarts the log (file format of SQLite §4.1). */
const saltOfLog = () => readFileSync(log).subarray(16, 24).toString('hex')

let server: Server
let token = ''
let replicator: Database
beforeAll(async () => {
  await output(directory, ['catalogue', 'import', '-'], { input: hundredWorks() })
  const user = ['user', 'create', 'mio', '--email', 'mio@example.com', '--password-stdin']
  await output(directory, user, { input: 'correct horse battery' })
  const make = ['token', 'create', 'mio', '--description', 'x', '--scope', 'read write']
  token = (await output(directory, make)).trim()
  server = await startServer(directory)
  replicator = new Database(directory.file('data/kiroku.db'), { readwrite: true })
}, 60_000)
afterAll(async () => {
  replicator.close()
  await server[Symbol.asyncDispose]()
  directory[Symbol.dispose]()
})

const call = async (method: string, target: string): Promise<Body> => {
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${server.url}/v1${target}`, { method, headers })
  expect([method, target, response.status]).toEqual([method, target, 200])
  return await response.json()
}

const demo = (records: number) =>
  outputOfExecutable(directory, [
    'demo',
    '--users',
    '20',
    '--records',
    String(records),
    '--seed',
    String(records),
    '--force',
  ])

const record = async (): Promise<number> => {
  const { episodes } = await call('GET', '/episodes?per_page=1&fields=id')
  return (await call('POST', `/me/records?episode_id=${episodes[0].id}&fields=id`)).id
}

/**
 * What Litestream does to a database: it has its own tables, holds a read transaction except during its own checkpoints,
 * and reads the log. The log must not restart while it reads.
 */
describe('while a program replicates the log', () => {
  const hold = () => {
    replicator.run('begin')
    replicator.query('select count(*) from _litestream_seq').get()
  }

  test('(without it, a command that ends empties the log)', async () => {
    await demo(100)
    expect(sizeOfLog()).toBe(0)
  })

  test('the log is kept while it is being read, and writes continue', async () => {
    replicator.run('pragma busy_timeout = 60000')
    replicator.run('pragma wal_autocheckpoint = 0')
    replicator.run('create table if not exists _litestream_seq (id integer primary key, seq integer)')
    replicator.run('create table if not exists _litestream_lock (id integer)')
    replicator.run('insert into _litestream_seq values (1, 1)')
    hold()
    const [salt, size] = [saltOfLog(), sizeOfLog()]
    // More than the 16 MB after which kiroku checkpoints.
    await demo(14_000)
    const first = await record()
    const second = await record()
    expect(second).toBeGreaterThan(first)
    expect(saltOfLog()).toBe(salt)
    expect(sizeOfLog()).toBeGreaterThan(size + 16_000_000)
  })

  test('its own checkpoint empties the log, and kiroku writes to it again', async () => {
    replicator.run('commit')
    const salt = saltOfLog()
    // It is busy while kiroku makes one of its own.
    await until(() => replicator.query('pragma wal_checkpoint(restart)').values()[0]?.[0] === 0)
    hold()
    await record()
    expect(saltOfLog()).not.toBe(salt)
    expect(await output(directory, ['check', '--deep'])).toBe('ok\n')
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  })

  test('a stopping server leaves the log to it; the next one finds every write', async () => {
    const last = await record()
    const salt = saltOfLog()
    expect((await server.end('SIGTERM')).code).toBe(0)
    expect([saltOfLog(), sizeOfLog() > 0]).toEqual([salt, true])
    server = await startServer(directory)
    const { records } = await call('GET', '/records?sort_id=desc&per_page=1&fields=id')
    expect(records[0].id).toBe(last)
    expect(saltOfLog()).toBe(salt)
  })
})
