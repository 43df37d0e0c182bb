import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { detect } from '../../src/transfer/detect'

const folder = mkdtempSync(join(tmpdir(), 'kiroku-products-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function read(content: unknown) {
  const path = join(folder, 'list')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  const { reader, contents } = await detect(path, 'list')
  const rows = await Array.fromAsync(reader.rows(contents))
  return { source: reader.source, rows: JSON.parse(JSON.stringify(rows)) }
}

test("IMDb's ratings are ratings, and what a list has without one is to be watched", async () => {
  const ratings = await read(
    `Const,Your Rating,Date Rated,Title,Original Title,URL,Title Type,IMDb Rating,Runtime (mins),Year,Genres,Num Votes,Release Date,Directors
tt2560140,9,2023-05-01,Attack on Titan,Shingeki no kyojin,https://www.imdb.com/title/tt2560140,TV Series,9.1,24,2013,"Animation, Action",1,2013-09-28,
tt5311514,8,2023-05-02,Your Name.,Kimi no na wa.,https://www.imdb.com/title/tt5311514,Movie,8.4,106,2016,Animation,1,2016-07-03,Makoto Shinkai
tt9906260,10,2023-05-03,Hero,Hero,https://www.imdb.com/title/tt9906260,TV Episode,9.9,24,2019,Animation,1,2019-07-01,`,
  )
  expect(ratings).toMatchObject({
    source: 'imdb',
    rows: [
      { title: 'Attack on Titan', year: 2013, score: { value: 9, scale: 10 }, mayBeOther: true },
      { title: 'Your Name.', year: 2016, media: 'movie' },
      { title: 'Hero', skipped: 'nothing_to_import' },
    ],
  })
  expect(
    ratings.rows.map(({ status, plays }: { status?: string; plays?: unknown }) => [status, plays]),
  ).toEqual([[], [], []].map(() => [undefined, undefined]))
  const watchlist = await read(
    `Position,Const,Created,Modified,Description,Title,Original Title,URL,Title Type,IMDb Rating,Runtime (mins),Year,Genres,Num Votes,Release Date,Directors,Your Rating,Date Rated
1,tt0213338,2023-01-01,2023-01-01,,Cowboy Bebop,,,TV Series,8.9,24,1998,,,,,,`,
  )
  expect(watchlist.rows).toMatchObject([{ title: 'Cowboy Bebop', status: 'wanna_watch' }])
})

test("Netflix's viewings are counted by season, films have their day, and each profile its own", async () => {
  const { source, rows } = await read(`Title,Date
"Jujutsu Kaisen: Season 2: Hidden Inventory","1/15/24"
"Jujutsu Kaisen: Season 2: Hidden Inventory 2","1/16/24"
"Jujutsu Kaisen: Season 2: Hidden Inventory","2/20/24"
"Jujutsu Kaisen: Season 1: Ryomen Sukuna","1/2/24"
"葬送のフリーレン: シーズン1: 第1話","2024/1/15"
"葬送のフリーレン: シーズン1: 第2話","2024/1/16"
"A Silent Voice","1/17/24"
"5 Centimeters per Second","5/6/24"`)
  expect(source).toBe('netflix')
  expect(rows).toMatchObject([
    { title: 'Jujutsu Kaisen Season 2', status: 'watching', progress: 2 },
    { title: 'Jujutsu Kaisen', progress: 1 },
    { title: '葬送のフリーレン', plays: [{ episode: 1, watchedAt: '2024-01-15' }, { episode: 2 }] },
    { title: 'A Silent Voice', status: 'watched', finishedOn: '2024-01-17' },
    { title: '5 Centimeters per Second', status: 'watched' },
  ])
  expect(rows[4].finishedOn).toBeUndefined()
  const account = await read(
    `Profile Name,Start Time,Duration,Attributes,Title,Supplemental Video Type,Device Type,Bookmark,Latest Bookmark,Country
mio,2024-01-15 12:34:56,00:23:00,,Monster: Season 1: Episode 3,,TV,,,JP (Japan)
ritsu,2024-01-15 12:34:56,00:23:00,,Monster: Season 1: Episode 3,,TV,,,JP (Japan)
mio,2024-01-15 12:34:56,00:00:30,,Monster: Season 1 (Trailer),TRAILER,TV,,,JP (Japan)`,
  )
  expect(account.rows).toMatchObject([
    { user: 'mio', plays: [{ episode: 3, watchedAt: Date.UTC(2024, 0, 15, 12, 34, 56) }] },
    { user: 'ritsu' },
  ])
  expect(account.rows).toHaveLength(2)
})

test("Watcharr's entries have their status, finished episodes, rating and thoughts", async () => {
  const entry = {
    ...{ id: 1, status: 'HOLD', rating: 8, thoughts: '良い', updatedAt: '2024-01-01T00:00:00Z' },
    content: { tmdbId: 65942, title: 'Re:ZERO', type: 'tv', first_air_date: '2016-04-04' },
    watchedEpisodes: [
      { seasonNumber: 1, episodeNumber: 1, status: 'FINISHED' },
      { seasonNumber: 1, episodeNumber: 2, status: 'PLANNED' },
    ],
  }
  expect(await read([entry])).toMatchObject({
    source: 'watcharr',
    rows: [
      {
        ...{ status: 'on_hold', note: '良い', year: 2016, refs: [{ site: 'tmdb', id: 'tv/65942' }] },
        plays: [{ season: 1, episode: 1 }],
      },
    ],
  })
})

test("SeriesGuide's series have the episodes that were watched, and its films their place", async () => {
  const episodes = [
    { episode: 1, watched: true },
    { episode: 2, watched: false, skipped: true },
  ]
  const show = { tmdb_id: 65942, title: 'Re:ZERO', first_aired: '2016-04-04T00:00:00Z', rating_user: 9 }
  const shows = await read([
    { ...show, seasons: [{ season: 1, episodes }] },
    { tmdb_id: 1, title: 'Other', seasons: [{ season: 1, episodes: [{ episode: 1, watched: false }] }] },
  ])
  expect(shows).toMatchObject({
    source: 'seriesguide',
    rows: [{ plays: [{ season: 1, episode: 1 }], year: 2016 }, { skipped: 'nothing_to_import' }],
  })
  expect(shows.rows[0].plays).toHaveLength(1)
  const film = { tmdb_id: 372058, title: 'Your Name.', released_utc_ms: Date.UTC(2016, 7, 26) }
  const films = [
    { ...film, in_watchlist: false, watched: true },
    { ...film, in_watchlist: true, watched: false },
  ]
  expect((await read(films)).rows).toMatchObject([
    { status: 'watched', year: 2016, refs: [{ site: 'tmdb', id: 'movie/372058' }] },
    { status: 'wanna_watch' },
  ])
})
