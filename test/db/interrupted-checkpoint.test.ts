import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, existsSync, readFileSync, statSync } from 'node:fs'
import { watchMainFile } from '../../src/db/health/watch-main-file'
import { databasePath } from '../../src/db/open'
import { overwrite } from '../support/damage'
import { output } from '../support/in-process'
import { startServer, temporaryDirectory } from '../support/kiroku'

const pageBytes = 4096
const directory = temporaryDirectory()
const data = directory.file('data')
const path = databasePath(data)
const longWord = 'x'.repeat(400_000)

/** A server's database that grew in its log; the checkpoint of the log was stopped after the first page. */
beforeAll(async () => {
  await using server = await startServer(directory, ['--data', data])
  using writer = new Database(path)
  writer.run('pragma wal_autocheckpoint = 0')
  writer.run("insert into instance (name, value) values ('grown', ?)", [longWord])
  await server.end('SIGKILL')
  cpSync(data, directory.file('finished'), { recursive: true })
  cpSync(data, directory.file('ended'), { recursive: true })
  const finished = databasePath(directory.file('finished'))
  using whole = new Database(finished)
  whole.run('pragma wal_checkpoint(truncate)')
  overwrite(databasePath(directory.file('ended')), 0, readFileSync(finished).subarray(0, pageBytes))
}, 60_000)
afterAll(() => directory[Symbol.dispose]())

const ended = () => databasePath(directory.file('ended'))

test('the main file is shorter than its first page says', () => {
  expect(readFileSync(ended()).readUInt32BE(28) * pageBytes).toBeGreaterThan(statSync(ended()).size)
  expect(statSync(`${ended()}-wal`).size).toBeGreaterThan(longWord.length)
})

test('promise 4: the server does not mistake a checkpoint that ran out of room for damage', () => {
  const look = watchMainFile(ended())
  expect([look(), look()]).toEqual([undefined, undefined])
})

test('promise 1: a kill in the middle of a checkpoint loses nothing, and the next start continues', async () => {
  const killed = directory.file('killed')
  cpSync(directory.file('ended'), killed, { recursive: true })
  await using server = await startServer(directory, ['--data', killed])
  expect(existsSync(databasePath(killed))).toBe(true)
  const ready = await (await fetch(`${server.url}/readyz`)).json()
  expect(ready).toMatchObject({ status: 'ok', problems: [] })
  expect((await server.end('SIGTERM')).code).toBe(0)
  expect(await output(directory, ['check', '--deep', '--data', killed])).toBe('ok\n')
  using handle = new Database(databasePath(killed), { readonly: true })
  expect(handle.query("select value from instance where name = 'grown'").values()).toEqual([[longWord]])
}, 60_000)
