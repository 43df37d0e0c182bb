import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { detect } from '../../../src/transfer/detect'
import { createMatcher } from '../../../src/transfer/match/create-matcher'
import type { Matcher } from '../../../src/transfer/match/match'
import type { PlannedRow, ShownRecord } from '../../../src/transfer/plan/planned-row'
import type { ListSource } from '../../../src/transfer/sources'
import { type CatalogueStore, catalogueStore, now as then } from '../../support/catalogue-store'
import { isBuilt } from '../../support/default-catalogue'
import { loadListedCatalogue } from '../../support/listed-catalogue'
import { addUsers, applyList, type ListOfRows, planList } from '../../support/planned-lists'

const folder = join(import.meta.dir, '..', 'lists')
const now = Date.UTC(2026, 6, 1)

interface ExpectedRow extends Readonly<Record<string, unknown>> {
  readonly row: number
  readonly work_id?: number | null
  readonly title?: string | null
  readonly records?: readonly Readonly<Record<string, unknown>>[]
}

interface Expected {
  readonly source: ListSource
  readonly file_error?: string
  readonly with_point3?: readonly ExpectedRow[]
  readonly rows: readonly ExpectedRow[]
}

const examples = [...new Bun.Glob('*/*.expected.json').scanSync(folder)]
  .sort()
  .map((name): [string, Expected] => [
    name.replace('.expected.json', ''),
    JSON.parse(readFileSync(join(folder, name), 'utf8')),
  ])
  // Those without states are only for readers.
  .filter(([, { file_error, rows }]) => file_error === undefined && rows.every((row) => 'state' in row))

let store: CatalogueStore
let matcher: Matcher

beforeAll(async () => {
  if (!isBuilt) return
  store = await catalogueStore()
  await loadListedCatalogue(store, then)
  addUsers(store.handle, 1, ...examples.keys().map((index) => 100 + index))
  matcher = createMatcher(store.read, { choices: new Map() })
}, 120_000)

afterAll(() => store?.close())

test.skipIf(!isBuilt).each(examples)(
  'a first import of %s comes to the rows that are expected',
  async (name, { rows }) => {
    const list = await listOf(name)
    const planned = await planList(store.read, list)
    const shown = planned.map((row, index) => shownAs(row, list.matches[index]?.workId ?? null))
    expect(shown.length).toBe(rows.length)
    for (const [index, row] of rows.entries()) {
      const wanted = wantedOf(row)
      const isAnyOrder = list.source === 'trakt' || list.source === 'tvtime'
      const isMoved = isAnyOrder && shown[index]?.work_id !== wanted.work_id
      const own = isMoved ? shown.find(({ work_id }) => work_id === wanted.work_id) : shown[index]
      expect({ row: row.row, ...Object(picked(own ?? {}, wanted)) }).toEqual({ row: row.row, ...wanted })
    }
  },
)

test.skipIf(!isBuilt)('an unknown scale of scores is asked for', async () => {
  const [name, expected] = examples.find(([, { with_point3 }]) => with_point3 !== undefined) ?? []
  const list = { ...(await listOf(String(name))), options: { scoreFormat: 'POINT_3' } } as const
  const planned = await planList(store.read, list)
  const ratings: unknown = planned.map(({ shown }, index) => ({ row: index + 1, rating: shown.rating }))
  expect(ratings).toEqual(expected?.with_point3)
})

test.skipIf(!isBuilt).each(examples.map(([name], index) => [name, 100 + index] as const))(
  'applied, %s is what the preview showed, and nothing is left to write',
  async (name, userId) => {
    const list = { ...(await listOf(name)), userId, options: { scoreFormat: 'POINT_10' } } as const
    const before = await planList(store.read, list)
    await applyList(store.write, list)
    const after = await planList(store.read, list)
    for (const [index, { state, shown, writes }] of before.entries()) {
      if (state !== 'new') continue
      expect([index, after[index]?.state, after[index]?.shown.here.episodes]).toEqual([
        index,
        'unchanged',
        Math.max(shown.episodes, ...before.map((row) => sameWork(row, writes?.workId))),
      ])
    }
    expect(store.row('select count(*) as n from activities')).toEqual({ n: 0 })
  },
)

const sameWork = ({ writes, shown }: PlannedRow, workId: number | undefined): number =>
  writes?.workId === workId ? shown.episodes : 0

/** Without what this test does not check; works by their ids in this catalogue. */
function wantedOf({ row: _, source_id: __, reviews: ___, title, records, ...wanted }: ExpectedRow) {
  const [work, another] = store.rows<{ id: number }>('select id from works where title = ?', String(title))
  const isElsewhere = work !== undefined && another === undefined && (wanted.work_id ?? 0) > 10_000_000
  return {
    ...wanted,
    ...(isElsewhere ? { work_id: work.id } : {}),
    ...(isListed(wanted) ? { grows_to: null } : {}),
    ...(wanted.work_id && records ? { records: records.map(wantedRecord) } : {}),
  }
}

/** The examples are older than this catalogue, which knows more episodes. */
const isListed = ({ work_id, grows_to }: { work_id?: number | null; grows_to?: unknown }): boolean =>
  typeof grows_to === 'number' &&
  store.rows('select 1 from works where id = ? and episodes_count >= ?', work_id ?? 0, grows_to).length > 0

const wantedRecord = ({ watched_at, ...record }: Readonly<Record<string, unknown>>) => ({
  ...record,
  ...(watched_at === undefined ? {} : { watched_at: new Date(String(watched_at)).toISOString() }),
})

function shownAs({ state, reason, shown }: PlannedRow, workId: number | null): Record<string, unknown> {
  return {
    ...{ state, reason, work_id: workId, matched_by: shown.matchedBy, status: shown.status },
    ...{ episodes: shown.episodes, grows_to: shown.growsTo, review_body: shown.reviewBody },
    ...{ started_on: shown.startedOn, finished_on: shown.finishedOn, rewatches: shown.rewatches },
    ...{ file_total: shown.fileTotal, catalogue_total: shown.catalogueTotal },
    rating: shown.hasUnknownScale ? '?' : shown.rating,
    records: shown.records.map(shownRecord),
  }
}

function shownRecord({ episode, watchedAt, ratingState, comment }: ShownRecord) {
  const watched_at = watchedAt === null ? null : new Date(watchedAt).toISOString()
  return { episode, watched_at, watched_on: watched_at?.slice(0, 10), rating_state: ratingState, comment }
}

/** What is asserted, also inside lists. */
function picked(shown: unknown, wanted: unknown): unknown {
  if (Array.isArray(wanted) && Array.isArray(shown))
    return shown.map((one, index) => picked(one, wanted[index] ?? {}))
  if (typeof wanted !== 'object' || typeof shown !== 'object' || wanted === null || shown === null)
    return shown
  return Object.fromEntries(
    Object.entries(wanted).map(([key, value]) => [key, picked(Object(shown)[key], value)]),
  )
}

async function listOf(name: string): Promise<ListOfRows> {
  const { reader, contents } = await detect(join(folder, name), name)
  const rows = await Array.fromAsync(reader.rows(contents))
  const matches = await Promise.all(rows.map(matcher))
  return { matches: matches.flat(), source: reader.source, now }
}
