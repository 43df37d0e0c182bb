import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startSourceJobs } from '../../../src/cli/server/source-jobs'
import { takeSourcesLock } from '../../../src/db/lock'
import { takeUpOrBegin } from '../../../src/sources/run/begin'
import { isRunning, lastRuns, outcomeOf } from '../../../src/sources/run/runs'
import { disableSource, enableSource } from '../../../src/sources/run/settings'
import { pagedSource } from '../../support/fake-source'
import { createInstance, type Instance, start } from '../../support/instance'
import { until } from '../../support/until'

let kiroku: Instance
let ran: string[]
beforeEach(async () => {
  kiroku = await createInstance()
  ran = []
})
afterEach(() => kiroku.close())

const runText = (more: object = {}) =>
  JSON.stringify([{ id: 7, source: 'paged', outcome: 'done', message: null, requests: 2, ...more }])
const ok = { code: 0, said: runText(), complained: '', cpuMs: 0 }
const enable = () => enableSource(kiroku.deps, pagedSource, { token: 'secret' })

/** Checks several times, with time passing in between. Each command ends with the next outcome; the last one repeats. */
async function look({ passes = 0, from = 0 }, ...outcomes: (typeof ok)[]): Promise<string[]> {
  ran = []
  const run = async (words: readonly string[]) => {
    const end = words.indexOf('--json')
    ran.push(words.slice(0, end).join(' '))
    expect(words.slice(end)).toEqual([
      ...['--json', '--data', kiroku.deps.config.data, '--base-url', 'http://localhost:3000'],
    ])
    return outcomes[Math.min(ran.length, outcomes.length) - 1] ?? ok
  }
  // Each check asks the clock at least once, so this is several checks.
  let asked = 0
  const steady = () => {
    asked += 1
    return kiroku.deps.steady()
  }
  const jobs = startSourceJobs({ ...kiroku.deps, steady }, { run, everyMs: 1, firstAfterMs: from })
  kiroku.clock.now += passes
  await until(() => asked > 20)
  await jobs.stop()
  return ran
}
const events = () => kiroku.lines.map(({ event, facts }) => [event, facts.outcome ?? facts.why])

test('without an enabled source nothing is run', async () => {
  expect(await look({ passes: 90 * 86_400_000 })).toEqual([])
  await enable()
  await disableSource(kiroku.deps, 'paged')
  expect(await look({ passes: 90 * 86_400_000 })).toEqual([])
})

test('a due source is run, ten minutes after the start at the earliest', async () => {
  await enable()
  kiroku.clock.now += 30 * 60_000
  expect(await look({ passes: 599_000, from: 600_000 })).toEqual([])
  expect((await look({ passes: 600_000, from: 600_000 }))[0]).toBe('catalogue update paged --cause schedule')
})

test('a source with a time from a clock that was set back is run at once', async () => {
  kiroku.clock.now += 365 * 86_400_000
  await enable()
  kiroku.clock.now = start
  expect((await look({}))[0]).toBe('catalogue update paged --cause schedule')
})

test('a source is not run within ten minutes after it was enabled', async () => {
  await enable()
  expect(await look({ passes: 599_000 })).toEqual([])
})

test('a run requested by a page starts at once, dry if requested', async () => {
  const begin = (isDryRun: boolean) =>
    takeUpOrBegin({ store: kiroku.deps, now: kiroku.deps.now }, pagedSource, {
      ...{ cause: 'page', asked: {}, isDryRun, isForced: false },
    })
  await begin(true)
  const [first] = await look({ from: 600_000 })
  expect(first).toBe('catalogue update paged --cause page --dry-run')
  await begin(false)
  const [second] = await look({ from: 600_000 })
  expect(second).toBe('catalogue update paged --cause page')
  expect(await look({ passes: 86_400_000, from: 600_000 })).toEqual([])
})

test('an unfinished run without a process is shown as interrupted, until it is resumed', async () => {
  const tools = { store: kiroku.deps, now: kiroku.deps.now }
  const options = { asked: {}, isDryRun: false, isForced: false }
  await takeUpOrBegin(tools, pagedSource, { ...options, cause: 'command' })
  const told = async () => {
    const [run] = await lastRuns(kiroku.deps.read, 1)
    return run && [outcomeOf(run), run.cause, isRunning(run)]
  }
  const lock = await takeSourcesLock(kiroku.deps.config.data)
  await look({})
  expect(await told()).toEqual(['running', 'command', true])
  lock.release()
  expect(await look({})).toEqual([])
  expect(await told()).toEqual(['interrupted', 'command', false])
  await takeUpOrBegin(tools, pagedSource, { ...options, cause: 'page' })
  await look({})
  expect(await told()).toEqual(['running', 'page', true])
})

test('the outcome of each run is logged', async () => {
  await enable()
  await look({ passes: 1_800_000 }, ok, {
    ...ok,
    code: 75,
    said: runText({ outcome: 'unreachable', message: 'no answer' }),
  })
  expect(events().slice(0, 2)).toEqual([
    ['source_run', 'done'],
    ['source_run', 'unreachable'],
  ])
  expect(kiroku.lines[1]?.facts).toEqual({
    ...{ source: 'paged', run: 7, outcome: 'unreachable', requests: 2, why: 'no answer' },
  })
})

test('a run that could not be ended is logged, and tried again ten minutes later', async () => {
  await enable()
  const failure = { code: 74, said: '', complained: 'kiroku: the disk is full\n', cpuMs: 0 }
  expect(await look({ passes: 1_800_000 }, failure)).toHaveLength(1)
  expect(events()).toEqual([['source_failed', 'kiroku: the disk is full']])
})

test.each([75, 143])('another update, or the end of the server, is not a failure: %d', async (code) => {
  await enable()
  expect(await look({ passes: 1_800_000 }, { code, said: '', complained: 'busy', cpuMs: 0 })).toHaveLength(1)
  expect(events()).toEqual([])
})

test('a start deletes answers without a run, unless a run is in progress', async () => {
  const folder = join(kiroku.deps.config.data, 'catalogue-answers')
  mkdirSync(folder)
  writeFileSync(join(folder, '1-1.zst'), 'x')
  const lock = await takeSourcesLock(kiroku.deps.config.data)
  await look({})
  expect(existsSync(join(folder, '1-1.zst'))).toBe(true)
  lock.release()
  await look({})
  expect(existsSync(join(folder, '1-1.zst'))).toBe(false)
  expect(kiroku.deps.now()).toBe(start)
})
