import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { SourceRefused } from '../../../src/sources/fetch/refused'
import type { RunOptions } from '../../../src/sources/run/begin'
import { replayRun, runSource } from '../../../src/sources/run/run-source'
import { lastRun, lastRuns } from '../../../src/sources/run/runs'
import { enableSource, settingOf } from '../../../src/sources/run/settings'
import type { RunTools } from '../../../src/sources/run/tools'
import type { AnySource } from '../../../src/sources/source'
import { type CatalogueStore, catalogueStore, now } from '../../support/catalogue-store'
import { pagedSource, runTools, type Site, siteOf } from '../../support/fake-source'

let store: CatalogueStore
let site: Site
let tools: RunTools
const clock = { now }

beforeEach(async () => {
  store = await catalogueStore()
  site = siteOf({ 1: { works: { 1: 'One', 2: 'Two' }, next: 2 }, 2: { works: { 3: 'Three' } } })
  clock.now = now
  tools = runTools(store, site, clock)
})
afterEach(() => store.close())

const options: RunOptions = { cause: 'command', asked: {}, isDryRun: false, isForced: false }
const runIt = async (more: Partial<RunOptions> = {}) =>
  (await runSource(tools, pagedSource, { ...options, ...more })).run
const titles = () =>
  store.rows('select title from works where hidden = 0 order by title').map(({ title }) => title)
const files = () => readdirSync(join(store.directory, 'catalogue-answers')).sort()
const enabled = () => enableSource({ ...tools, ...tools.store }, pagedSource, { token: 'secret' })

describe('a run', () => {
  test('imports what the source says, and records what it did', async () => {
    const run = await runIt()
    expect(titles()).toEqual(['One', 'Three', 'Two'])
    expect(run).toMatchObject({ outcome: 'done', message: null, requests: 2, notModified: 0, endedAt: now })
    expect(run.report?.import.counts.work).toMatchObject({ created: 3 })
    expect(run.bytes).toBe(JSON.stringify(site.pages[1]).length + JSON.stringify(site.pages[2]).length)
    expect(store.row('select state from catalogue_sources')).toEqual({ state: '{"runs":1}' })
  })

  test('with unchanged answers imports nothing, and succeeds', async () => {
    await runIt()
    const again = await runIt()
    expect(again).toMatchObject({ outcome: 'unchanged', report: null, requests: 2, notModified: 2, bytes: 0 })
    expect(site.asked).toEqual(['1', '2', '1 unmodified', '2 unmodified'])
    await runIt()
    await runIt()
    await runIt()
    expect(site.asked.at(-1)).toBe('2 unmodified')
  })

  test('takes an unchanged answer from the run before, if another one has changed', async () => {
    await runIt()
    site.pages[2] = { works: { 4: 'Four' } }
    expect(await runIt()).toMatchObject({ outcome: 'done', requests: 2, notModified: 1 })
    expect(titles()).toContain('Four')
  })

  test("sends no condition if the answer's file is gone, and with --full", async () => {
    await runIt()
    rmSync(join(store.directory, 'catalogue-answers'), { recursive: true })
    await runIt()
    expect(site.asked).toEqual(['1', '2', '1', '2'])
    await runIt({ asked: { isFull: true } })
    await runIt({ asked: { isFull: true } })
    expect(site.asked.slice(4)).toEqual(['1', '2', '1', '2'])
  })

  test('with another scope sends no condition, because less was imported from the same answers', async () => {
    await runIt({ asked: { limit: 1 } })
    expect(await runIt()).toMatchObject({ outcome: 'done', notModified: 0 })
    expect(titles()).toHaveLength(3)
  })

  test('that is dry changes nothing but its own row', async () => {
    const run = await runIt({ isDryRun: true })
    expect(run).toMatchObject({ outcome: 'done', isDryRun: true })
    expect(run.report?.import.counts.work).toMatchObject({ created: 3 })
    expect([titles(), store.rows('select * from catalogue_sources')]).toEqual([[], []])
    expect((await runIt()).notModified).toBe(0)
  })

  test('starts with the state of the run before', async () => {
    await runIt()
    site.pages[1] = { works: { 9: 'Nine' } }
    await runIt()
    expect(store.row('select state from catalogue_sources')).toEqual({ state: '{"runs":2}' })
    site.pages[1] = 'no JSON'
    await runIt()
    expect(store.row('select state from catalogue_sources')).toEqual({ state: '{"runs":2}' })
  })
})

describe('a run that fails', () => {
  test.each([
    ['unreachable', new SourceRefused('unreachable', 'no answer'), 'no answer', false],
    ['refused', new SourceRefused('refused', 'a redirect elsewhere'), 'a redirect elsewhere', false],
    ['refused', new SourceRefused('not_configured', 'the token is refused'), 'the token is refused', true],
    ['not_understood', new SourceRefused('not_understood', 'HTML'), 'HTML', false],
    ['not_understood', { works: 3 } as never, 'works must be an object', false],
    ['not_understood', { works: { 7: { media: 'song' } } }, 'line 4: media must be one of', false],
  ] as const)('is %s', async (outcome, page, message, isConfig) => {
    site.pages[2] = page
    const { run, fault } = await runSource(tools, pagedSource, options)
    expect(run).toMatchObject({ outcome, message: expect.stringContaining(message) })
    expect([titles(), fault?.isConfig ?? false]).toEqual([[], isConfig])
  })

  test('three times in a row waits twice as long, until one succeeds', async () => {
    await enabled()
    const pauses: number[] = []
    const wrong = new SourceRefused('unreachable', 'no answer')
    const [first] = [site.pages[1]]
    for (let times = 0; times < 7; times++) {
      site.pages[1] = times < 6 ? wrong : (first ?? wrong)
      await runIt()
      const { nextRunAt = 0, failures } = await settingOf(store.read, 'paged')
      expect(failures).toBe(times < 6 ? times + 1 : 0)
      pauses.push((nextRunAt - clock.now) / 86_400_000)
    }
    for (const [at, length] of [1, 1, 2, 2, 2, 4, 1].entries()) {
      expect(pauses[at]).toBeGreaterThanOrEqual(0.8 * length)
      expect(pauses[at]).toBeLessThanOrEqual(1.2 * length)
    }
    expect(new Set(pauses).size).toBeGreaterThan(1)
  })
})

test('a dry run is not the last run of a source', async () => {
  await runIt()
  await runIt({ isDryRun: true })
  expect(await lastRun(store.read, 'paged')).toMatchObject({ id: 1, isDryRun: false })
})

describe('an interrupted run', () => {
  const interrupt = async () => {
    site.onAsked = (page) => {
      if (page === 2) throw new DOMException('stopped', 'AbortError')
    }
    await expect(runIt({ asked: { since: '2024-01-01' } })).rejects.toThrow('stopped')
    delete site.onAsked
    expect((await lastRuns(store.read, 1))[0]).toMatchObject({ endedAt: null, outcome: null })
  }

  test('is resumed with its scope and its answers', async () => {
    await interrupt()
    clock.now += 3_600_000
    const run = await runIt()
    expect(run).toMatchObject({ id: 1, outcome: 'done', requests: 2, scope: { since: '2024-01-01' } })
    expect(site.asked).toEqual(['1', '2'])
    expect(titles()).toEqual(['One', 'Three', 'Two'])
  })

  test('is given up after a day, or if something else is requested', async () => {
    await interrupt()
    expect(await runIt({ asked: { limit: 5 } })).toMatchObject({ id: 2, outcome: 'done' })
    await interrupt()
    clock.now += 86_400_001
    expect(await runIt()).toMatchObject({ id: 4, outcome: 'done' })
    const ends = (await lastRuns(store.read, 9)).map(({ id, outcome, message }) => [id, outcome, message])
    expect(ends.slice(1)).toEqual([
      [3, 'failed', 'it was interrupted'],
      [2, 'done', null],
      [1, 'failed', 'it was interrupted'],
    ])
  })

  test('requests an answer again that is gone', async () => {
    await interrupt()
    rmSync(join(store.directory, 'catalogue-answers', '1-1.zst'))
    expect(await runIt()).toMatchObject({ id: 1, outcome: 'done', requests: 3 })
    expect(site.asked).toEqual(['1', '1', '2'])
  })

  test('requests answers again from the first changed request on', async () => {
    site.pages[2] = { works: { 3: 'Three' }, next: 3 }
    site.pages[3] = { works: { 4: 'Four' } }
    site.onAsked = (page) => {
      if (page === 3) throw new DOMException('stopped', 'AbortError')
    }
    await expect(runIt()).rejects.toThrow('stopped')
    delete site.onAsked
    const posting: AnySource = {
      ...pagedSource,
      *requests(...given) {
        const asking = pagedSource.requests(...given)
        let step = asking.next()
        while (step.done !== true) step = asking.next(yield { ...step.value, json: { now: true } })
        return step.value
      },
    }
    const { run } = await runSource(tools, posting, options)
    expect([run.id, run.outcome, site.asked]).toEqual([1, 'done', ['1', '2', '1', '2', '3']])
    expect(store.rows('select number, posted from catalogue_answers')).toEqual(
      [1, 2, 3].map((number) => ({ number, posted: '{"now":true}' })),
    )
  })
})

describe('a replay', () => {
  test('converts the stored answers of a run again, with its original state', async () => {
    await runIt()
    await runIt()
    store.handle.run("update works set title = 'No title'")
    store.handle.run('delete from import_rows')
    const { run } = await replayRun(tools, [pagedSource], 1, options)
    expect(run).toMatchObject({ id: 3, outcome: 'done', requests: 0, source: 'paged' })
    expect([titles(), site.asked]).toEqual([
      ['One', 'Three', 'Two'],
      ['1', '2', '1 unmodified', '2 unmodified'],
    ])
    expect(store.row('select state from catalogue_sources')).toEqual({ state: '{"runs":2}' })
    expect(files()).toEqual([1, 2, 3].flatMap((id) => [`${id}-1.zst`, `${id}-2.zst`]))
  })

  test('is refused if the run does not exist, or its answers are gone', async () => {
    await expect(replayRun(tools, [pagedSource], 1, options)).rejects.toThrow('there is no run 1')
    await runIt()
    rmSync(join(store.directory, 'catalogue-answers', '1-2.zst'))
    await expect(replayRun(tools, [pagedSource], 1, options)).rejects.toThrow(
      'the answers of run 1 are no longer stored',
    )
  })
})
