import { afterAll, expect, test } from 'bun:test'
import { importCatalogue } from '../../src/catalogue/import/import-catalogue'
import { lines } from '../support/built-catalogue'
import { textOf } from '../support/catalogue-store'
import { previewOf, untilSettled } from '../support/imports'
import { createInstance } from '../support/instance'
import { createMember } from '../support/visitor'

const kiroku = await createInstance()
afterAll(kiroku.close)

const before = (episodes: number | null) =>
  lines.flatMap((line) =>
    'key' in line && line.key === 'annict:2457'
      ? [{ ...line, series: undefined, episodes_estimate: episodes }]
      : [],
  )
const load = async (episodes: number | null) =>
  await importCatalogue(kiroku.store, new Blob([textOf('bangumi-data', before(episodes))]).stream(), {
    now: kiroku.clock.now,
  })

const anime = (watched: number) => `<?xml version="1.0" encoding="UTF-8" ?>
<myanimelist><myinfo><user_export_type>1</user_export_type></myinfo>
<anime><series_animedb_id>21</series_animedb_id><series_title><![CDATA[One Piece]]></series_title>
<series_type>TV</series_type><series_episodes>0</series_episodes><my_watched_episodes>${watched}</my_watched_episodes>
<my_status>Watching</my_status></anime></myanimelist>`

const recorded = (user: string) =>
  kiroku.store.handle
    .query<Record<string, number>, [string]>(
      `select count(*) as records, max(sort_number) / 10 as last, (select max(sort_number) / 10 from episodes
          where work_id = 2457) as listed
       from records join episodes on episodes.id = episode_id join users on users.id = user_id
       where records.work_id = 2457 and username = ?`,
    )
    .get(user)

test('ONE PIECE moved in from MyAnimeList keeps 1,100 watched episodes', async () => {
  await load(null)
  const mio = await createMember(kiroku, 'mio')
  const preview = await previewOf(mio, anime(1100))
  expect((await mio.submit(preview, {}, `${preview}/apply`)).status).toBe(303)
  await untilSettled(kiroku)
  expect(recorded('mio')).toEqual({ records: 1100, last: 1100, listed: 1100 })
})

test('a newer pack in which its count is unknown keeps what was recorded of it', async () => {
  await load(100)
  expect(recorded('mio')).toEqual({ records: 1100, last: 1100, listed: 1100 })
  await load(null)
  expect(recorded('mio')).toEqual({ records: 1100, last: 1100, listed: 1100 })
})

test('whoever says that a doubted row is that work records all of it', async () => {
  await load(100)
  kiroku.store.handle.run('delete from records where work_id = 2457')
  kiroku.store.handle.run('delete from episodes where work_id = 2457 and sort_number > 1000')
  const azusa = await createMember(kiroku, 'azusa')
  const preview = await previewOf(azusa, anime(1100))
  await azusa.submit(`${preview}?row=1`, { work_id: '2457' }, `${preview}/rows/1`)
  await azusa.submit(preview, {}, `${preview}/apply`)
  await untilSettled(kiroku)
  expect(recorded('azusa')).toEqual({ records: 1100, last: 1100, listed: 1100 })
})
