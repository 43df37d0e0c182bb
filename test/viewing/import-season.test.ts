import { afterEach, beforeEach, expect, test } from 'bun:test'
import { importCatalogue } from '../../src/catalogue/import/import-catalogue'
import { bytesOf, textOf } from '../support/catalogue-store'
import { postList, untilSettled } from '../support/imports'
import { createInstance, type Instance, start } from '../support/instance'
import { fill } from '../support/seed'
import { createMember, hiddenInputs, type Visitor } from '../support/visitor'
import { zipped } from '../support/zip-file'
import { userRow } from '../transfer/batch/support'
import { anime, estimated } from '../transfer/match/catalogue'

const work = anime(10, '長い旅', { ids: { tmdb: 'tv/200' }, ...estimated(61, '2000-04-01') })

let kiroku: Instance
let mio: Visitor
let preview: string
beforeEach(async () => {
  kiroku = await createInstance({
    seed: async (store) => {
      await importCatalogue(store, bytesOf(textOf('annict', [work]), 65_536), { now: start })
      await fill(store, { users: [userRow(1, 'mio')] })
    },
  })
  mio = await createMember(kiroku, 'mio')
  const { csrf = '' } = hiddenInputs((await mio.open('/settings/import')).text, '/settings/import')
  const file = new File([await zipped({ 'watched-history.json': JSON.stringify(plays) })], 'trakt.zip')
  preview = (await postList(mio, { csrf, file })).location
})
afterEach(() => kiroku.close())

/** Two seasons of Trakt's export, of 30 and 20 episodes. */
const plays = [30, 20].flatMap((count, at) =>
  Array.from({ length: count }, (_, n) => ({
    ...{ type: 'episode', episode: { season: at + 1, number: n + 1 } },
    show: { title: '長い旅', year: 2000, ids: { trakt: 10, tmdb: 200 } },
    watched_at: new Date(Date.UTC(2020, at, 1 + n, 12)).toISOString(),
  })),
)

const recorded = () =>
  kiroku.store.handle
    .query<{ number: string }, []>(
      'select number from records join episodes on episodes.id = episode_id order by sort_number',
    )
    .all()
    .map(({ number }) => Number(number))

test('a season of a long work asks at which episode it continues, and says which it probably is', async () => {
  const { text } = await mio.open(`${preview}?state=check`)
  expect(text).toContain('here it is part of a longer work')
  expect(text).toContain('<label for="continues_at">Season 2 continues at episode</label>')
  expect(text).toMatch(/<input type="number" id="continues_at" name="continues_at" value="31"/)
  const values = { work_id: '10', continues_at: '31' }
  expect((await mio.submit(`${preview}?state=check`, values, `${preview}/rows/2`)).status).toBe(303)
  await mio.submit(preview, {}, `${preview}/apply`)
  await untilSettled(kiroku)
  expect(recorded()).toEqual(Array.from({ length: 50 }, (_, at) => at + 1))
})

test('without the number nothing is taken, and the season can be left out without it', async () => {
  await mio.submit(`${preview}?row=2`, { work_id: '10', continues_at: '' }, `${preview}/rows/2`)
  expect((await mio.open(preview)).text).toContain('id="row-2"')
  expect((await mio.open(`${preview}?state=check`)).text).toContain('id="continues_at"')
  expect((await mio.open(`${preview}?state=check`)).text).toMatch(/value="skip" formnovalidate/)
  await mio.submit(`${preview}?row=2`, { decision: 'skip' }, `${preview}/rows/2`)
  expect((await mio.open(`${preview}?state=skipped`)).text).toContain('you left it out')
})
