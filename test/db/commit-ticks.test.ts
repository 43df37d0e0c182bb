import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, rmdirSync } from 'node:fs'
import { CommitTicks } from '../../src/db/health/commit-ticks'
import { highWaterPath, readHighWater } from '../../src/db/health/high-water'
import { tickOf } from '../../src/db/health/main-file'
import { type Directory, temporaryDirectory } from '../support/kiroku'

let directory: Directory
let handle: Database
beforeEach(() => {
  directory = temporaryDirectory()
  handle = new Database(directory.file('kiroku.db'))
  handle.run('pragma journal_mode = wal')
  handle.run('create table instance (name text primary key, value text)')
  handle.run('create table rows (n)')
})
afterEach(() => {
  handle.close()
  directory[Symbol.dispose]()
})

/** A clock that stands still, and timers that a test fires when it likes. */
function handClock() {
  const timers = new Set<() => void>()
  const clock = {
    at: 5000,
    now: () => clock.at,
    committedAt: () => Date.UTC(2026, 10, 1),
    after: (ms: number, run: () => void) => {
      const fire = () => {
        timers.delete(fire)
        clock.at += Math.max(ms - clock.early, 0.5)
        run()
      }
      timers.add(fire)
      return () => void timers.delete(fire)
    },
    /** By how many milliseconds timers fire before their time. */
    early: 0,
    timers,
  }
  return clock
}

function ticksOf(clock: ReturnType<typeof handClock>) {
  let isBusy = false
  const commit = (statement?: string) => {
    handle.run('begin immediate')
    if (statement !== undefined) handle.run(statement)
    ticks.beforeCommit()
    handle.run('commit')
    ticks.afterCommit()
  }
  const ticks = new CommitTicks(
    directory.path,
    handle,
    async () => {
      if (isBusy) throw new Error('busy')
      commit()
    },
    clock,
  )
  return {
    ticks,
    insert: () => commit('insert into rows values (1)'),
    setBusy: (busy: boolean) => {
      isBusy = busy
    },
    /** What the mark says once everything begun is written, and where the database is. */
    marks: async () => {
      await ticks.written()
      return { mark: readHighWater(directory.path)?.tick, tick: tickOf(handle) }
    },
  }
}

const fireAll = async (clock: ReturnType<typeof handClock>) => {
  for (const fire of [...clock.timers]) fire()
  await Promise.resolve()
}

test('promise 4: after a burst the high-water mark follows, even if the timer for it fires early', async () => {
  const clock = handClock()
  clock.early = 1
  const { insert, marks } = ticksOf(clock)
  insert()
  clock.at += 500.5
  for (let n = 0; n < 20; n++) insert()
  expect(await marks()).toEqual({ mark: 1, tick: 1 })
  await fireAll(clock)
  await fireAll(clock)
  expect(await marks()).toEqual({ mark: 2, tick: 2 })
  expect(clock.timers.size).toBe(0)
})

test('promise 4: a mark that could not follow, as another process kept the database busy, follows later', async () => {
  const clock = handClock()
  const { insert, setBusy, marks } = ticksOf(clock)
  insert()
  insert()
  setBusy(true)
  for (let n = 0; n < 3; n++) await fireAll(clock)
  expect(await marks()).toEqual({ mark: 1, tick: 1 })
  setBusy(false)
  await fireAll(clock)
  expect(await marks()).toEqual({ mark: 2, tick: 2 })
})

test('promise 4: a mark whose file could not be written is written a second later', async () => {
  const clock = handClock()
  const { insert, marks } = ticksOf(clock)
  const blocked = `${highWaterPath(directory.path)}.${process.pid}.partial`
  mkdirSync(blocked)
  insert()
  expect(await marks()).toEqual({ mark: undefined, tick: 1 })
  rmdirSync(blocked)
  await fireAll(clock)
  expect(await marks()).toEqual({ mark: 2, tick: 2 })
})

test('nothing is written in the background once it has stopped', async () => {
  const clock = handClock()
  const { ticks, insert, marks } = ticksOf(clock)
  insert()
  insert()
  await ticks.finish()
  expect(clock.timers.size).toBe(0)
  ticks.writeLast({ isCheckpointed: false })
  expect(await marks()).toEqual({ mark: 2, tick: 2 })
})
