import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { firstBadFrame } from '../../src/db/health/log-checksums'
import { flipBytes, overwrite } from '../support/damage'
import { temporaryDirectory } from '../support/kiroku'

const directory = temporaryDirectory()
afterAll(() => directory[Symbol.dispose]())

function databaseAt(name: string): [path: string, handle: Database] {
  const path = directory.file(name)
  const handle = new Database(path)
  handle.run('pragma journal_mode = wal')
  handle.run('pragma wal_autocheckpoint = 0')
  handle.run('create table notes (id integer primary key, text text not null)')
  return [path, handle]
}

const write = (handle: Database, count: number) => {
  for (let n = 0; n < count; n++) handle.run('insert into notes (text) values (?)', ['庭'.repeat(400)])
}

test('promise 4: whatever byte of the log is flipped, its frame is found', () => {
  const [path, handle] = databaseAt('flipped')
  write(handle, 20)
  const log = readFileSync(`${path}-wal`)
  const frames = (log.length - 32) / (24 + 4096)
  expect(firstBadFrame(path)).toBeUndefined()
  fc.assert(
    fc.property(fc.integer({ min: 32, max: log.length - 8 }), (at) => {
      flipBytes(`${path}-wal`, at)
      const found = firstBadFrame(path)
      overwrite(`${path}-wal`, 0, log)
      expect([at, found]).toEqual([at, Math.floor((at - 32) / 4120) + 1])
    }),
  )
  expect(frames).toBeGreaterThan(20)
  handle.close()
})

test('a log whose frames are all in the main file has nothing to lose', () => {
  const [path, handle] = databaseAt('checkpointed')
  write(handle, 3)
  handle.run('pragma wal_checkpoint(passive)')
  flipBytes(`${path}-wal`)
  expect(firstBadFrame(path)).toBeUndefined()
  handle.close()
  expect(firstBadFrame(path)).toBeUndefined()
})

test('a log that is written, checkpointed and restarted in the meantime is not damaged', async () => {
  const [path, handle] = databaseAt('busy')
  const writer = Bun.spawn([
    process.execPath,
    '-e',
    `const handle = new (require('bun:sqlite').Database)(${JSON.stringify(path)})
    handle.run('pragma synchronous = off')
    handle.run('pragma wal_autocheckpoint = 7')
    for (;;) handle.run("insert into notes (text) values (printf('%.*c', 300, 'x'))")`,
  ])
  const seen = new Set<number | undefined>()
  const until = performance.now() + 1500
  while (performance.now() < until) {
    seen.add(firstBadFrame(path))
    await new Promise(setImmediate)
  }
  writer.kill()
  await writer.exited
  handle.close()
  expect([...seen]).toEqual([undefined])
})
