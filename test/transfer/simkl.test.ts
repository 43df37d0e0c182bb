import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { detect } from '../../src/transfer/detect'

const folder = mkdtempSync(join(tmpdir(), 'kiroku-simkl-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a completed film is a play for each time it was watched', async () => {
  const movie = { title: 'Your Name.', year: 2016, ids: { simkl: 1, tmdb: '372058' } }
  const entry = { movie, user_rating: 8 }
  const list = {
    movies: [
      { ...entry, status: 'completed', last_watched_at: '2023-05-01T12:00:00Z' },
      { ...entry, status: 'completed', last_watched_at: '2024-05-01T12:00:00Z', is_rewatch: true },
      { ...entry, status: 'plantowatch', last_watched_at: '2024-05-01T12:00:00Z' },
      { ...entry, status: 'completed', last_watched_at: null },
    ],
  }
  const path = join(folder, 'list')
  writeFileSync(path, JSON.stringify(list))
  const { reader, contents } = await detect(path, 'list')
  const rows = await Array.fromAsync(reader.rows(contents))
  expect(rows.map(({ plays }) => plays)).toEqual([
    [{ episode: 0, watchedAt: Date.UTC(2023, 4, 1, 12) }],
    [{ episode: 0, watchedAt: Date.UTC(2024, 4, 1, 12) }],
    [],
    [],
  ])
})
