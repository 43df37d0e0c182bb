import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { figures } from '../support/charts'
import { createInstance, type Instance } from '../support/instance'
import { readSvg } from '../support/svg'
import { createMember, createVisitor, type Visitor } from '../support/visitor'
import { addRecords, prefer } from '../support/watched-rows'

let kiroku: Instance
let mio: Visitor
beforeEach(async () => {
  kiroku = await createInstance()
  mio = await createMember(kiroku, 'mio')
  await prefer(kiroku, 1, { time_zone: 'Asia/Tokyo', has_long_nights: 1 })
  kiroku.clock.now = Date.parse('2026-04-01T03:00:00Z')
})
afterEach(() => kiroku.close())

const run = (sql: string, ...values: (string | number | null)[]) => kiroku.store.handle.run(sql, values)
const open = async (path: string, by = mio) => (await by.open(path)).text
const record = (times: readonly string[], more: object = {}) =>
  addRecords(
    kiroku,
    times.map((time, at) => ({
      ...{ user_id: 1, episode_id: [1, 2, 3, 4][at % 4] ?? 1, watched_at: Date.parse(time) },
      ...more,
    })),
  )
const finish = (work: number, score: number | null, rating: string | null, on = '2026-03') => {
  run(
    `insert into statuses (user_id, work_id, kind, changed_at, finished_on) values (1, ?, 'watched', 1, ?)`,
    work,
    on,
  )
  if (score !== null || rating !== null)
    run(
      'insert into reviews (user_id, work_id, score, rating_overall_state, created_at) values (1, ?, ?, ?, 1)',
      work,
      score,
      rating,
    )
}
const best = (text: string) => {
  const [, list = ''] = /<div class="year-best">([\s\S]*?)<\/div><\/section>/.exec(text) ?? []
  return [...list.matchAll(/<li[^>]*>[\s\S]*?href="\/works\/(\d+)"/g)].map(([, id]) => Number(id))
}
// The evening of 2025-12-31 with long nights.
const newYear = '2025-12-31T20:59:00Z'

describe('a year (D91)', () => {
  test('is not there for others, whatever the profile', async () => {
    await record(['2026-03-01T12:00:00Z'])
    const [ritsu, visitor] = [await createMember(kiroku, 'Ritsu_T'), createVisitor(kiroku)]
    for (const privacy of ['private', 'members', 'public']) {
      run('update users set privacy = ? where id = 1', privacy)
      for (const path of ['/@mio/2026', '/@mio/2026/share.svg', '/@mio/2025-05']) {
        expect([privacy, path, (await ritsu.open(path)).status]).toEqual([privacy, path, 404])
        const { status, text } = await visitor.open(path)
        expect([privacy, path, status]).toEqual([privacy, path, privacy === 'public' ? 404 : 303])
        expect(text).not.toContain('data-figure')
      }
      expect((await mio.open('/@mio/2026')).status).toBe(200)
    }
  })

  test.each(['1949', '2027', '2026-05', '2026-00', '2026-13', '0000', '20260', '2026-1', 'wrapped'])(
    '%s is none: it is before 1950, has not begun, or no year',
    async (name) => {
      for (const rest of ['', '/share.svg']) expect((await mio.open(`/@mio/${name}${rest}`)).status).toBe(404)
    },
  )

  test('has what was watched in it by its owner’s days, and says so far while it runs', async () => {
    await record([newYear, '2025-12-31T21:00:00Z', '2026-03-01T12:00:00Z'])
    await record(['2025-06-01T12:00:00Z'], { watched_at_precision: 'year' })
    const running = await open('/@mio/2026')
    expect(figures(running)).toMatchObject({ episodes: 2, days: 2, streak: 1 })
    expect(running).toContain('Your year, so far')
    const over = await open('/@mio/2025')
    expect(figures(over)).toMatchObject({ episodes: 2, days: 1 })
    expect(over).not.toContain('so far')
    // 5:59 in Tokyo.
    expect(over).toContain('31 Dec, 29:59')
    const months = await open('/@mio/2025-04')
    expect(figures(months)).toMatchObject({ episodes: 3 })
    expect(months).toContain('<h1>April 2025 to March 2026</h1>')
    expect((await mio.open('/@mio/2026-04')).status).toBe(200)
  })

  test('its best works are by number, then word, then the latest; a film seen counts, what was finished elsewhen does not', async () => {
    finish(1, 80, 'good')
    finish(2, 98, 'great')
    finish(4, null, 'great')
    finish(5, null, null)
    finish(6, 99, 'great', '2025')
    finish(9, 100, 'great')
    run(
      `insert into reviews (user_id, work_id, watched_at, watched_at_precision, score, created_at) values (1, 3, ?, 'day', 97, 1)`,
      Date.parse('2026-02-01T12:00:00Z'),
    )
    await record(['2026-02-02T12:00:00Z'], { work_id: 5 })
    const text = await open('/@mio/2026')
    // 9 is hidden.
    expect(best(text)).toEqual([2, 3, 1, 4, 5])
    expect(figures(text)).toMatchObject({ works_finished: 5, films: 1 })
  })

  test('without anything it offers the last year that has something', async () => {
    await record(['2021-03-01T12:00:00Z'])
    const text = await open('/@mio/2026')
    expect(text).toContain('href="/@mio/2021"')
    expect(text).not.toContain('share.svg')
  })

  test('is copied as a text of at most 280 characters, however long the titles', async () => {
    for (const work of [1, 2, 4]) {
      finish(work, work * 10, 'bad')
      run('update works set title = ?, title_en = ? where id = ?', '長'.repeat(300), 'L'.repeat(300), work)
    }
    await record(['2026-03-01T12:00:00Z'])
    for (const language of ['en', 'ja']) {
      await prefer(kiroku, 1, { language })
      const member = await createMember(kiroku, 'mio')
      const [, copied = ''] = /data-copy-text="([^"]*)"/.exec(await open('/@mio/2026', member)) ?? []
      expect(copied).toContain('…')
      expect([...copied].length).toBeLessThanOrEqual(280)
    }
  })
})

describe('the picture of a year (D92)', () => {
  const picture = async (size: string) => {
    const { text, headers, status } = await mio.open(`/@mio/2026/share.svg?size=${size}`)
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      ...[200, 'image/svg+xml; charset=utf-8', 'no-store'],
    ])
    // The strict reader knows no references to characters.
    return { svg: text, texts: readSvg(text.replaceAll(/&#\d+;/g, 'x')) }
  }

  test.each([
    ['wide', 1200, 630],
    ['tall', 1080, 1920],
  ])(
    '%s is %i × %i, well-formed and without an address, whatever titles and names are',
    async (size, width, height) => {
      const titles = [
        '長い題名'.repeat(75),
        '<b>"&\'</svg>',
        'שלום \u202eעולם',
        '👩‍👩‍👧‍👦\ud83d題',
        '\u0000\u0008\uffff',
      ]
      await prefer(kiroku, 1, { name: '</text><b>\u202eみお' })
      for (const [at, title] of titles.entries()) {
        run('update works set title = ?, title_en = ? where id = ?', title, title, [1, 2, 4, 5, 6][at] ?? 0)
        finish([1, 2, 4, 5, 6][at] ?? 0, 100 - at, 'great')
      }
      await record(['2026-03-01T12:00:00Z', '2026-03-02T12:00:00Z', '2026-02-02T12:00:00Z'])
      for (let turn = 0; turn < titles.length; turn += 1) {
        const { svg, texts } = await picture(size)
        expect(svg).toStartWith(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"`)
        expect(svg.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|127\.0\.0\.1|<b>/)
        for (const { x, y } of texts.filter(({ groups }) => groups.length === 0))
          expect([x >= 0 && x < width, y > 0 && y < height]).toEqual([true, true])
        // Another three come first.
        run('update reviews set score = (score + 1) % 100 + 1')
      }
    },
  )

  test('draws made covers beside each other without sharing an id', async () => {
    for (const work of [1, 2, 4]) finish(work, work, 'great')
    await record(['2026-03-01T12:00:00Z'])
    const { svg } = await picture('wide')
    const ids = [...svg.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    expect(ids.length).toBeGreaterThan(3)
    expect(new Set(ids).size).toBe(ids.length)
    const used = [...svg.matchAll(/url\(#([^)]*)\)|href="#([^"]*)"/g)].map(([, one, other]) => one ?? other)
    expect(used.filter((id) => !ids.includes(id))).toEqual([])
  })

  test('an unknown size is the wide one', async () => {
    await record(['2026-03-01T12:00:00Z'])
    expect((await picture('huge')).svg).toContain('width="1200"')
  })
})
