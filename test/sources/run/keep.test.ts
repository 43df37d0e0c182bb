import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AnswerFiles } from '../../../src/sources/run/answer-files'
import type { RunOptions } from '../../../src/sources/run/begin'
import { tidyAnswers } from '../../../src/sources/run/keep'
import { runSource } from '../../../src/sources/run/run-source'
import { type CatalogueStore, catalogueStore, now } from '../../support/catalogue-store'
import { pagedSource, runTools, type Site, siteOf } from '../../support/fake-source'

let store: CatalogueStore
let site: Site
let files: AnswerFiles
const clock = { now }

beforeEach(async () => {
  store = await catalogueStore()
  clock.now = now
  files = new AnswerFiles(store.directory)
  site = siteOf({ 1: { works: { 1: 'One' } } })
  site.hasEtags = false
})
afterEach(() => store.close())

const options: RunOptions = { cause: 'schedule', asked: {}, isDryRun: false, isForced: false }
const runIt = (source = pagedSource) => runSource(runTools(store, site, clock), source, options)
const folder = () => join(store.directory, 'catalogue-answers')
const names = () => readdirSync(folder()).sort()
const tidy = (most?: number) => tidyAnswers({ store, now: () => clock.now }, files, most)
const bytesKept = () => names().reduce((sum, name) => sum + statSync(join(folder(), name)).size, 0)

test("the answers of each source's last three runs are kept, others are deleted", async () => {
  for (let times = 0; times < 4; times++) await runIt()
  await runIt({ ...pagedSource, name: 'other' })
  expect(names()).toEqual(['2-1.zst', '3-1.zst', '4-1.zst', '5-1.zst'])
  expect(store.rows('select run_id from catalogue_answers').length).toBe(4)
  expect(store.rows('select id from catalogue_runs').length).toBe(5)
})

test('all stored answers take at most 64 MB, the newest of them', async () => {
  for (const name of ['one', 'two', 'three']) {
    const noise = Array.from({ length: 500 }, () => crypto.getRandomValues(new Uint8Array(48_000)).toBase64())
    site.pages[1] = JSON.stringify({ works: { 1: 'One' }, noise })
    await runIt({ ...pagedSource, name })
  }
  expect(names()).toEqual(['2-1.zst', '3-1.zst'])
  expect(bytesKept()).toBeGreaterThan(40 * 1024 * 1024)
  expect(bytesKept()).toBeLessThanOrEqual(64 * 1024 * 1024)
  await tidy(1)
  expect([names(), store.rows('select number from catalogue_answers')]).toEqual([[], []])
})

test('an unfinished run keeps its answers for a day, whatever their size', async () => {
  site.pages[1] = { works: { 1: 'One' }, next: 2 }
  site.onAsked = (page) => {
    if (page === 2) throw new DOMException('stopped', 'AbortError')
  }
  await expect(runIt()).rejects.toThrow('stopped')
  await tidy(1)
  expect(names()).toEqual(['1-1.zst'])
  clock.now += 86_400_001
  await tidy(1)
  expect(names()).toEqual([])
  expect(store.row('select outcome, message, ended_at from catalogue_runs')).toEqual({
    outcome: 'failed',
    message: 'it was interrupted',
    ended_at: clock.now,
  })
})

test('runs older than 90 days are deleted with their answers', async () => {
  await runIt()
  clock.now += 90 * 86_400_000
  await tidy()
  expect(store.rows('select id from catalogue_runs').length).toBe(1)
  clock.now += 1
  await tidy()
  expect([store.rows('select id from catalogue_runs'), names()]).toEqual([[], []])
})

test('files without a row are deleted', async () => {
  await runIt()
  for (const name of ['9-1.zst', '1-2.zst.partial', 'core']) writeFileSync(join(folder(), name), 'x')
  await tidy()
  expect(names()).toEqual(['1-1.zst'])
})

test('an answer is stored completely or not at all', async () => {
  const broken = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => {
      controller.enqueue(new Uint8Array(100_000))
      controller.error(new Error('cut'))
    },
  })
  await expect(files.keep({ run: 1, number: 1 }, broken)).rejects.toThrow('cut')
  expect(existsSync(join(folder(), '1-1.zst'))).toBe(false)
  const bytes = crypto.getRandomValues(new Uint8Array(300_000))
  await files.keep({ run: 1, number: 1 }, new Blob([bytes]).stream())
  expect(await Bun.readableStreamToBytes(files.body({ run: 1, number: 1 }).stream())).toEqual(bytes)
})
