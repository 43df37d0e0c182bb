import { afterAll, beforeAll, expect, test } from 'bun:test'
import { exportedFile, exportFiles } from '../../../src/transfer/export/exported-file'
import { createInstance, type Instance } from '../../support/instance'
import { seedLibrary } from '../../support/seed-library'

let kiroku: Instance

const [records, works] = [40_000, 320]

beforeAll(async () => {
  kiroku = await createInstance({ seed: seedLibrary })
  const { handle } = kiroku.store
  handle.run('delete from activities')
  handle.run(`insert into works (id, title, media, mal_anime_id, source_id)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${works})
    select 1000 + i, '作品' || i, 'tv', i, 1 from n`)
  handle.run(`insert into episodes (id, work_id, number, sort_number, source_id)
    with recursive n(i) as (select 0 union all select i + 1 from n where i < ${records} - 1)
    select 100000 + i, 1001 + i / ${records / works}, i % ${records / works} + 1, (i % ${records / works} + 1) * 10, 1 from n`)
  handle.run(`insert into records (user_id, work_id, episode_id, comment, watched_at, created_at)
    select 1, work_id, id, 'とてもよかった話でした' || id, 1700000000000 + id, 1 from episodes where id >= 100000`)
  handle.run(`insert into statuses (user_id, work_id, kind, changed_at)
    select 1, id, 'watched', 1 from works where id > 1000`)
}, 60_000)
afterAll(() => kiroku.close())

const exporter = () => ({ read: kiroku.deps.read, now: kiroku.deps.now, userId: 1, timeZone: 'Asia/Tokyo' })

test.each(exportFiles.filter((file) => file === 'all' || !file.includes('.')))(
  'forty thousand records are exported piece by piece: %s',
  async (file) => {
    const { pieces } = await exportedFile(exporter(), file)
    let [count, largest, total] = [0, 0, 0]
    for await (const piece of pieces) {
      count += 1
      largest = Math.max(largest, piece.length)
      total += piece.length
    }
    expect(total).toBeGreaterThan(1000)
    expect(largest).toBeLessThan(400_000)
    if (file !== 'mal') expect(count).toBeGreaterThan(4)
  },
  60_000,
)

/** Calls `asked` before each query. */
const watched = (asked: () => void) =>
  new Proxy(kiroku.deps.read, {
    get: (target, name) => {
      const value = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      if (name === 'executeQuery' || name === 'selectFrom') asked()
      return value.bind(target)
    },
  })

test.each(['all', 'kiroku', 'csv'] as const)('no more is read than is taken: %s', async (file) => {
  let queries = 0
  const { pieces } = await exportedFile({ ...exporter(), read: watched(() => queries++) }, file)
  const iterator = pieces[Symbol.asyncIterator]()
  await iterator.next()
  for (let turn = 0; turn < 1000; turn += 1) await new Promise(setImmediate)
  // Of 250, 130 and 82.
  expect(queries).toBeLessThan(70)
  await iterator.return?.()
})

test.each(exportFiles.filter((file) => !file.includes('.')))(
  'an export that cannot go on fails, and nobody waits for its end: %s',
  async (file) => {
    let queries = 0
    const read = watched(() => {
      queries += 1
      if (queries > 4) throw new RangeError('Cannot use a closed database')
    })
    const all = exportedFile({ ...exporter(), read }, file).then(({ pieces }) => Array.fromAsync(pieces))
    expect(await all.catch((cause) => cause.message)).toBe('Cannot use a closed database')
  },
)
