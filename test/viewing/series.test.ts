import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { contentOf } from '../support/acts'
import { createInstance } from '../support/instance'
import { fill } from '../support/seed'
import { seedLibrary } from '../support/seed-library'
import { createMember, createVisitor, hiddenInputs } from '../support/visitor'

/** Two seasons of three episodes, a film between them, an OVA, and a season to come. */
const works = [
  { id: 901, title: '庭', media: 'tv', season_year: 2020, released_on: '2020-01-05', minutes: 24 },
  {
    id: 903,
    title: '庭 第2期',
    media: 'tv',
    season_year: 2022,
    released_on: '2022-01-05',
    minutes: 24,
  },
  {
    id: 902,
    title: '劇場版 庭',
    media: 'movie',
    no_episodes: 1,
    season_year: 2021,
    released_on: '2021-03-01',
  },
  { id: 904, title: '庭 OVA', media: 'ova', season_year: 2021, released_on: '2021-01-01' },
  { id: 905, title: '庭 完結編', media: 'tv', season_year: 2031, released_on: '2031-01-01' },
]

const kiroku = await createInstance({
  seed: async (store) => {
    await seedLibrary(store)
    await fill(store, {
      series: [{ id: 90, name: '庭のシリーズ', name_en: 'The Garden' }],
      works,
      series_works: works.map(({ id }) => ({ series_id: 90, work_id: id })),
      episodes: [901, 903].flatMap((work) =>
        [1, 2, 3].map((n) => ({ id: work * 10 + n, work_id: work, number: String(n), sort_number: n * 10 })),
      ),
    })
  },
})
const { handle } = kiroku.store
const mio = await createMember(kiroku, 'mio')
const visitor = createVisitor(kiroku)
afterAll(kiroku.close)
beforeEach(() => {
  for (const table of [
    'changes',
    'acts',
    'list_works',
    'lists',
    'form_receipts',
    'records',
    'reviews',
    'activities',
  ])
    handle.run(`delete from ${table}`)
  handle.run('delete from statuses where work_id > 900; delete from library_entries where work_id > 900')
})

const page = async () => (await mio.open('/series/90')).text
const rows = (text: string) => [...text.matchAll(/id="row-(\d+)" data-work/g)].map(([, id]) => Number(id))
const status = (work: number) =>
  handle.query<{ kind: string }, [number]>('select kind from statuses where work_id = ?').get(work)?.kind

async function press(path: string, more: Record<string, string> = {}) {
  const text = await page()
  const answer = await mio.post(path, { ...hiddenInputs(text, path), ...more })
  expect(answer.status).toBe(303)
  return (await mio.follow(answer.location)).text
}

async function undo(text: string): Promise<void> {
  const [, act = ''] = /name="act_id" value="(\d+)"/.exec(text) ?? []
  expect((await mio.post('/undo', { ...hiddenInputs(text, '/undo'), act_id: act })).status).toBe(303)
}

describe('the page of a series', () => {
  test('has the main works by release, then the others, with how far the reader is', async () => {
    await mio.submit('/works/901', { work_id: '901', kind: 'watched' }, '/status')
    await mio.submit('/works/903', { work_id: '903', kind: 'watching' }, '/status')
    handle.run(`insert into records (user_id, work_id, episode_id, watched_at, watched_at_precision, lap, created_at)
      values (1, 903, 9031, 1, 'day', 1, 1)`)
    const text = await page()
    expect(rows(text)).toEqual([901, 902, 903, 905, 904])
    expect(text).toContain('1 of 6 episodes')
    expect(text).toContain('5 works · 1 watched · about')
    expect(text).toContain('row chosen" id="row-902"')
    expect(text).toContain('name="episode_id" value="9032"')
  })

  test('is in the order of release and without marks for visitors, with a preview of its link', async () => {
    const { status, text } = await visitor.open('/series/90')
    expect([status, rows(text)]).toEqual([200, [901, 902, 903, 905, 904]])
    expect(text).toContain('<meta property="og:title" content="')
    for (const mark of ['data-act', 'episodes</b>', 'chosen']) expect(text).not.toContain(mark)
    expect((await visitor.open('/series/91')).status).toBe(404)
    expect((await visitor.open('/series/x')).status).toBe(404)
  })

  test('is linked from the pages of its works, and leads back there', async () => {
    expect((await mio.open('/works/902')).text).toContain('href="/series/90?work=902"')
    expect((await mio.open('/series/90?work=902')).text).toContain('class="back" href="/works/902"')
    expect((await mio.open('/series/90?work=1')).text).not.toContain('href="/works/1"')
  })

  test('plans what has no status yet, with one undo', async () => {
    await mio.submit('/works/901', { work_id: '901', kind: 'watched' }, '/status')
    const before = contentOf(handle)
    const told = await press('/status/bulk', { kind: 'wanna_watch' })
    expect([901, 902, 903, 904, 905].map(status)).toEqual([
      'watched',
      ...Array.from({ length: 4 }, () => 'wanna_watch'),
    ])
    await undo(told)
    expect(contentOf(handle)).toEqual(before)
  })

  test('offers to record what is out and unrecorded, in one choice', async () => {
    const [, target = ''] = /href="(\/past\?works=[^"]+)"/.exec(await page()) ?? []
    expect(target).toContain('works=901,902,903&')
    const choice = await mio.open(target.replaceAll('&amp;', '&'))
    expect([...choice.text.matchAll(/data-work="(\d+)"/g)].map(([, id]) => Number(id))).toEqual([
      901, 902, 903,
    ])
  })

  test('puts all of it into a list, in its order', async () => {
    expect(await page()).toContain('href="/lists/new"')
    await mio.submit('/lists/new', { name: '見返したい', visibility: 'private' }, '/lists')
    const { id } = handle.query<{ id: number }, []>('select id from lists').get() ?? { id: 0 }
    await press('/lists/add', { list_id: String(id) })
    expect(handle.query('select work_id from list_works order by place').values().flat()).toEqual([
      901, 904, 902, 903, 905,
    ] as never)
  })

  test('records the next episode in one press', async () => {
    await mio.submit('/works/901', { work_id: '901', kind: 'watching' }, '/status')
    await press('/record')
    expect(handle.query('select episode_id from records').values().flat()).toEqual([9011] as never)
  })
})
