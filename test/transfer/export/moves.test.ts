import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Lists } from '../../../src/transfer/batch/lists'
import { listsOf } from '../../../src/transfer/batch/lists-of'
import { type ExportFormat, formats } from '../../../src/transfer/export/formats'
import { type Body, createInstance, type Instance } from '../../support/instance'
import { fill } from '../../support/seed'

const [mio, ritsu] = [1, 2]

let kiroku: Instance
let lists: Lists

/** Four works with MyAnimeList ids and twelve episodes each, and a film; mio's library of them. */
const library = [
  `insert into works (id, title, media, season_year, released_on, mal_anime_id, no_episodes, source_id) values
    (1, '星の庭', 'tv', 2020, '2020-04-01', '101', 0, 1), (2, '海の庭', 'tv', 2021, '2021-04-01', '102', 0, 1),
    (3, '山の庭', 'tv', 2022, '2022-04-01', '103', 0, 1), (4, '庭の映画', 'movie', 2023, '2023-04-01', '104', 1, 1),
    (5, '空の庭', 'tv', 2024, '2024-04-01', '105', 0, 1)`,
  `insert into external_ids (kind, ns, external_id, local_id) select 'work', 'mal', mal_anime_id, id from works`,
  `insert into episodes (work_id, number, sort_number, source_id)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 12)
    select works.id, i, i * 10, 1 from works, n where no_episodes = 0`,
  // The first within a day each, the second with only months known, the third watched twice.
  `insert into records (user_id, work_id, episode_id, comment, rating_state, watched_at, watched_at_precision, lap, created_at)
    select 1, work_id, id, 'よかった' || id, 'good', 1600000000000 + number * 86400000, 'time', 1, 1600000000000 + number * 86400000
    from episodes where work_id = 1`,
  `insert into records (user_id, work_id, episode_id, watched_at, watched_at_precision, lap, created_at)
    select 1, work_id, id, 1612180800000, 'month', 1, 1620000000000 + number from episodes where work_id = 2 and number + 0 < 6`,
  `insert into laps (user_id, work_id, number, started_at) values (1, 3, 2, 1650000000000)`,
  `insert into records (user_id, work_id, episode_id, watched_at, watched_at_precision, lap, created_at)
    select 1, work_id, episodes.id, 1640000000000 + lap * 10000000000 + number * 100000000, 'time', lap,
      1640000000000 + lap * 10000000000 + number * 100000000
    from episodes, (select 1 as lap union select 2) where work_id = 3 and (lap = 1 or number + 0 < 4)
    order by lap, number + 0`,
  `insert into statuses (user_id, work_id, kind, changed_at, started_on, finished_on, rewatches) values
    (1, 1, 'watched', 1601000000000, '2020-09-10', null, null), (1, 2, 'on_hold', 1621000000000, null, null, null),
    (1, 3, 'watching', 1651000000000, null, null, 4), (1, 4, 'watched', 1681000000000, null, null, null),
    (1, 5, 'wanna_watch', 1682000000000, null, null, null)`,
  `insert into reviews (user_id, work_id, body, rating_overall_state, rating_music_state, created_at, modified_at) values
    (1, 1, '名作', 'great', 'bad', 1602000000000, 1602000000001), (1, 1, 'もう一度', 'good', null, 1603000000000, null)`,
  `insert into reviews (user_id, work_id, body, rating_overall_state, watched_at, watched_at_precision, created_at)
    values (1, 4, '大きな画面で', 'good', 1680000000000, 'time', 1680000000000)`,
]

beforeAll(async () => {
  kiroku = await createInstance({
    seed: (store) => fill(store, { users: [userRow(mio, 'mio'), userRow(ritsu, 'ritsu')] }),
  })
  for (const sql of library) kiroku.store.handle.run(sql)
  lists = listsOf(kiroku.deps)
})
afterAll(async () => {
  await lists.close()
  await kiroku.close()
})

const userRow = (id: number, username: string) => ({
  ...{ id, username, username_key: username, name: username, time_zone: 'Asia/Tokyo' },
  ...{ email: `${username}@example.com`, email_key: `${username}@example.com`, password_hash: '' },
  created_at: 0,
})

async function exported(format: ExportFormat, userId: number): Promise<Buffer> {
  const exporter = { read: kiroku.deps.read, now: kiroku.deps.now, userId, timeZone: 'Asia/Tokyo' }
  const pieces = await Array.fromAsync(formats[format].write(exporter))
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece as string)))
}

/** Imports mio's export as ritsu. */
async function move(format: ExportFormat): Promise<{ id: number; counts: object }> {
  const path = join(kiroku.deps.config.data, `moved.${format}`)
  writeFileSync(path, await exported(format, mio))
  const { id } = await lists.read(ritsu, { path, name: 'moved' }, {})
  await lists.apply(ritsu, id, { acceptsProbable: false })
  await lists.settled(id)
  const again = await lists.read(ritsu, { path, name: 'moved' }, {})
  expect(again.counts).toMatchObject({ new: 0, unchanged: 5 })
  await lists.remove(ritsu, again.id)
  return await lists.find(ritsu, id)
}

async function takeBack(id: number): Promise<void> {
  await lists.undo(ritsu, id)
  await lists.settled(id)
}

describe('what one user exports, another imports, and exports the same', () => {
  test("with kiroku's file", async () => {
    const { id, counts } = await move('kiroku')
    expect(counts).toMatchObject({ new: 5, check: 0, not_found: 0, error: 0 })
    const [one, other] = await Promise.all(
      [mio, ritsu].map(async (user) => JSON.parse(String(await exported('kiroku', user)))),
    )
    const bare = (rows: Body[]) =>
      rows.map(({ id: _, likes_count: __, ...row }) => JSON.stringify(row)).sort()
    for (const name of ['works', 'records', 'statuses', 'laps', 'reviews'])
      expect([name, bare(other[name])]).toEqual([name, bare(one[name])])
    await takeBack(id)
  })

  test('with the list for MyAnimeList', async () => {
    const { id, counts } = await move('mal')
    expect(counts).toMatchObject({ new: 5, check: 0, not_found: 0, error: 0 })
    const [one, other] = await Promise.all(
      [mio, ritsu].map(async (user) => new TextDecoder().decode(gunzipSync(await exported('mal', user)))),
    )
    // An import ignores a month as a date.
    expect(other?.replace('ritsu', 'mio')).toBe(one?.replaceAll(/\d{4}-\d\d-00/g, '0000-00-00'))
    await takeBack(id)
  })
})
