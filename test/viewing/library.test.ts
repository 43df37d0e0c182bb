import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { chooseStatuses } from '../../src/library/acts/bulk-status'
import { undo } from '../../src/library/acts/undo'
import { chooseStatus } from '../../src/library/acts/work-acts'
import type { StatusKind } from '../../src/library/statuses'
import { contentOf, refusal } from '../support/acts'
import { rowsOf } from '../support/counted'
import { createInstance, type Instance, start } from '../support/instance'
import { createMember, createVisitor, hiddenInputs, type Page, type Visitor } from '../support/visitor'
import { addRecords, prefer } from '../support/watched-rows'

let kiroku: Instance
let mio: Visitor
beforeEach(async () => {
  kiroku = await createInstance()
  mio = await createMember(kiroku, 'mio')
})
afterEach(() => kiroku.close())

const library = '/@mio/library'
const day = 86_400_000
const worksOf = ({ text }: Page) =>
  [...text.matchAll(/<(?:tr|li)[^>]* data-work="(\d+)"/g)].map(([, id]) => Number(id))
const shown = async (path: string) => worksOf(await mio.open(`${library}/${path}`))

async function give(kinds: Readonly<Record<number, StatusKind>>, user = 1): Promise<void> {
  for (const [id, kind] of Object.entries(kinds)) {
    kiroku.clock.now += 1000
    await chooseStatus(kiroku.deps, user, { workId: Number(id), kind })
  }
}

describe('a library is not shown', () => {
  test('to visitors, who sign in first (D64)', async () => {
    for (const path of [
      '/@mio/library',
      '/@mio/library/watched?sort=title',
      '/@nobody/library/all',
      '/works/1/dates',
    ])
      expect((await createVisitor(kiroku).open(path)).location).toBe(
        `/sign_in?return_to=${encodeURIComponent(path)}`,
      )
  })
  test('of unknown users and disabled accounts, nor with an unknown shelf', async () => {
    for (const path of [
      '/@nobody/library',
      '/@yui/library/all',
      '/@mio/library/no_select',
      '/@mio/library/x',
    ])
      expect([path, (await mio.open(path)).status]).toEqual([path, 404])
  })
})

test("redirects to the watching shelf, and to the user's spelling of the name (D50)", async () => {
  expect((await mio.open(library)).location).toBe('/@mio/library/watching')
  expect((await mio.open('/@MIO/library/all?q=x')).location).toBe('/@mio/library/all?q=x')
})

test('has a shelf for each status with its number of works, where hidden works stay for their user (D42)', async () => {
  expect((await mio.open(`${library}/watching`)).text).toContain('Nothing here yet')
  await give({ 1: 'watching', 2: 'wanna_watch', 3: 'watched', 5: 'watching' })
  await kiroku.deps.write((tx) => tx.updateTable('works').set({ hidden: 1 }).where('id', '=', 2).execute())
  expect(await shown('watching')).toEqual([5, 1])
  expect(await shown('wanna_watch')).toEqual([2])
  expect(await shown('all')).toEqual([5, 3, 2, 1])
  expect(await shown('all?view=covers')).toEqual([5, 3, 2, 1])
  expect((await mio.open(`${library}/on_hold`)).text).toMatch(/library\/watching">.*?<small>2<\/small>/s)
})

test('is sorted by what was watched last, changed, title, season, progress and rating', async () => {
  await prefer(kiroku, 1, { title_language: 'native' })
  await give({ 1: 'watching', 2: 'watching', 3: 'watching', 5: 'watching' })
  await addRecords(kiroku, [
    { user_id: 1, episode_id: 1, watched_at: start - day, rating_state: 'bad' },
    { user_id: 1, work_id: 2, episode_id: 6, watched_at: start - 2 * day, rating_state: 'good' },
    { user_id: 1, work_id: 2, episode_id: 6, watched_at: start, watched_at_precision: 'none' },
    { user_id: 1, episode_id: 1, watched_at: start - 9 * day },
  ])
  const film = { user_id: 1, work_id: 3, watched_at: start - 3 * day, watched_at_precision: 'time' }
  await kiroku.deps.write((tx) =>
    tx
      .insertInto('reviews')
      .values({ ...film, rating_overall_state: 'great', created_at: start })
      .execute(),
  )
  expect(await shown('watching')).toEqual([1, 2, 3, 5])
  expect(await shown('all?sort=changed')).toEqual([5, 3, 2, 1])
  expect(await shown('all?sort=title')).toEqual([5, 2, 3, 1])
  expect(await shown('all?sort=season')).toEqual([3, 1, 2, 5])
  expect(await shown('all?sort=progress')).toEqual([2, 1, 5, 3])
  expect(await shown('all?sort=rating')).toEqual([3, 2, 1, 5])
  expect(await shown('all?sort=nonsense&page=99&media=x&year=0')).toEqual([1, 2, 3, 5])
})

test('shows on a phone what it is sorted by', async () => {
  await give({ 1: 'watching', 3: 'watched' })
  const column = async (path: string) =>
    /<table class="([^"]*)"/.exec((await mio.open(`/@mio/library/${path}`)).text)?.[1]
  expect(await column('watching?sort=recent')).toBe('dense shelf')
  expect(await column('watched?sort=recent')).toBe('dense shelf by-rating')
  expect(await column('all?sort=rating')).toBe('dense shelf by-rating')
  expect(await column('all?sort=season')).toBe('dense shelf by-season')
})

test('is filtered by medium, year and a title in any spelling', async () => {
  await give({ 1: 'watching', 2: 'watching', 3: 'watching', 5: 'watching' })
  expect(await shown('watching?media=movie')).toEqual([3])
  expect(await shown('watching?year=2020')).toEqual([5])
  expect(await shown('watching?q=GARDEN')).toEqual([1])
  expect(await shown('watching?q=%E3%81%BB%E3%81%97%E3%81%B5%E3%82%8B')).toEqual([1])
  expect((await mio.open(`${library}/watching?media=web`)).text).toContain('No work matches the filter')
})

/** Sixty-five watched works. */
async function giveMany(): Promise<readonly number[]> {
  const works = Array.from({ length: 65 }, (_, n) => ({
    id: 100 + n,
    title: `作品${n}`,
    media: 'tv',
    source_id: 1,
  }))
  await kiroku.deps.write((tx) => tx.insertInto('works').values(works).execute())
  await give(Object.fromEntries(works.map(({ id }) => [id, 'watched' as const])))
  return works.map(({ id }) => id)
}

test('has pages of 30 rows, or 60 covers', async () => {
  const works = await giveMany()
  const pages = [await shown('watched'), await shown('watched?page=2'), await shown('watched?page=3')]
  expect(pages.map(({ length }) => length)).toEqual([30, 30, 5])
  expect(pages.flat()).toEqual([...works].reverse())
  expect((await shown('watched?view=covers')).length).toBe(60)
})

test('records the next episode in a row; others cannot act on it', async () => {
  await give({ 1: 'watching' })
  const own = await mio.submit(`${library}/watching`, { episode_id: '4' }, '/record')
  expect([own.status, own.location]).toEqual([303, `${library}/watching`])
  expect(rowsOf(kiroku.store.handle, 'records')).toMatchObject([{ episode_id: 4, user_id: 1 }])
  const ritsu = await createMember(kiroku, 'Ritsu_T')
  const { text } = await ritsu.open('/@mio/library/watching?select=1')
  for (const part of ['action="/record"', 'action="/status/bulk"', '/dates"'])
    expect(text).not.toContain(part)
})

describe('a status for several works', () => {
  test('is refused for none, for too many and for an unknown status', async () => {
    await give({ 1: 'watching' })
    const target = `${library}/watching?select=1`
    const send = (values: Record<string, string>) => mio.submit(target, values, '/status/bulk')
    const many = { works: Array.from({ length: 501 }, (_, n) => n + 1).join(',') }
    expect((await send({ kind: 'watched' })).text).toContain('Select at least one work.')
    expect((await send({ kind: 'watched', ...many })).text).toContain('Select at most 500 works at a time.')
    expect((await send({ kind: 'no_select', work_1: 'on' })).status).toBe(422)
    expect((await send({ kind: 'watched', work_1: 'on', work_999: 'on' })).status).toBe(404)
    expect(await refusal(chooseStatuses(kiroku.deps, 1, { workIds: [], kind: 'watched' }))).toContain(
      '1 to 500',
    )
    expect(rowsOf(kiroku.store.handle, 'statuses')).toMatchObject([{ work_id: 1, kind: 'watching' }])
  })
  test('is set for a whole shelf, including its other pages', async () => {
    await giveMany()
    const page = await mio.open(`${library}/watched?select=all&page=2`)
    expect(page.text.match(/name="work_\d+" checked/g)).toHaveLength(30)
    expect(page.text).toContain('and 35 on other pages')
    expect((await mio.open(`${library}/watched?select=1`)).text).toContain('Select all 65')
    const sent = Object.fromEntries(
      [...page.text.matchAll(/name="(work_\d+)" checked/g)].map(([, name]) => [name, 'on']),
    )
    const [, others = ''] = /name="works" value="([\d,]+)"/.exec(page.text) ?? []
    const done = await mio.submit(
      `${library}/watched?select=all&page=2`,
      { kind: 'on_hold', ...sent, works: others },
      '/status/bulk',
    )
    expect((await mio.open(done.location)).text).toContain('65 works: On hold')
    expect((await shown('on_hold?view=covers')).length).toBe(60)
    expect(await shown('watched')).toEqual([])
  })

  test('is set for works selected individually on several pages', async () => {
    await giveMany()
    const target = `${library}/watched?select=1`
    const first = await mio.open(target)
    const [one, two] = worksOf(first)
    expect(first.text).toContain('formaction="/@mio/library/watched?select=1&#38;page=2"')
    const { csrf = '' } = hiddenInputs(first.text, '/status/bulk')
    const turn = (page: number, chosen: Record<string, string>) =>
      mio.post(`${target}&page=${page}`, { csrf, ...chosen })
    const second = await turn(2, { [`work_${one}`]: 'on', [`work_${two}`]: 'on' })
    const [three] = worksOf(second)
    expect(second.text).toContain('and 2 on other pages')
    expect(second.text).toContain(`name="works" value="${one},${two}" checked`)
    const back = await turn(1, { works: `${one}`, [`work_${three}`]: 'on', work_999: 'on' })
    expect([...back.text.matchAll(/name="work_(\d+)" checked/g)].map(([, id]) => Number(id))).toEqual([
      one ?? 0,
    ])
    expect(back.text).toContain(`name="works" value="${three}" checked`)
    expect((await turn(2, {})).text).not.toContain('name="works"')
  })

  test('is one act with one undo, which restores everything', async () => {
    await give({ 1: 'watching', 2: 'on_hold' })
    const before = contentOf(kiroku.store.handle)
    const sent = { kind: 'watched', work_1: 'on', work_2: 'on', work_5: 'on' }
    const done = await mio.submit(`${library}/watching?select=1`, sent, '/status/bulk')
    const page = await mio.open(done.location)
    expect(page.text).toContain('3 works: Watched')
    expect(await shown('watched')).toEqual([5, 2, 1])
    const [, act = ''] = /name="act_id" value="(\d+)"/.exec(page.text) ?? []
    await undo(kiroku.deps, 1, { actId: Number(act) })
    expect(contentOf(kiroku.store.handle)).toEqual(before)
  })
  test('is not undone if one of them was changed since', async () => {
    const { id } = await chooseStatuses(kiroku.deps, 1, { workIds: [1, 2], kind: 'watched' })
    await chooseStatus(kiroku.deps, 1, { workId: 2, kind: 'on_hold' })
    expect(await refusal(undo(kiroku.deps, 1, { actId: id }))).toContain('was changed since')
  })
})

describe('dates of a status (D71)', () => {
  const dates = (values: Record<string, string>) =>
    mio.submit('/works/1/dates?return_to=/@mio/library/all', values, '/status/dates')
  const problemIn = ({ text }: Page) => /<p class="problem"[^>]*>([^<]*)</.exec(text)?.[1]
  test('are refused without a status, if invalid, and in the wrong order; what was typed stays', async () => {
    expect((await mio.open('/works/9/dates')).status).toBe(404)
    expect((await mio.open('/works/1/dates')).text).not.toContain('action="/status/dates"')
    await give({ 1: 'watched' })
    const wrong = await dates({ started_on: '2019-13', finished_on: '2020' })
    expect([wrong.status, problemIn(wrong)]).toEqual([422, expect.stringContaining('2016')])
    expect(wrong.text).toContain('value="2019-13"')
    const turned = await dates({ started_on: '2020-03', finished_on: '2019' })
    expect([turned.status, problemIn(turned)]).toEqual([422, 'The end must not be before the start.'])
    expect(rowsOf(kiroku.store.handle, 'statuses')).toMatchObject([{ started_on: null, finished_on: null }])
  })
  test('are stored as exactly as given, shown in the library, and cleared; an undo restores them', async () => {
    await give({ 1: 'watched' })
    const done = await dates({ started_on: '2019', finished_on: '2020-03-05' })
    expect([done.status, done.location]).toEqual([303, '/@mio/library/all'])
    expect((await mio.open(`${library}/watched`)).text).toContain('<time datetime="2019">2019</time>–')
    await dates({ started_on: '', finished_on: '' })
    const kept = () => rowsOf(kiroku.store.handle, 'statuses')
    expect(kept()).toMatchObject([{ kind: 'watched', started_on: null, finished_on: null }])
    const acts = rowsOf(kiroku.store.handle, 'acts')
    await undo(kiroku.deps, 1, { actId: Number(acts.at(-1)?.id) })
    expect(kept()).toMatchObject([{ started_on: '2019', finished_on: '2020-03-05' }])
  })
})
