import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exportUser } from '../../../src/accounts/export/export'
import { detect } from '../../../src/transfer/detect'
import type { ListRow } from '../../../src/transfer/row'
import { type Body, createInstance, type Instance } from '../../support/instance'
import { seedLibrary } from '../../support/seed-library'

let kiroku: Instance

beforeAll(async () => {
  kiroku = await createInstance({ seed: seedLibrary })
  for (const sql of changes) kiroku.store.handle.run(sql)
})
afterAll(() => kiroku.close())

const changes = [
  "insert into external_ids (kind, ns, external_id, local_id) values ('work', 'mal', '40001', 1), ('work', 'annict', '1', 1)",
  "insert into external_ids (kind, ns, external_id, local_id) values ('work', 'anilist', '9', 1), ('work', 'tmdb', 'movie/7', 1)",
  "update statuses set started_on = '2016-03', finished_on = '2016', rewatches = 3 where user_id = 1 and work_id = 1",
  'insert into laps (user_id, work_id, number, started_at) values (1, 1, 2, 1700000000000)',
  'insert into skips (user_id, episode_id, lap, created_at) values (1, 2, 2, 1700000000001)',
  "insert into notes (user_id, work_id, text, updated_at) values (1, 1, '内緒', 1700000000002)",
  ...['time', 'day', 'month', 'year', 'none'].map(
    (
      precision,
      n,
    ) => `insert into records (user_id, work_id, episode_id, comment, rating, rating_state, score, lap, watched_at,
      watched_at_precision, is_modified, created_at)
      values (1, 1, ${(n % 4) + 1}, '感想${n}', ${n}, 'good', ${n * 20 || null}, ${1 + (n % 2)}, ${1_500_000_000_000 + n}, '${precision}', ${n % 2}, ${n})`,
  ),
  "update episodes set number = '1.5' where id = 1",
  `insert into reviews (user_id, work_id, body, rating_overall_state, score, rating_music_state, watched_at, watched_at_precision, created_at, modified_at)
   values (1, 1, 'もう一度', 'great', 97, 'bad', 1600000000000, 'month', 1600000000000, 1600000000001)`,
]

async function rowsOf(text: string, name = 'kiroku-mio.json'): Promise<readonly ListRow[]> {
  const path = join(kiroku.deps.config.data, name)
  writeFileSync(path, text)
  const { reader, contents } = await detect(path, name)
  expect(reader.source).toBe('kiroku')
  return await Array.fromAsync(reader.rows(contents))
}

const exported = async (userId = 1) => (await Array.fromAsync(exportUser(kiroku.deps, userId))).join('')

const all = (sql: string): Body[] => kiroku.store.handle.query<Body, []>(sql).all()

describe("kiroku's own file, imported again", () => {
  test('has a row for each work with everything that the database has about it', async () => {
    const rows = await rowsOf(await exported())
    const [row] = rows.filter(({ sourceId }) => sourceId === '1')
    expect(row).toMatchObject({
      title: '星降る庭',
      status: 'watching',
      startedOn: '2016-03',
      finishedOn: '2016',
      rewatches: 3,
      note: 'もう一度',
      rating: 'great',
      score: { value: 97, scale: 100 },
      own: {
        laps: [{ number: 2, startedAt: 1_700_000_000_000 }],
        skips: [{ episode: 2, lap: 2, skippedAt: 1_700_000_000_001 }],
        note: { text: '内緒', updatedAt: 1_700_000_000_002 },
      },
    })
    expect(row?.refs).toEqual([
      { site: 'work', id: '1' },
      { site: 'annict', id: '1' },
      { site: 'mal', id: '40001' },
      { site: 'anilist', id: '9' },
      { site: 'tmdb', id: 'movie/7' },
    ])
    const works = all(
      'select work_id from statuses where user_id = 1 union select work_id from records where user_id = 1 union select work_id from reviews where user_id = 1',
    )
    expect(rows.map(({ sourceId }) => Number(sourceId))).toEqual(works.map(({ work_id }) => work_id))
  })

  test('has records as they are, with how exactly their times are known', async () => {
    const rows = await rowsOf(await exported())
    const plays = rows.flatMap(({ plays = [] }) => plays)
    const records =
      all(`select records.*, number, sort_number from records join episodes on episodes.id = episode_id
      where user_id = 1 order by records.work_id, records.id`)
    expect(records.length).toBeGreaterThan(3)
    expect(plays).toEqual(
      records.map((record) => {
        const watchedAt = record.watched_at_precision === 'none' ? undefined : record.watched_at
        const isCounted = /^\d+$/.test(record.number)
        return {
          episode: isCounted ? Number(record.number) : record.sort_number / 10,
          watchedAt,
          rating: record.rating_state ?? undefined,
          score: record.score ?? undefined,
          comment: record.comment || undefined,
          own: {
            lap: record.lap,
            precision: record.watched_at_precision,
            listed: isCounted ? undefined : { number: record.number, sortNumber: record.sort_number },
            points: record.rating ?? undefined,
            isModified: record.is_modified === 1 || undefined,
            createdAt: record.created_at === watchedAt ? undefined : record.created_at,
            isPrivate: record.private === 1,
          },
        }
      }),
    )
  })

  test('has every review in full, a viewing with its time', async () => {
    const rows = await rowsOf(await exported())
    const reviews = all('select * from reviews where user_id = 1 order by work_id, id')
    expect(rows.flatMap(({ own }) => own?.reviews ?? [])).toEqual(
      reviews.map((review) => ({
        body: review.body,
        ratings: {
          overall: review.rating_overall_state ?? undefined,
          animation: review.rating_animation_state ?? undefined,
          music: review.rating_music_state ?? undefined,
          story: review.rating_story_state ?? undefined,
          character: review.rating_character_state ?? undefined,
        },
        score: review.score ?? undefined,
        watchedAt: review.watched_at ?? undefined,
        precision: review.watched_at_precision ?? undefined,
        createdAt: review.created_at,
        modifiedAt: review.modified_at ?? undefined,
        isPrivate: review.private === 1,
      })),
    )
  })

  test("contains only its own user's data", async () => {
    const rows = await rowsOf(await exported(2))
    const own = all('select comment from records where user_id = 2').map(({ comment }) => comment)
    expect(rows.flatMap(({ plays = [] }) => plays.map(({ comment }) => comment ?? '')).sort()).toEqual(
      own.sort(),
    )
  })
})

describe('a file unlike those that kiroku writes', () => {
  const file = (lists: object) =>
    JSON.stringify({
      format: 'kiroku user',
      version: 1,
      exported_at: '',
      profile: { two_step_since: null },
      ...lists,
    })

  test('of version 1 has no works: they are derived from what is about them', async () => {
    const text = file({
      records: [
        {
          work: { id: 5, title: '庭' },
          episode: { id: 1, number_text: '第1話' },
          watched_at: '2026-01-01T00:00:00.000Z',
          watched_at_precision: 'none',
        },
      ],
      skips: [{ episode: { work_id: 5, number: null, sort_number: 30 }, lap: 1, created_at: 'x' }],
    })
    const [row, ...others] = await rowsOf(text)
    expect(others).toEqual([])
    expect(row).toMatchObject({ sourceId: '5', title: '庭', refs: [{ site: 'work', id: '5' }] })
    expect(row?.plays).toEqual([
      { episode: 0, own: { lap: 1, precision: 'none', listed: { number: null, sortNumber: 0 } } },
    ])
    expect(row?.own?.skips).toMatchObject([{ episode: 3, listed: { number: null, sortNumber: 30 } }])
  })

  test('with an unknown status is an error that names the rule', async () => {
    const [row] = await rowsOf(file({ statuses: [{ work: { id: 1 }, kind: 'finished' }] }))
    expect(row?.error).toStartWith('statuses.kind must be one of wanna_watch')
  })

  test('may contain anything in any place', async () => {
    const odd = [
      null,
      1,
      'x',
      [],
      {},
      { work: null },
      { work: [], episode: 3, rating_state: {}, watched_at: 1 },
    ]
    const lists = ['works', 'records', 'reviews', 'statuses', 'laps', 'skips', 'notes']
    const rows = await rowsOf(file(Object.fromEntries(lists.map((name) => [name, odd]))))
    expect(rows.map(({ refs }) => refs)).toEqual([[]])
  })

  test('and a work that nothing refers to is left out', async () => {
    const [row] = await rowsOf(file({ works: [{ id: 1, title: '庭', ids: {} }] }))
    expect(row?.skipped).toBe('nothing_to_import')
  })
})
