import { afterAll, expect, test } from 'bun:test'
import { syobocal } from '../../src/sources/adapters/syobocal'
import { SourceRefused } from '../../src/sources/fetch/refused'
import type { SourceFetch } from '../../src/sources/fetch/source-query'
import { knownFromDatabase } from '../../src/sources/known-from-database'
import type { RunOptions } from '../../src/sources/run/begin'
import { runSource } from '../../src/sources/run/run-source'
import type { RunTools } from '../../src/sources/run/tools'
import { catalogueStore } from '../support/catalogue-store'
import { runTools, siteOf } from '../support/fake-source'
import { fixture } from '../support/source-run'

const store = await catalogueStore()
afterAll(() => store.close())

const names = ['ProgLookup', 'TitleLookup', 'ChLookup', 'ChGroupLookup', 'not-found'] as const
const texts = new Map(
  await Promise.all(names.map(async (name) => [name, await fixture(`syobocal/${name}.xml`)] as const)),
)

const asked: string[] = []
/** It returns titles only if they are new: nothing has changed. */
const fetch: SourceFetch = async (_, { url }, { keep }) => {
  const command = names.find((name) => url.includes(`Command=${name}`))
  const text = texts.get(/TitleLookup.*LastUpdate/.test(url) ? 'not-found' : (command ?? 'not-found'))
  if (text === undefined) throw new SourceRefused('unreachable', url)
  asked.push(new URL(url).search.slice('?Command='.length))
  await keep(new Blob([text]).stream())
  return { kind: 'answer', bytes: text.length, etag: null, lastModified: null }
}

const clock = { now: Date.parse('2026-11-22T03:00:00Z') }
const tools: RunTools = { ...runTools(store, siteOf({}), clock), fetch, knownFrom: knownFromDatabase }
const options: RunOptions = { cause: 'schedule', asked: {}, isDryRun: false, isForced: false }

test('the first run requests channels too, and the next one with the same answers changes nothing', async () => {
  const { run } = await runSource(tools, syobocal, options)
  expect(run).toMatchObject({ outcome: 'done', message: null, requests: 4 })
  expect(run.report?.import.warnings).toEqual([])
  expect(store.row('select count(*) as n from programs where hidden = 0')).toEqual({ n: 4 })
  clock.now += 86_400_000
  const { run: next } = await runSource(tools, syobocal, options)
  expect(next).toMatchObject({ outcome: 'done', requests: 2 })
  for (const counts of Object.values(next.report?.import.counts ?? {}))
    expect(counts).toMatchObject({ created: 0, updated: 0, deleted: 0, conflict: 0 })
  expect(asked.slice(4)).toEqual([
    'ProgLookup&Range=20261118_000000-20261203_000000&JOIN=SubTitles',
    'TitleLookup&TID=99001&LastUpdate=20261121_000000-',
  ])
})

test('a broadcast of two episodes is mentioned in the report', async () => {
  const two =
    texts
      .get('ProgLookup')
      ?.replace('<Count></Count><SubTitle>直前特番', '<Count></Count><SubTitle>#1～#2') ?? ''
  texts.set('ProgLookup', two)
  clock.now += 86_400_000
  const { run } = await runSource(tools, syobocal, options)
  expect(run.report?.import.warnings).toEqual([
    'program 9700005 of title 99001 is of the episodes 1, 2: it is listed with the first',
  ])
})
