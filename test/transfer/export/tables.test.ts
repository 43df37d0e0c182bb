import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { detect } from '../../../src/transfer/detect'
import { type ExportFormat, formats, leftOutOf } from '../../../src/transfer/export/formats'
import type { ListRow } from '../../../src/transfer/row'
import { type Body, createInstance, type Instance } from '../../support/instance'
import { seedLibrary } from '../../support/seed-library'

let kiroku: Instance
let read: Instance['deps']['read']

/** What user 1 has for works 1 (episodes), 2 (shares its id with 3), 5 (a film) and others. */
const library = [
  'delete from activities',
  ...['records', 'reviews', 'statuses', 'laps', 'skips'].map((table) => `delete from ${table}`),
  "update works set mal_anime_id = ''",
  "update works set mal_anime_id = '40001', title = '=LOVE]]>' where id = 1",
  "update works set mal_anime_id = '7', no_episodes = 0 where id in (2, 3)",
  "update works set no_episodes = 1, media = 'movie', mal_anime_id = '9' where id = 5",
  "insert into external_ids (kind, ns, external_id, local_id) values ('work', 'mal', '40001', 1), ('work', 'bangumi', '3', 1)",
  ...[1, 2, 3, 5, 9].map(
    (work, n) => `insert into statuses (user_id, work_id, kind, changed_at)
      values (1, ${work}, '${['watched', 'watched', 'watching', 'watched', 'on_hold'][n]}', 1700000000000)`,
  ),
  ...[1, 1, 2, 3].map(
    (
      episode,
      n,
    ) => `insert into records (user_id, work_id, episode_id, comment, watched_at, watched_at_precision, lap, created_at)
      values (1, 1, ${episode}, '${['+1', '@', "''=x", 'ふつう'][n]}', ${Date.UTC(2024, 0, 31 + n, 16)}, 'time', 1, 1)`,
  ),
  `insert into records (user_id, work_id, episode_id, watched_at, watched_at_precision, lap, created_at)
    values (1, 1, 4, 0, 'none', 2, 1), (2, 1, 4, ${Date.UTC(2001, 0)}, 'time', 1, 1)`,
  'insert into laps (user_id, work_id, number, started_at) values (1, 1, 2, 1)',
  `insert into reviews (user_id, work_id, body, rating_overall_state, created_at)
    values (1, 1, '古い', 'bad', 1), (1, 1, '新しい', 'good', 2), (1, 1, '', null, 3), (2, 1, 'ひとの', 'great', 4)`,
  `insert into reviews (user_id, work_id, watched_at, watched_at_precision, rating_overall_state, created_at)
    values (1, 5, ${Date.UTC(2020, 5, 15)}, 'month', 'great', 1)`,
  `insert into reviews (user_id, work_id, body, created_at) values (1, 8, '感想だけ', 1)`,
]

beforeAll(async () => {
  kiroku = await createInstance({ seed: seedLibrary })
  for (const sql of library) kiroku.store.handle.run(sql)
  read = kiroku.deps.read
})
afterAll(() => kiroku.close())

const exporterOf = (userId = 1, timeZone = 'Asia/Tokyo') => ({ read, now: kiroku.deps.now, userId, timeZone })

async function rowsOf(format: ExportFormat, userId = 1): Promise<readonly ListRow[]> {
  const path = join(kiroku.deps.config.data, format)
  const pieces = await Array.fromAsync(formats[format].write(exporterOf(userId)))
  writeFileSync(path, Buffer.concat(pieces.map((piece) => Buffer.from(piece as string))))
  const { reader, contents } = await detect(path, format)
  expect(reader.source).toBe(format)
  return await Array.fromAsync(reader.rows(contents))
}

async function tableOf(pieces: AsyncIterable<string | Uint8Array> = nothing()): Promise<Body[]> {
  return parse((await Array.fromAsync(pieces)).join(''), { bom: true, columns: true })
}

async function* nothing() {}

describe('for MyAnimeList', () => {
  test('has a work with its days, its newest review and its rewatches', async () => {
    const [row] = await rowsOf('mal')
    expect(row).toMatchObject({
      sourceId: '40001',
      title: '=LOVE]]>',
      status: 'watched',
      progress: 4,
      total: 4,
      score: { value: 8, scale: 10 },
      // 16:00 UTC is the next day in Japan; unknown times do not count.
      startedOn: '2024-02-01',
      finishedOn: '2024-02-04',
      rewatches: 1,
      note: '新しい',
    })
  })

  test('has one entry for works that share an id, only as far as the least finished one', async () => {
    const rows = await rowsOf('mal')
    const counts = kiroku.store.handle.query<Body, []>(
      'select sum(episodes_count) as n from works where id in (2, 3)',
    )
    expect(rows.map(({ sourceId }) => sourceId)).toEqual(['40001', '7', '9'])
    expect(rows[1]).toMatchObject({ status: 'watching', total: counts.get().n, finishedOn: undefined })
  })

  test('has a watched film as its one episode, with the day of its viewing', async () => {
    const [, , film] = await rowsOf('mal')
    expect(film).toMatchObject({ media: 'movie', progress: 1, total: 1, score: { value: 10, scale: 10 } })
    const text = Bun.gunzipSync(
      Buffer.concat((await Array.fromAsync(formats.mal.write(exporterOf()))) as Buffer[]),
    )
    expect(new TextDecoder().decode(text)).toContain('<my_finish_date>2020-06-00</my_finish_date>')
  })

  test('prefers dates and rewatches set by the user to those from records (D71)', async () => {
    const { handle } = kiroku.store
    handle.run(
      "update statuses set started_on = '2019-01-01', finished_on = '2019-02-02', rewatches = 5 where user_id = 1 and work_id = 1",
    )
    expect((await rowsOf('mal'))[0]).toMatchObject({
      startedOn: '2019-01-01',
      finishedOn: '2019-02-02',
      rewatches: 5,
    })
    handle.run("update statuses set kind = 'on_hold' where user_id = 1 and work_id = 1")
    expect((await rowsOf('mal'))[0]).toMatchObject({ startedOn: '2019-01-01', finishedOn: '2019-02-02' })
    handle.run(
      'update statuses set started_on = null, finished_on = null, rewatches = null where work_id = 1',
    )
    handle.run("update statuses set kind = 'watched' where user_id = 1 and work_id = 1")
  })

  test('lists works without an id or a status, in a form that can be imported', async () => {
    const left = await leftOutOf('mal', exporterOf())
    expect(left?.count).toBe(2)
    expect(await tableOf(left?.pieces)).toMatchObject([
      { work_id: '8', reason: 'no_mal_id', comment: '感想だけ', status: '' },
      { work_id: '9', reason: 'no_mal_id', status: 'on_hold' },
    ])
    expect(await leftOutOf('mal', exporterOf(4))).toBeUndefined()
    expect(await leftOutOf('csv', exporterOf())).toBeUndefined()
  })

  test('begins with the counts of its entries', async () => {
    const packed = (await Array.fromAsync(formats.mal.write(exporterOf()))) as Buffer[]
    const text = new TextDecoder().decode(Bun.gunzipSync(Buffer.concat(packed)))
    expect(text).toContain('<user_total_anime>3</user_total_anime>')
    expect(text).toContain('<user_total_completed>2</user_total_completed>')
    expect(text).toContain('<user_total_watching>1</user_total_watching>')
    expect(text.match(/<update_on_import>1</g)).toHaveLength(3)
  })
})

test('tables for Yamtrack and Simkl have every work with a status, and list the others', async () => {
  for (const format of ['yamtrack', 'simkl'] as const) {
    const rows = await rowsOf(format)
    expect([format, rows.length]).toEqual([format, 5])
    expect(rows[0]).toMatchObject({ title: '=LOVE]]>', status: 'watched', progress: 4, note: '新しい' })
    const left = await leftOutOf(format, exporterOf())
    expect(await tableOf(left?.pieces)).toMatchObject([{ work_id: '8', reason: 'no_status' }])
  }
})

describe('the table of records', () => {
  test('has one per line, with what identifies its work elsewhere', async () => {
    const rows = await tableOf(formats.csv.write(exporterOf()))
    expect(rows).toHaveLength(5)
    expect(rows[0]).toMatchObject({
      work_id: '1',
      mal_id: '40001',
      bangumi_id: '3',
      anilist_id: '',
      watched_at: '2024-01-31T16:00:00.000Z',
      lap: '1',
    })
    expect(rows[4]).toMatchObject({ watched_at: '', lap: '2' })
  })

  test('says what is private, which an import keeps (D72)', async () => {
    const { handle } = kiroku.store
    const ofMio = { ...exporterOf(), read: kiroku.deps.readAs(1) }
    handle.run("update records set private = 1 where user_id = 1 and comment = '@'")
    const rows = await tableOf(formats.csv.write(ofMio))
    expect(rows.map((row) => [row.comment, row.private])).toContainEqual(["'@", 'yes'])
    expect(rows.filter((row) => row.private === 'no')).toHaveLength(rows.length - 1)
    const path = join(kiroku.deps.config.data, 'private.csv')
    writeFileSync(path, (await Array.fromAsync(formats.csv.write(ofMio))).join(''))
    const { reader, contents } = await detect(path, 'csv')
    const read = await Array.fromAsync(reader.rows(contents))
    expect(read.filter((row) => row.isPrivate === true).map(({ plays }) => plays?.[0]?.comment)).toEqual([
      '@',
    ])
    handle.run("update records set private = 0 where comment = '@'")
  })

  test('guards what a spreadsheet would take for a formula, and an import removes that', async () => {
    const table = await tableOf(formats.csv.write(exporterOf()))
    expect(table.map(({ comment }) => comment)).toEqual(["'+1", "'@", "''=x", 'ふつう', ''])
    expect(table[0].title).toBe("'=LOVE]]>")
    const rows = await rowsOf('csv')
    expect(rows.map(({ plays }) => plays?.[0]?.comment ?? '').slice(0, 2)).toEqual(['+1', '@'])
    expect(rows[0]?.title).toBe('=LOVE]]>')
  })

  test('begins with a byte order mark, from which spreadsheets recognize UTF-8', async () => {
    const [first] = await Array.fromAsync(formats.csv.write(exporterOf()))
    expect(String(first)).toStartWith('\uFEFF"work_id"')
    for (const format of ['yamtrack', 'simkl'] as const) {
      const [header] = await Array.fromAsync(formats[format].write(exporterOf()))
      expect(String(header)).not.toStartWith('\uFEFF')
    }
  })

  test('a guarded text is restored, whatever it begins with', async () => {
    const { guarded, unguarded } = await import('../../../src/transfer/export/texts')
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("'", ...'=+-@＝＋－＠\t\r\n \u3000\u00A0\uFEFF\u200Bx') }),
        (cell) => {
          expect(unguarded(guarded(cell))).toBe(cell)
          expect(guarded(cell)).not.toMatch(/^(?:[\t\r\n]|[ \u3000\u00A0\uFEFF\u200B\s]*[=+\-@＝＋－＠])/)
        },
      ),
    )
  })
})

test('no list contains anything of another user', async () => {
  for (const format of ['mal', 'yamtrack', 'simkl', 'csv'] as const) {
    const text = JSON.stringify(await rowsOf(format).then((rows) => rows))
    expect([format, text.includes('ひとの')]).toEqual([format, false])
  }
  const own = await tableOf(formats.csv.write(exporterOf(2)))
  expect(own.map(({ work_id, watched_at }) => [work_id, watched_at])).toEqual([
    ['1', '2001-01-01T00:00:00.000Z'],
  ])
})
