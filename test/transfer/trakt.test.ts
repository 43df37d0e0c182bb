import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { detect } from '../../src/transfer/detect'
import type { ListRow } from '../../src/transfer/row'
import { writeZip } from '../support/zip-file'

const folder = mkdtempSync(join(tmpdir(), 'kiroku-trakt-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function rowsOf(members: Readonly<Record<string, readonly object[]>>): Promise<readonly ListRow[]> {
  const path = join(folder, 'export.zip')
  const texts = Object.entries(members).map(([name, items]) => [`${name}.json`, JSON.stringify(items)])
  await writeZip(path, Object.fromEntries(texts))
  const { reader, contents } = await detect(path, 'export.zip')
  return await Array.fromAsync(reader.rows(contents))
}

const show = { title: 'Re:ZERO', year: 2016, ids: { trakt: 1, tmdb: 65942 } }
const movie = { title: 'Fireworks', year: 2017, ids: { trakt: 2, tmdb: 430826 } }
const played = (season: number, watched_at = '2023-03-10T11:10:00.000Z') =>
  ({ watched_at, type: 'episode', episode: { season, number: 1 }, show }) as const
const ratedShow = { rated_at: '2023-04-01T00:00:00.000Z', rating: 8, type: 'show', show }

test('a series is one row, with its plays, status, rating and comment', async () => {
  const rows = await rowsOf({
    'watched-history-1': [played(1), played(2)],
    'hidden-dropped': [{ hidden_at: '2024-01-01T00:00:00.000Z', type: 'show', show }],
    'ratings-shows': [ratedShow],
    'comments-shows': [{ type: 'show', comment: { comment: '重い' }, show }],
  })
  expect(rows).toMatchObject([
    { sourceId: '1', status: 'stop_watching', score: { value: 8 }, note: '重い', plays: { length: 2 } },
  ])
  expect(rows[0]?.updatedAt).toBe(Date.UTC(2024, 0))
})

test('a played title on the watchlist is defined by its plays alone', async () => {
  const history = [{ watched_at: '2023-03-10T11:10:00.000Z', type: 'movie', movie }]
  const listed = [
    { type: 'movie', movie },
    { type: 'show', show },
  ]
  const rows = await rowsOf({ 'watched-history-1': history, 'lists-watchlist': listed })
  expect(rows.map(({ status, plays }) => [status, plays?.length])).toEqual([
    [undefined, 1],
    ['wanna_watch', 0],
  ])
})

test('what is said about a season is a separate row, and so is a rating of a series whose first season was not played', async () => {
  const season = {
    rated_at: '2023-04-01T00:00:00.000Z',
    rating: 6,
    type: 'season',
    season: { number: 2 },
    show,
  }
  const rows = await rowsOf({
    'watched-history-1': [played(2)],
    'ratings-shows': [ratedShow],
    'ratings-seasons': [season],
  })
  const told = rows.map(({ refs, score, plays }) => [refs[0]?.season, score?.value, plays?.length])
  expect(told).toEqual([
    [undefined, undefined, 1],
    [undefined, 8, undefined],
    [2, 6, undefined],
  ])
})
