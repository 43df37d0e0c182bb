import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { shown } from '../../src/catalogue/shown'
import { openStore } from '../../src/db/open'
import { pageFinder } from '../../src/paging/page-finder'
import { Landmarks } from '../../src/paging/page-query'
import type { PagedList } from '../../src/paging/paged-list'
import { planOf } from '../../src/paging/plan-of'
import { openCopy } from '../support/database-copy'
import { temporaryDirectory } from '../support/kiroku'
import { seedLibrary } from '../support/seed-library'

const directory = temporaryDirectory()
const ran: string[] = []
const store = openStore(directory.path, await openCopy(directory.path, seedLibrary), {
  queries: { slowMs: 0, slow: (sql) => ran.push(sql) },
})
afterAll(async () => {
  await store.close()
  directory[Symbol.dispose]()
})

store.handle.run(`
  with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < 2000)
  insert into works (id, title, media, source_id) select 1000 + i, 'w', 'tv', 1 from numbers`)

const works: PagedList<'works'> = { table: 'works', rows: shown('works'), filters: {}, sorts: {} }
const own: PagedList<'notifications'> = {
  table: 'notifications',
  rows: { where: (eb, viewer) => eb('notifications.user_id', '=', viewer) },
  filters: {},
  sorts: {},
}

const page = (
  finder: ReturnType<typeof pageFinder>,
  list: typeof works | typeof own,
  viewer: number,
  offset: number,
) => {
  ran.length = 0
  const plan = list === own ? planOf(own, {}, viewer) : planOf(works, {}, viewer)
  return finder.find(plan, { offset, limit: 25 }, store.trackedRead('shared', 0).read)
}

test('callers share the total of a list that is the same for all, and no other', async () => {
  const counted = () => ran.filter((sql) => sql.includes('count(*)')).length
  const [ofWorks, ofOwn] = [pageFinder(works), pageFinder(own)]
  await page(ofWorks, works, 1, 0)
  expect(counted()).toBe(1)
  await page(ofWorks, works, 2, 0)
  expect(counted()).toBe(0)
  const first = await page(ofOwn, own, 1, 0)
  expect(counted()).toBe(1)
  const second = await page(ofOwn, own, 2, 0)
  expect(counted()).toBe(1)
  expect(first.total).not.toBe(second.total)
})

test('a page far into a list is walked to from a page before it, whoever requested that', async () => {
  const finder = pageFinder(works)
  const plain = await page(finder, works, 1, 900)
  await page(finder, works, 1, 875)
  const again = await page(finder, works, 2, 900)
  expect(ran).toEqual([expect.stringContaining('>=')])
  expect(again).toEqual(plain)
})

test('landmarks are rows that were added, never behind the row that is walked to', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5000 }), fc.array(fc.nat({ max: 5000 })), (rows, offsets) => {
      const landmarks = new Landmarks(rows, 7)
      for (const offset of offsets) landmarks.add({ offset, id: 7 + offset })
      for (const offset of [0, ...offsets]) {
        const mark = landmarks.upTo(offset + 1)
        expect(mark?.offset).toBeLessThanOrEqual(offset + 1)
        expect([0, ...offsets]).toContain(mark?.offset ?? -1)
        expect(mark?.id).toBe(7 + (mark?.offset ?? 0))
      }
    }),
  )
})

test('with a landmark in each part of a list, a 64th of it is walked at most', () => {
  const landmarks = new Landmarks(6400, 1)
  for (let offset = 6399; offset > 0; offset--) landmarks.add({ offset, id: 1 + offset })
  for (let offset = 0; offset < 6400; offset++)
    expect(offset - (landmarks.upTo(offset)?.offset ?? Number.NaN)).toBeLessThan(100)
})
