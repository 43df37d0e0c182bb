import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseSeason, seasonAfter, seasonNames, seasonText } from '../../src/viewing/parts/season'
import { createInstance } from '../support/instance'
import { createMember, createVisitor } from '../support/visitor'

const kiroku = await createInstance()
const { handle } = kiroku.store
const member = await createMember(kiroku, 'mio')
const visitor = createVisitor(kiroku)
afterAll(kiroku.close)

const addWork = (
  id: number,
  season: string | null,
  { media = 'tv', title = `第${id}の庭`, ...rest } = {},
) => {
  const columns = { id, title, media, season_year: 2030, season, source_id: 1, ...rest }
  const names = Object.keys(columns)
  handle.run(`insert into works (${names}) values (${names.map(() => '?')})`, Object.values(columns))
}
const choose = (work: number, kind: string, user = 1) =>
  handle.run('insert into statuses (user_id, work_id, kind, changed_at) values (?, ?, ?, 1)', [
    user,
    work,
    kind,
  ])

beforeEach(() => {
  for (const table of [
    'acts',
    'activity_deletions',
    'activities',
    'statuses',
    'library_entries',
    'external_ids',
  ])
    handle.run(`delete from ${table} where true`)
  handle.run('delete from works where id >= 100')
  addWork(101, 'spring')
  addWork(102, 'spring', { media: 'movie' })
  addWork(103, 'summer')
  addWork(104, null)
})

const season = async (target: string, reader = member) => (await reader.open(`/seasons/${target}`)).text
const order = (text: string) => [...text.matchAll(/id="row-(\d+)"/g)].map(([, id]) => Number(id))
const chips = (text: string) =>
  [...text.matchAll(/class="chip"[^>]*>([^<]*)<span class="amount">(\d+)/g)].map(
    ([, name, count]) => `${name} ${count}`,
  )

describe('an address', () => {
  test.each(['2026-sommer', '2026-', 'spring', '999', '10000', '2026-spring-1', '2026-constructor'])(
    'that names no season is not found: %p',
    async (name) => expect((await member.open(`/seasons/${name}`)).status).toBe(404),
  )

  test('of the status of a work is for members, and for shown works', async () => {
    expect((await visitor.open('/works/101/status')).location).toStartWith('/sign_in')
    for (const id of ['9', '9999', 'x']) expect((await member.open(`/works/${id}/status`)).status).toBe(404)
  })

  test('of this, the next and the last season redirects there with the filters', async () => {
    const to = async (target: string) => {
      const { status, location } = await visitor.open(`/seasons/${target}`)
      return [status, location]
    }
    expect(await to('now')).toEqual([303, '/seasons/2026-spring'])
    expect(await to('next?media=tv&view=list')).toEqual([303, '/seasons/2026-summer?media=tv&view=list'])
    expect(await to('last')).toEqual([303, '/seasons/2026-winter'])
  })

  test('with unknown filters has no effect', async () => {
    const text = await season('2030-spring?media=radio&status=liked&sort=random&view=map&page=-1')
    expect(order(text)).toEqual([101, 102])
  })
})

test('visitors see the works and cannot act on them', async () => {
  choose(101, 'watching')
  const text = await season('2030-spring?status=watching', visitor)
  expect(order(text)).toEqual([101, 102])
  expect(text.match(/<form class="search" role="search" action="\/search">/g)).toHaveLength(1)
  expect(text).not.toContain('data-act="status"')
  expect(text).not.toContain('/status?')
  expect(chips(text)).toEqual(['All 2', 'TV 1', 'Film 1'])
})

test('a season has its own works, a year also those with an unknown season, and neither has hidden ones', async () => {
  addWork(105, 'spring', { hidden: 1 } as object)
  expect(order(await season('2030-spring'))).toEqual([101, 102])
  expect(order(await season('2030')).sort()).toEqual([101, 102, 103, 104])
})

describe('the order', () => {
  test('is by watchers, then by popularity, then by how many databases list a work', async () => {
    for (const id of [106, 107, 108]) addWork(id, 'autumn')
    addWork(109, 'autumn', { popularity: 3 } as object)
    choose(107, 'watching', 2)
    handle.run("insert into external_ids (kind, ns, external_id, local_id) values ('work', 'mal', 'x', 108)")
    expect(order(await season('2030-autumn'))).toEqual([107, 109, 108, 106])
  })

  test("is not changed by one's own choices", async () => {
    choose(102, 'wanna_watch')
    expect(order(await season('2030-spring'))).toEqual([101, 102])
    choose(102, 'wanna_watch', 2)
    expect(order(await season('2030-spring'))).toEqual([102, 101])
  })

  test('may be by start or by title in one’s language', async () => {
    addWork(110, 'winter', { title: 'ん', title_en: 'Apple', released_on: '2030-02-01' } as object)
    addWork(111, 'winter', { title: 'あ', title_en: 'banana', released_on: '2030-01' } as object)
    addWork(112, 'winter', { title: 'か', broadcast_begin: Date.UTC(2030, 0, 20) } as object)
    expect(order(await season('2030-winter?sort=start'))).toEqual([111, 112, 110])
    expect(order(await season('2030-winter?sort=title'))).toEqual([110, 111, 112])
    const reader = createVisitor(kiroku, { language: 'ja' })
    expect(order(await season('2030-winter?sort=title', reader))).toEqual([111, 112, 110])
  })
})

describe('filters', () => {
  test('select works by medium and own status, and show how many', async () => {
    choose(102, 'wanna_watch')
    expect(chips(await season('2030-spring'))).toEqual([
      'All 2',
      'TV 1',
      'Film 1',
      'Not in my library 1',
      'Plan to watch 1',
    ])
    expect(order(await season('2030-spring?media=movie'))).toEqual([102])
    expect(order(await season('2030-spring?status=none'))).toEqual([101])
    expect(chips(await season('2030-spring?status=none'))).toEqual([
      'All 2',
      'TV 1',
      'Not in my library 1',
      'Plan to watch 1',
    ])
  })

  test('that leave nothing can be cleared; sorting and view stay', async () => {
    const text = await season('2030-spring?media=ova&status=watched&sort=title&view=list')
    expect(text).toContain('Nothing matches these filters')
    expect(text).toContain('class="button filled" href="/seasons/2030-spring?sort=title&#38;view=list"')
  })

  test('are left out for a season without works, which says so', async () => {
    const text = await season('2031-spring')
    expect(text).toContain('Nothing is listed for this season')
    expect(chips(text)).toEqual([])
  })
})

test('the previous and next season are links with keys, as far as they exist', async () => {
  const ways = (text: string) =>
    [...text.matchAll(/href="\/seasons\/([^"]*)" rel="(\w+)" data-keys="([^"]*)"/g)].map(([, ...parts]) =>
      parts.join(' '),
    )
  expect(ways(await season('2030-winter?media=tv'))).toEqual([
    '2029-autumn?media=tv prev [',
    '2030-spring?media=tv next ]',
  ])
  expect(ways(await season('2030'))).toEqual(['2029 prev [', '2031 next ]'])
  expect(ways(await season('1000-winter'))).toEqual(['1000-spring next ]'])
  expect(ways(await season('9999-autumn'))).toEqual(['9999-summer prev ['])
})

test('the menu has every year with works, in the same season', async () => {
  const years = /<div class="years">(.*?)<\/div>/.exec(await season('2026-autumn'))?.[1] ?? ''
  expect([...years.matchAll(/href="([^"]*)"/g)].map(([, path]) => path)).toEqual(
    [2030, 2022, 2021, 2020].map((year) => `${year}-autumn`),
  )
})

describe('one press', () => {
  test('plans a work: its card dims and says so', async () => {
    const sent = await member.submit('/seasons/2030-spring?media=tv', { kind: 'wanna_watch' }, '/status')
    expect(sent.location).toBe('/seasons/2030-spring?media=tv')
    const text = await season('2030-spring')
    expect(text).toMatch(/class="card dimmed" id="row-101"[\s\S]*aria-label="第101の庭: Plan to watch"/)
    expect(text.match(/data-act="status" data-swap="#row-/g)).toHaveLength(1)
  })

  test('replaces only the card and the filters', async () => {
    expect(await season('2030-spring')).toContain('data-act="status" data-swap="#row-101, #filters"')
  })

  test('on an existing status leads to all statuses, and back', async () => {
    choose(101, 'watching')
    const [, path = ''] =
      /href="(\/works\/101\/status[^"]*)"/.exec(await season('2030-spring?view=list')) ?? []
    const { text } = await member.open(path)
    expect(text).toContain('value="watching" aria-pressed="true"')
    const sent = await member.submit(path, { kind: 'no_select' }, '/status')
    expect(sent.location).toBe('/seasons/2030-spring?view=list')
    expect(handle.query('select * from statuses').all()).toEqual([])
  })
})

test('the list has a row per work, sorted by its column headings', async () => {
  choose(102, 'on_hold', 2)
  choose(101, 'watching', 2)
  const text = await season('2030-spring?view=list')
  expect(order(text)).toEqual([101, 102])
  expect(text).toMatch(
    /<th scope="col" aria-sort="descending"><a href="\/seasons\/2030-spring\?view=list">Watchers</,
  )
  expect(text).toContain('href="/seasons/2030-spring?sort=start&#38;view=list"')
})

describe('a long season', () => {
  beforeEach(() => {
    const title = '異世界に転生したら最強の剣士だったので気ままに'
    for (let id = 200; id < 300; id += 1) addWork(id, 'autumn', { title })
  })

  test('is shown in pages, up to the last one', async () => {
    expect(order(await season('2030-autumn'))).toHaveLength(48)
    expect(order(await season('2030-autumn?page=3'))).toEqual([296, 297, 298, 299])
    expect(order(await season('2030-autumn?page=99'))).toEqual([296, 297, 298, 299])
  })

  test.each(['', '&view=list'])('has no page of more than 50 KB: %p', async (view) => {
    const bytes = async () => Buffer.byteLength(await season(`2030-autumn?media=tv${view}`))
    expect(await bytes()).toBeLessThan(50 * 1024)
    for (let id = 200; id < 300; id += 1) choose(id, 'wanna_watch')
    expect(await bytes()).toBeLessThan(50 * 1024)
  })
})

test('seasons follow each other', () => {
  const any = fc.record({
    year: fc.integer({ min: 1000, max: 9999 }),
    name: fc.constantFrom(...seasonNames, undefined),
  })
  fc.assert(
    fc.property(any, fc.integer({ min: -50, max: 50 }), (one, by) => {
      expect(parseSeason(seasonText(one))).toEqual(one)
      const other = seasonAfter(one, by)
      if (other !== undefined) expect(seasonAfter(other, -by)).toEqual(one)
    }),
  )
})
