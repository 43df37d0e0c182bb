import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { importCatalogue } from '../../../src/catalogue/import/import-catalogue'
import type { ListImport } from '../../../src/transfer/batch/list-import'
import type { Lists } from '../../../src/transfer/batch/lists'
import { listsOf } from '../../../src/transfer/batch/lists-of'
import { bytesOf, textOf } from '../../support/catalogue-store'
import { createInstance, type Instance, start } from '../../support/instance'
import { fill } from '../../support/seed'
import { writeZip } from '../../support/zip-file'
import { anime, estimated } from '../match/catalogue'
import { userRow } from './support'

const works = [
  anime(1, '旅の記録', { ids: { tmdb: 'tv/100' }, ...estimated(12, '2018-04-01') }),
  anime(2, '旅の記録 2期', { ids: { tmdb: 'tv/100/season/2' }, ...estimated(12, '2020-04-01') }),
  anime(10, '長い旅', { ids: { tmdb: 'tv/200' }, ...estimated(61, '2000-04-01') }),
  anime(20, '終わらない旅', {
    ids: { tmdb: 'tv/300' },
    released_on: '1999-10-20',
    season_name: '1999-autumn',
  }),
]

const mio = 1
let kiroku: Instance
let lists: Lists
beforeEach(async () => {
  kiroku = await createInstance({
    seed: async (store) => {
      await importCatalogue(store, bytesOf(textOf('annict', works), 65_536), { now: start })
      await fill(store, { users: [userRow(mio, 'mio')] })
    },
  })
  lists = listsOf(kiroku.deps)
})
afterEach(async () => {
  await lists.close()
  await kiroku.close()
})

const rows = <T = Record<string, unknown>>(sql: string) => kiroku.store.handle.query<T, []>(sql).all()
const recorded = (work: number) =>
  rows<{ number: number; times: number }>(
    `select cast(number as integer) as number, count(*) as times from records
      join episodes on episodes.id = episode_id where records.work_id = ${work} group by episode_id order by 1`,
  ).map(({ number, times }) => (times === 1 ? number : [number, times]))
const statuses = () => rows('select work_id, kind, started_on, finished_on from statuses order by work_id')
const pathTo = (name: string) => join(kiroku.deps.config.data, name)
const readFile = (name: string) => lists.read(mio, { path: pathTo(name), name }, {})
const rowsOf = async ({ id }: ListImport) => (await lists.rows(mio, id, { offset: 0, limit: 50 })).rows
const applied = async ({ id }: ListImport) => {
  await lists.apply(mio, id, { acceptsProbable: true })
  await lists.settled(id)
  return await lists.find(mio, id)
}

describe("Yamtrack's lines of one series", () => {
  const head = ['media_id', 'source', 'media_type', 'title', 'season_number', 'episode_number', 'score']
  const columns = [...head, 'progress', 'status', 'start_date', 'end_date', 'notes', 'progressed_at']
  const line = (cells: Readonly<Record<string, string | number>>) =>
    columns.map((name) => `"${{ media_id: 100, source: 'tmdb', title: 'Travel', ...cells }[name] ?? ''}"`)
  const episodes = (season: number, count: number) =>
    Array.from({ length: count }, (_, at) =>
      line({
        media_type: 'episode',
        season_number: season,
        episode_number: at + 1,
        end_date: `202${season}-04-${String(at + 1).padStart(2, '0')} 12:00:00+00:00`,
      }),
    )
  const file = [
    columns,
    line({ media_type: 'tv', status: 'Completed', progress: 20, score: '9.0' }),
    line({ media_type: 'season', season_number: 1, status: 'Completed', progress: 12 }),
    line({ media_type: 'season', season_number: 2, status: 'In progress', progress: 8 }),
    ...episodes(1, 12),
    ...episodes(2, 8),
  ]

  test('are a row for each season, and the same file again changes nothing', async () => {
    writeFileSync(pathTo('yamtrack.csv'), file.join('\n'))
    const first = await readFile('yamtrack.csv')
    expect(first.counts).toMatchObject({ new: 2, conflict: 0, check: 0, skipped: 0 })
    await applied(first)
    const oneTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1)
    expect([recorded(1), recorded(2)]).toEqual([oneTo(12), oneTo(8)])
    expect(statuses()).toEqual([
      { work_id: 1, kind: 'watched', started_on: null, finished_on: null },
      { work_id: 2, kind: 'watching', started_on: null, finished_on: null },
    ])
    expect(rows('select work_id, rating_overall_state from reviews')).toEqual([
      { work_id: 1, rating_overall_state: 'great' },
    ])
    expect((await readFile('yamtrack.csv')).counts).toMatchObject({ unchanged: 2, new: 0, conflict: 0 })
  })

  test('without episodes are taken by the number watched of each season', async () => {
    writeFileSync(pathTo('yamtrack.csv'), file.slice(0, 4).join('\n'))
    await applied(await readFile('yamtrack.csv'))
    expect([recorded(1).length, recorded(2).length]).toEqual([12, 8])
  })
})

describe('a long work that Trakt cuts into seasons', () => {
  const ids = { 10: { title: '長い旅', tmdb: 200 }, 20: { title: '終わらない旅', tmdb: 300 } }
  const show = (work: keyof typeof ids) => ({
    title: ids[work].title,
    year: 2000,
    ids: { trakt: work, tmdb: ids[work].tmdb },
  })
  /** A play a day of each episode of seasons with so many, those in `without` left out. */
  async function history(work: keyof typeof ids, counts: readonly number[], without: readonly string[] = []) {
    const numbers = counts.flatMap((count, at) =>
      Array.from({ length: count }, (_, n) => ({ season: at + 1, number: n + 1 })),
    )
    const items = numbers
      .filter(({ season, number }) => !without.includes(`${season}x${number}`))
      .map((episode, at) => ({
        ...{ id: at, type: 'episode', action: 'watch', episode, show: show(work) },
        watched_at: new Date(Date.UTC(2020, 0, 1 + at, 12)).toISOString(),
      }))
    await writeZip(pathTo('trakt.zip'), { 'watched-history.json': JSON.stringify(items) })
    return await readFile('trakt.zip')
  }
  const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, at) => first + at)

  test('decides itself if its seasons add up to the episodes of the work', async () => {
    const whole = await history(10, [30, 31])
    expect(whole.counts).toMatchObject({ new: 1, check: 0 })
    await applied(whole)
    expect(recorded(10)).toEqual(upTo(61))
    expect(statuses()).toMatchObject([{ work_id: 10, kind: 'watched' }])
  })

  test('is to be checked otherwise, with the number that the season continues at', async () => {
    const part = await history(10, [30, 20])
    const [first, second] = await rowsOf(part)
    expect(first).toMatchObject({ state: 'new', workId: 10, continuesAt: null })
    expect(second).toMatchObject({ state: 'check', reason: 'numbering', workId: 10, continuesAt: 31 })
    for (const decision of [{ decision: 'accept' }, { workId: 10 }] as const)
      await expect(lists.decide(mio, part.id, 2, decision)).rejects.toThrow('episode_offset is required')
    await applied(part)
    expect(recorded(10)).toEqual(upTo(30))
  })

  test('has each episode once when the season is accepted where it continues, also the next time', async () => {
    const part = await history(10, [30, 20])
    const decided = await lists.decide(mio, part.id, 2, { workId: 10, episodeOffset: 30 })
    expect(decided).toMatchObject({ state: 'new', continuesAt: 31 })
    await applied(part)
    expect(recorded(10)).toEqual(upTo(50))
    expect(rows('select lap from records where lap > 1')).toEqual([])
    const again = await history(10, [30, 20])
    expect(again.counts).toMatchObject({ unchanged: 1, check: 0, new: 0 })
    const later = await history(10, [30, 25])
    await applied(later)
    expect(recorded(10)).toEqual(upTo(55))
  })

  test('keeps its numbers when the same work is chosen again', async () => {
    const part = await history(10, [30, 20])
    await lists.decide(mio, part.id, 2, { workId: 10, episodeOffset: 30 })
    await lists.decide(mio, part.id, 2, { workId: 10 })
    await applied(part)
    expect(recorded(10)).toEqual(upTo(50))
  })

  test('has no proposed number where the season before has a gap', async () => {
    const part = await history(10, [30, 20], ['1x7'])
    expect((await rowsOf(part))[1]).toMatchObject({ reason: 'numbering', continuesAt: null })
    await lists.decide(mio, part.id, 2, { workId: 10, episodeOffset: 30 })
    await applied(part)
    expect(recorded(10)).toEqual(upTo(50).filter((number) => number !== 7))
  })

  test('grows to what was watched if nobody knows how long it is', async () => {
    const part = await history(20, [60, 15])
    expect((await rowsOf(part))[1]).toMatchObject({ reason: 'numbering', continuesAt: 61 })
    await lists.decide(mio, part.id, 2, { workId: 20, episodeOffset: 60 })
    await applied(part)
    expect(recorded(20)).toEqual(upTo(75))
  })
})
