import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { renameSync, truncateSync } from 'node:fs'
import { createApp } from '../../src/app'
import { databasePath } from '../../src/db/open'
import { type Body, createInstance, type Instance, requestOf, withToken } from '../support/instance'
import { until } from '../support/until'

let kiroku: Instance
beforeEach(async () => {
  kiroku = await createInstance()
})
afterEach(() => kiroku.close())

/** The response of /readyz, without the sizes. */
async function readiness(): Promise<{ status: number; problems: string[]; warnings: string[] }> {
  const response = await kiroku.ask('/readyz')
  const { problems, warnings }: Body = await response.json()
  expect(response.headers.get('retry-after')).toBe(response.status === 200 ? null : '5')
  return { status: response.status, problems, warnings }
}

const ready = { status: 200, problems: [], warnings: [] }
const unavailable = (...problems: string[]) => ({ status: 503, problems, warnings: [] })

async function untilReady(): Promise<void> {
  await until(async () => (await readiness()).status === 200)
}

const follow = () => kiroku.ask('/v1/me/follows?username=ritsu', withToken(kiroku.token, { method: 'POST' }))

const logged = (event: string) =>
  kiroku.lines.filter((line) => line.event === event).map(({ facts }) => facts)

function fillDisk(): void {
  const [row] = kiroku.store.handle.query<{ page_count: number }, []>('pragma page_count').all()
  kiroku.store.handle.run('create table filling (text text)')
  kiroku.store.handle.run(`pragma max_page_count = ${(row?.page_count ?? 0) + 1}`)
}

const nothingYet = { last_check: null, last_backup_at: null, last_backup_verified_at: null }

test('/readyz tells anybody that writes work and how much room there is', async () => {
  const { disk_free_bytes, wal_bytes, ...rest }: Body = await (await kiroku.ask('/readyz')).json()
  expect(rest).toEqual({ status: 'ok', problems: [], warnings: [], ...nothingYet })
  expect([disk_free_bytes > 0, wal_bytes > 0]).toEqual([true, true])
})

describe('promise 10: the write probe', () => {
  test('commits a change, so that the log grows', async () => {
    kiroku.store.handle.run('pragma wal_checkpoint(truncate)')
    const { wal_bytes: grown }: Body = await (await kiroku.ask('/readyz')).json()
    expect(grown).toBeGreaterThan(4096)
  })

  test('is not repeated each time, so that cached responses survive', async () => {
    await kiroku.ask('/readyz')
    const before = kiroku.deps.generations.last()
    for (let turn = 0; turn < 5; turn += 1) await kiroku.ask('/readyz')
    expect(kiroku.deps.generations.last()).toBe(before)
  })

  test('is repeated soon after a failure, whatever the system clock does', async () => {
    kiroku.store.handle.run('pragma query_only = on')
    expect(await readiness()).toEqual(unavailable('read_only'))
    kiroku.clock.now -= 86_400_000
    kiroku.store.handle.run('pragma query_only = off')
    await untilReady()
  })

  test('does not wait for a database that another process holds', async () => {
    const other = new Database(databasePath(kiroku.deps.config.data))
    other.run('begin immediate')
    expect(await readiness()).toEqual(unavailable('busy'))
    // While the first one is still waiting.
    expect(await readiness()).toEqual(unavailable('busy'))
    other.close()
    await untilReady()
  })
})

test('promise 10: a write that fails after the probe shows in /readyz at once', async () => {
  await follow()
  expect(await readiness()).toEqual(ready)
  fillDisk()
  const large = (tx: Parameters<Parameters<typeof kiroku.store.write>[0]>[0]) =>
    tx
      .insertInto('instance')
      .values({ name: 'large', value: 'x'.repeat(100_000) })
      .execute()
  await kiroku.store.write(large).catch(() => {})
  expect(await readiness()).toEqual(unavailable('disk_full'))
})

test('promise 10: a database file that was moved is named, and reads continue', async () => {
  const path = databasePath(kiroku.deps.config.data)
  expect(await readiness()).toEqual(ready)
  renameSync(path, `${path}.old`)
  expect(await readiness()).toEqual(unavailable('moved'))
  expect((await follow()).status).toBe(503)
  expect((await kiroku.get('/v1/works')).status).toBe(200)
  const [line, ...others] = logged('storage_fault')
  expect(others).toEqual([])
  expect(line?.problem).toBe('moved')
  expect(String(line?.why)).toContain(`${path} is no longer there`)
  expect(String(line?.advice)).toContain('put the database')
  renameSync(`${path}.old`, path)
  await untilReady()
})

test('/readyz is 503 while the server is stopping, and when a write fails on its own', async () => {
  const failing = { write: () => Promise.reject(new Error('nobody foresaw it')), isStopping: () => true }
  const app = createApp({ ...kiroku.deps, ...failing })
  const response = await app.handle(requestOf('/readyz'), '192.0.2.1')
  const { problems }: Body = await response.json()
  expect([response.status, problems]).toEqual([503, ['stopping', 'writes']])
})

test('/readyz is 503 when nothing can be read', async () => {
  kiroku.store.handle.run('alter table instance rename to elsewhere')
  expect((await readiness()).problems).toContain('reads')
})

test('/readyz warns about a log that has grown large, and stays 200', async () => {
  expect(await readiness()).toEqual(ready)
  // SQLite reads a log up to its last commit and ignores what comes after it.
  const log = `${databasePath(kiroku.deps.config.data)}-wal`
  const { size } = Bun.file(log)
  truncateSync(log, 257 * 1024 * 1024)
  expect(await readiness()).toEqual({ ...ready, warnings: ['wal'] })
  truncateSync(log, size)
})
