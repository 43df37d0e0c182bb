import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { importCatalogue } from '../../../src/catalogue/import/import-catalogue'
import type { Store } from '../../../src/db/open'
import { finishedOn, startedOn } from '../../../src/library/status-dates'
import { listsOf } from '../../../src/transfer/batch/lists-of'
import { type ExportFormat, formats } from '../../../src/transfer/export/formats'
import { bytesOf, textOf } from '../../support/catalogue-store'
import { createInstance, type Instance, start } from '../../support/instance'
import { fill } from '../../support/seed'
import { userRow } from '../batch/support'
import { anime, estimated } from '../match/catalogue'

const kinds = [estimated(12, '2018-04-01'), estimated(1, '2018-04-01'), { media: 'movie', no_episodes: true }]
const statuses = ['Watching', 'Completed', 'On-Hold', 'Dropped', 'Plan to Watch']
const [unknown, begin, end] = ['0000-00-00', '2020-01-05', '2020-03-04']
const dates = [
  [unknown, unknown],
  [begin, unknown],
  [unknown, end],
  [begin, end],
  [begin, begin],
] as const
const entries = statuses.flatMap((status) =>
  dates.flatMap(([from, to]) => kinds.map((kind, at) => ({ status, from, to, kind, isLong: at === 0 }))),
)
const works = entries.map(({ kind }, at) =>
  anime(at + 1, `旅の記録 その${at}`, { ids: { mal: at + 1 }, ...kind }),
)

/** A list of every status, with every combination of known and unknown dates. */
const list = `<myanimelist>${entries
  .map(
    ({ status, from, to, isLong }, at) => `<anime><series_animedb_id>${at + 1}</series_animedb_id>
      <my_status>${status}</my_status><my_start_date>${from}</my_start_date><my_finish_date>${to}</my_finish_date>
      <my_watched_episodes>${watchedOf(status, isLong)}</my_watched_episodes></anime>`,
  )
  .join('')}</myanimelist>`

function watchedOf(status: string, isLong: boolean): number {
  if (status === 'Plan to Watch') return 0
  if (status === 'Completed') return isLong ? 12 : 1
  return isLong ? 5 : 0
}

const instances: Instance[] = []
const mio = 1
const seed = async (store: Store) => {
  await importCatalogue(store, bytesOf(textOf('annict', works), 65_536), { now: start })
  await fill(store, { users: [userRow(mio, 'mio')] })
}

async function freshWith(file: string | Buffer): Promise<Instance> {
  const kiroku = await createInstance({ seed })
  instances.push(kiroku)
  const path = join(kiroku.deps.config.data, 'list')
  writeFileSync(path, file)
  const lists = listsOf(kiroku.deps)
  const { id } = await lists.read(mio, { path, name: 'list' }, {})
  await lists.apply(mio, id, { acceptsProbable: false })
  await lists.settled(id)
  return kiroku
}

/** As stored, and as shown, by work. */
async function datesIn({ deps }: Instance) {
  const rows = await deps.read
    .selectFrom('statuses')
    .innerJoin('works', 'works.id', 'work_id')
    .select(['work_id', 'kind', 'started_on', 'finished_on'])
    .select([startedOn.as('started'), finishedOn.as('finished')])
    .orderBy('work_id')
    .execute()
  return rows.map((row) => [
    row.work_id,
    row.kind,
    row.started_on,
    row.finished_on,
    row.started,
    row.finished,
  ])
}

async function exported({ deps }: Instance, format: ExportFormat, timeZone: string): Promise<Buffer> {
  const pieces = await Array.fromAsync(formats[format].write({ ...deps, userId: mio, timeZone }))
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece as string)))
}

let from: Instance
beforeAll(async () => {
  from = await freshWith(list)
})
afterAll(() => Promise.all(instances.map((one) => one.close())))

test('an entry has the dates of its list and no others', async () => {
  const known = (date: string) => (date === unknown ? null : date)
  const shown = await datesIn(from)
  expect(shown).toHaveLength(entries.length)
  expect(shown.map(([, , ...rest]) => rest)).toEqual(
    entries.map(({ from: begun, to }) => [known(begun), known(to), known(begun), known(to)]),
  )
})

test.each([
  ['kiroku', 'Asia/Tokyo'],
  ['mal', 'Asia/Tokyo'],
  ['mal', 'Pacific/Kiritimati'],
  ['yamtrack', 'America/Los_Angeles'],
] as const)(
  'exported as %s in %s and imported elsewhere, every entry has the same dates',
  async (format, zone) => {
    const to = await freshWith(await exported(from, format, zone))
    expect(await datesIn(to)).toEqual(await datesIn(from))
    const records =
      'select work_id, episode_id, watched_at_precision as known, iif(watched_at_precision = ?, 0, watched_at)'
    const recordsIn = ({ store }: Instance) =>
      store.handle.query(`${records} as at from records order by work_id, episode_id`).all('none')
    expect(recordsIn(to)).toEqual(recordsIn(from))
  },
)

test("an unknown start or end stays unknown in Simkl's file, which has only ends", async () => {
  const to = await freshWith(await exported(from, 'simkl', 'UTC'))
  expect(await datesIn(to)).toEqual(
    (await datesIn(from)).map(([work, kind, , finished]) => {
      const end = kind === 'watched' ? finished : null
      return [work ?? 0, kind ?? '', null, end ?? null, null, end ?? null]
    }),
  )
})
