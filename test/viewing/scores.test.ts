import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { rowsOf } from '../support/counted'
import { createInstance, start } from '../support/instance'
import { seedLibrary } from '../support/seed-library'
import { createMember, type Visitor } from '../support/visitor'
import { addSeries } from '../support/works'

const kiroku = await createInstance({ seed: seedLibrary })
const { handle } = kiroku.store
const mio = await createMember(kiroku, 'mio')
const azusa = await createMember(kiroku, 'azusa')
afterAll(kiroku.close)
await addSeries(kiroku, 50, 12)

const displays = ['words', 'stars', 'ten', 'hundred'] as const
const show = (display: string) => handle.run('update users set rating_display = ?', [display])

beforeEach(() => {
  handle.run('delete from reviews where work_id in (50, 3)')
  handle.run('delete from records where work_id = 50')
  show('words')
})

/** What a browser without script sends of the form with this action, pressed as it is. */
function controlsIn(text: string, action: string): Record<string, string> {
  const [form = ''] = new RegExp(`<form[^>]*action="${action}"[\\s\\S]*?</form>`).exec(text) ?? []
  expect([action, form !== '']).toEqual([action, true])
  const sent: Record<string, string> = {}
  const attribute = (tag: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]
  for (const [tag] of form.matchAll(/<input[^>]*>/g)) {
    const isLeftOut = /type="(radio|checkbox)"/.test(tag) && !tag.includes(' checked')
    const name = attribute(tag, 'name')
    if (name !== undefined && !isLeftOut) sent[name] = attribute(tag, 'value') ?? ''
  }
  for (const [, name = '', value = ''] of form.matchAll(/<textarea[^>]* name="(\w+)"[^>]*>\n([^<]*)/g))
    sent[name] = value
  return sent
}

async function press(path: string, action: string, typed: Record<string, string>, who: Visitor = mio) {
  const controls = controlsIn((await who.open(path)).text, action)
  return await who.post(action, { ...controls, ...typed })
}

const sheet = '/record/new?episode=500001'
const recorded = () => rowsOf(handle, 'records').filter(({ work_id }) => work_id === 50)
const opinions = () => recorded().map(({ score, rating, rating_state }) => [score, rating, rating_state])

describe('the sheet (D87)', () => {
  test.each(['stars', 'ten', 'hundred'])('has ten numbers of which one is chosen: %s', async (display) => {
    show(display)
    const { text } = await mio.open(sheet)
    const values = [...text.matchAll(/name="score" value="(\d+)"/g)].map(([, value]) => Number(value))
    expect(values).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90, 100])
    expect(text).not.toContain('name="rating_state"')
    expect(text.includes('name="score_exact"')).toBe(display !== 'stars')
    await press(sheet, '/record', { score: '80' })
    expect(opinions()).toEqual([[80, 4, 'good']])
  })

  test.each([
    ['ten', '8.5', 85],
    ['ten', '8,5', 85],
    ['ten', '８．５', 85],
    ['ten', '10', 100],
    ['ten', '85', 85],
    ['ten', '0.1', 1],
    ['hundred', '85', 85],
    ['hundred', '10', 10],
    ['hundred', '8.5', 85],
    ['hundred', '1', 1],
  ])('takes exactly %s %s before the number that is chosen: %p', async (display, score_exact, score) => {
    show(display)
    await press(sheet, '/record', { score: '20', score_exact })
    expect(recorded()).toMatchObject([{ score }])
  })

  test.each([
    ['ten', '0', 'must be a number from 0.1 to 10'],
    ['ten', '101', 'must be a number from 0.1 to 10'],
    ['ten', 'great', 'must be a number from 0.1 to 10'],
    ['hundred', '0', 'must be a whole number from 1 to 100'],
    ['hundred', '85.5', 'must be a whole number from 1 to 100'],
  ])('refuses exactly %s %s, and keeps what was typed', async (display, score_exact, rule) => {
    show(display)
    const page = await press(sheet, '/record', { score_exact, comment: '名シーン' })
    expect([page.status, page.text.includes(rule)]).toEqual([422, true])
    expect(page.text).toMatch(/\n名シーン<\/textarea>/)
    expect(page.text).toContain(`name="score_exact" value="${score_exact}"`)
    expect(recorded()).toEqual([])
  })

  test.each(['0', '101', '8.5', 'x'])('refuses %s, which no form offers', async (score) => {
    expect((await press(sheet, '/record', { score })).status).toBe(422)
  })
})

describe('saving what is unchanged (D87)', () => {
  const stored: readonly (readonly [score: number | null, rating: number | null, word: string | null])[] = [
    ...[1, 4, 5, 37, 50, 55, 85, 87, 99, 100].map(
      (score) => [score, Math.round(score / 2) / 10, null] as const,
    ),
    // As AniList's three faces come, and as a client may send both.
    [85, 4.3, 'great'],
    [10, 0.5, 'great'],
    [null, null, 'good'],
    [null, 4.5, 'bad'],
    [null, null, null],
  ]
  const kept = (score: number | null, word: string | null) => {
    if (score === null || word !== null) return word
    return ['bad', 'average', 'good', 'great'][[50, 70, 90].filter((least) => score >= least).length] ?? null
  }

  test.each(displays.flatMap((display) => stored.map((row) => [display, ...row] as const)))(
    'leaves the rating as it is: %s, %p, %p, %p',
    async (display, score, rating, word) => {
      const state = kept(score, word)
      handle.run(
        `insert into records (id, user_id, work_id, episode_id, score, rating, rating_state, watched_at, created_at)
          values (900, 1, 50, 500001, ?, ?, ?, ${start}, ${start})`,
        [score, rating, state],
      )
      handle.run(
        `insert into reviews (id, user_id, work_id, body, score, rating_overall_state, watched_at, watched_at_precision, created_at)
          values (900, 1, 3, '庭', ?, ?, ${start}, 'time', ${start})`,
        [score, state],
      )
      show(display)
      await press('/records/900/edit', '/records/900/edit', { comment: '書き足した' })
      expect(recorded()).toMatchObject([{ score, rating, rating_state: state, comment: '書き足した' }])
      await press('/viewings/900/edit', '/viewings/900/edit', { comment: '書き足した' })
      const [review] = rowsOf(handle, 'reviews').filter(({ id }) => id === 900)
      expect(review).toMatchObject({ score, rating_overall_state: state, body: '書き足した' })
    },
  )

  test.each(displays)('and "No rating" takes word and number back: %s', async (display) => {
    handle.run(
      `insert into records (id, user_id, work_id, episode_id, score, rating, rating_state, watched_at, created_at)
        values (900, 1, 50, 500001, 80, 4, 'good', ${start}, ${start})`,
    )
    show(display)
    const field = display === 'words' ? 'rating_state' : 'score'
    await press('/records/900/edit', '/records/900/edit', { [field]: '' })
    expect(opinions()).toEqual([[null, null, null]])
  })
})

describe("one's own rating of a work (D87)", () => {
  const rate = (typed: Record<string, string>) => press('/works/50', '/rating', { work_id: '50', ...typed })
  const rated = () =>
    rowsOf(handle, 'reviews')
      .filter(({ work_id }) => work_id === 50)
      .map(({ score, rating_overall_state }) => [score, rating_overall_state])

  test('is a number where the reader has numbers, and taken back with its word', async () => {
    show('ten')
    await rate({ score: '70' })
    expect(rated()).toEqual([[70, 'good']])
    await rate({ score_exact: '9.5' })
    expect(rated()).toEqual([[95, 'great']])
    const { text } = await mio.open('/works/50')
    expect(text).toMatch(/data-focus="rating-50"><span class="rated">.*<\/svg>9\.5</)
    expect(text).toMatch(/name="score" value="95" aria-pressed="true" data-keys="0"/)
    await rate({ rating_state: 'great' })
    expect(rated()).toEqual([[95, 'great']])
    await rate({ rating_state: 'bad' })
    expect(rated()).toEqual([[null, 'bad']])
    await rate({ rating_state: '' })
    expect(rated()).toEqual([])
  })

  test('of several works at once', async () => {
    show('hundred')
    handle.run(
      `insert or replace into statuses (user_id, work_id, kind, changed_at) values (1, 50, 'watched', 1)`,
    )
    const page = '/@mio/library/watched?select=1'
    const { csrf = '' } = controlsIn((await mio.open(page)).text, '/status/bulk')
    await mio.post('/rating/bulk', { csrf, return_to: page, score: '40', work_50: 'on' })
    expect(rated()).toEqual([[40, 'bad']])
    expect((await mio.post('/rating/bulk', { csrf, return_to: page, work_50: 'on' })).status).toBe(422)
  })

  test('a film takes a number with its viewing', async () => {
    show('stars')
    await press('/works/3', '/viewing', { score: '90' })
    const [viewing] = rowsOf(handle, 'reviews').filter(({ work_id }) => work_id === 3)
    expect(viewing).toMatchObject({ score: 90, rating_overall_state: 'great', watched_at_precision: 'time' })
  })
})

describe('a rating in the scale of who reads it (D87)', () => {
  const shown = {
    words: ['Great', 'Good', 'Bad'],
    stars: ['★4½', 'Good', '★½'],
    ten: ['9.1', 'Good', '0.3'],
    hundred: ['91', 'Good', '3'],
  }
  test.each(displays)('%s', async (display) => {
    const rows = [
      [91, 'great'],
      [null, 'good'],
      [3, null],
    ] as const
    for (const [at, [score, word]] of rows.entries())
      handle.run(
        `insert into records (id, user_id, work_id, episode_id, score, rating_state, comment, watched_at, created_at)
          values (?, 1, 50, 500001, ?, ?, '言葉', ${start}, ${start})`,
        [900 + at, score, word],
      )
    handle.run("update users set rating_display = ?, guards_spoilers = 0 where username = 'azusa'", [display])
    const marks = (text: string) =>
      [...text.matchAll(/class="rated">.*?<\/svg>([^<]*)</g)].map(([, mark]) => mark)
    const { text } = await azusa.open('/works/50/episodes/1')
    const others = text.slice(text.indexOf('class="opinions"'))
    expect(marks(others).toReversed()).toEqual(shown[display])
    expect(marks((await azusa.open('/records/900')).text)).toEqual([shown[display][0] ?? ''])
  })
})

test('the library sorts by the number, else by 40, 60, 80 and 100 for the word (D87)', async () => {
  const ratings = [
    [null, 'bad'],
    [39, 'bad'],
    [85, 'good'],
    [null, 'good'],
    [null, 'great'],
    [99, 'great'],
  ] as const
  handle.run('delete from statuses where user_id = 1')
  for (const [at, [score, word]] of ratings.entries()) {
    const work = 60 + at
    await addSeries(kiroku, work, 1)
    handle.run(`insert into statuses (user_id, work_id, kind, changed_at) values (1, ${work}, 'watched', 1)`)
    handle.run(
      'insert into reviews (user_id, work_id, score, rating_overall_state, created_at) values (1, ?, ?, ?, 1)',
      [...[work, score, word]],
    )
    // What has no rating does not count, though it is newer.
    handle.run(`insert into reviews (user_id, work_id, body, created_at) values (1, ${work}, '追記', 2)`)
  }
  show('hundred')
  const { text } = await mio.open('/@mio/library/watched?sort=rating')
  const order = [...text.matchAll(/<tr id="row-(\d+)"/g)].map(([, id]) => Number(id) - 60)
  expect(order).toEqual([4, 5, 2, 3, 0, 1])
  expect(text).toMatch(/id="row-62"[\s\S]*?<\/svg>85</)
  expect(text).toMatch(/id="row-63"[\s\S]*?<\/svg>Good</)
})
