import { afterEach, beforeEach, expect, test } from 'bun:test'
import { refuseUnwell } from '../../../src/cli/commands/catalogue/update'
import { takeSourcesLock } from '../../../src/db/lock'
import { Failure } from '../../../src/lib/failure'
import { SourceRefused } from '../../../src/sources/fetch/refused'
import type { RunOptions } from '../../../src/sources/run/begin'
import { scopeOf } from '../../../src/sources/run/scope'
import { updateCatalogue } from '../../../src/sources/run/update'
import type { AnySource } from '../../../src/sources/source'
import { type CatalogueStore, catalogueStore } from '../../support/catalogue-store'
import { pagedSource, runTools, siteOf } from '../../support/fake-source'

let store: CatalogueStore
beforeEach(async () => {
  store = await catalogueStore()
})
afterEach(() => store.close())

const options: RunOptions = { cause: 'command', asked: {}, isDryRun: false, isForced: false }

/** Runs sources with these outcomes one after another; returns how the command ends. */
async function ending(...ends: readonly ('well' | SourceRefused['kind'] | 'odd')[]) {
  const site = siteOf({ 1: { works: { 1: 'One' } } })
  site.hasEtags = false
  const sources = ends.map((end, at): AnySource => {
    const requests: AnySource['requests'] = (...given) => {
      if (end === 'odd') throw new TypeError('odd')
      if (end !== 'well') throw new SourceRefused(end, `${end}!`)
      return pagedSource.requests(...given)
    }
    return { ...pagedSource, name: `s${at}`, requests }
  })
  const seen: string[] = []
  const ended = await updateCatalogue(runTools(store, site), sources, options, async ({ run }) => {
    seen.push(`${run.source} ${run.outcome}`)
  })
  try {
    refuseUnwell(ended)
    return [seen, 0]
  } catch (cause) {
    return [seen, cause instanceof Failure ? cause.exitCode : 70, cause instanceof Error ? cause.message : '']
  }
}

test('a failing source does not stop the others, and the worst outcome decides the exit code', async () => {
  expect(await ending('well')).toEqual([['s0 done'], 0])
  expect(await ending('unreachable', 'well')).toEqual([['s0 unreachable', 's1 done'], 75, 's0: unreachable!'])
  expect((await ending('unreachable', 'not_understood', 'well'))[1]).toBe(65)
  expect((await ending('refused', 'unreachable'))[1]).toBe(65)
  expect(await ending('refused', 'not_configured')).toEqual([
    ['s0 refused', 's1 refused'],
    78,
    's0: refused!; s1: not_configured!',
  ])
  expect(await ending('odd', 'well', 'not_configured')).toEqual([
    ['s0 failed', 's1 done', 's2 refused'],
    70,
    's0: TypeError: odd; s2: not_configured!',
  ])
})

test('one process updates at a time, and releases the lock afterwards', async () => {
  const lock = await takeSourcesLock(store.directory)
  await expect(ending('well')).rejects.toThrow('another kiroku catalogue update of')
  lock.release()
  expect(await ending('well')).toEqual([['s0 done'], 0])
  const again = await takeSourcesLock(store.directory)
  again.release()
})

test('the scope is the seasons around now in Japan', () => {
  const seasons = (time: string) => scopeOf({}, Date.parse(time)).seasons
  expect(seasons('2026-11-22T00:00:00Z')).toEqual([
    ...['2026-spring', '2026-summer', '2026-autumn', '2027-winter', '2027-spring'],
  ])
  expect(seasons('2026-12-31T15:00:00Z')[2]).toBe('2027-winter')
  expect(seasons('2026-12-31T14:59:59Z')[2]).toBe('2026-autumn')
  expect(scopeOf({}, Date.parse('2026-12-31T15:00:00Z')).today).toBe('2027-01-01')
  const asked = scopeOf({ seasons: ['2020-winter'] }, 0)
  expect(asked).toMatchObject({ seasons: ['2020-winter'], hasOwnSeasons: true })
  expect(scopeOf({}, 0)).not.toHaveProperty('hasOwnSeasons')
})
