import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { createInstance, type Instance } from '../support/instance'
import { seedLibrary } from '../support/seed-library'
import { createMember, createVisitor, type Visitor } from '../support/visitor'
import { prefer } from '../support/watched-rows'
import { csrfIn } from '../support/works'

const film = 3
let kiroku: Instance
let mio: Visitor
beforeEach(async () => {
  await kiroku?.close()
  kiroku = await createInstance({ seed: seedLibrary })
  mio = await createMember(kiroku, 'mio')
})
afterAll(() => kiroku.close())

const results = '/search?q=%E6%B5%B7'
const log = async (values: Record<string, string>) => {
  const csrf = csrfIn((await mio.open(`/works/${film}`)).text)
  return await mio.post('/viewing', { csrf, work_id: String(film), return_to: results, ...values })
}

const chosenIn = (page: string) => ({
  when: /name="precision" value="(\w+)" checked/.exec(page)?.[1],
  date: /name="watched_at" value="([^"]*)"/.exec(page)?.[1],
})

describe('a film among search results', () => {
  test('can be logged from there, and is never being watched', async () => {
    const { text } = await (await createMember(kiroku, 'azusa')).open(results)
    const [row = ''] = /<li class="row" id="row-3"[\s\S]*?<\/li>/.exec(text) ?? []
    expect(row).toContain(`href="/works/3/viewing?return_to=${encodeURIComponent(results)}"`)
    expect(row).toContain('aria-label="Watched it: 海のＡＢＣ"')
    expect(row).not.toContain('value="watching"')
    expect(row).toContain('value="wanna_watch"')
  })

  test('is logged on a separate page without script, which returns', async () => {
    const visitor = createVisitor(kiroku)
    expect((await visitor.open('/works/3/viewing')).location).toStartWith('/sign_in')
    const { text } = await mio.open(`/works/3/viewing?return_to=${encodeURIComponent(results)}`)
    expect(text).toContain(`name="return_to" value="${results}"`)
    expect((await log({ precision: 'date', watched_at: '2009' })).location).toBe(results)
    expect((await mio.open(results)).text).toContain('Watched: <time datetime="2009">2009</time>')
    await log({ precision: 'none', rating_state: 'great' })
    expect((await mio.open(results)).text).toContain('Watched 2 times, last: date unknown')
  })

  test('returns only within this instance', async () => {
    const { text } = await mio.open('/works/3/viewing?return_to=https://elsewhere.example/')
    expect(text).toContain('name="return_to" value="/"')
  })
})

describe('the date that the form proposes', () => {
  const proposed = async () => chosenIn((await mio.open('/works/3')).text)

  test('is today at first, and that of the previous viewing while several are being entered', async () => {
    expect(await proposed()).toEqual({ when: 'time', date: '' })
    await log({ precision: 'date', watched_at: '2009' })
    expect(await proposed()).toEqual({ when: 'date', date: '2009' })
    await log({ precision: 'date', watched_at: '200908' })
    expect(await proposed()).toEqual({ when: 'date', date: '2009-08' })
    await log({ precision: 'none' })
    expect(await proposed()).toEqual({ when: 'none', date: '' })
    await log({ precision: 'aired' })
    expect(await proposed()).toEqual({ when: 'aired', date: '2021' })
  })

  test('is today again an hour later, and if the previous one was just now', async () => {
    await log({ precision: 'date', watched_at: '2009' })
    kiroku.clock.now += 3_600_001
    expect(await proposed()).toEqual({ when: 'time', date: '' })
    await log({ precision: 'time' })
    expect(await proposed()).toEqual({ when: 'time', date: '' })
  })

  test('has a heading above it that says how often the film was seen', async () => {
    expect((await mio.open('/works/3')).text).toContain('When did you watch it?')
    await log({ precision: 'none' })
    const { text } = await mio.open('/works/3')
    expect(text).toContain('You have watched it once. Watched it again?')
    expect(text).toContain('Record a 2nd viewing')
  })
})

test.each([
  ['2026-04-06', '2026-04-06'],
  ['今日', '2026-04-06'],
  ['昨日', '2026-04-05'],
  ['1950-05-05', '1950-05-05'],
])('after midnight in Japan, %s is %s', async (watched_at, date) => {
  kiroku.clock.now = Date.UTC(2026, 3, 5, 16, 30)
  await prefer(kiroku, 1, { time_zone: 'Asia/Tokyo' })
  await log({ precision: 'date', watched_at })
  const reviews = kiroku.deps.read.selectFrom('reviews').select('watched_at')
  const row = await reviews.where('work_id', '=', film).orderBy('id', 'desc').executeTakeFirstOrThrow()
  expect(new Date(row.watched_at ?? 0).toISOString().slice(0, 10)).toBe(date)
})

test('a viewing dated by year is among the latest of its profile, one at an unknown time is not', async () => {
  const shown = async () => (await mio.open('/@mio')).text.includes('<time datetime="1999">1999</time>')
  await log({ precision: 'none', rating_state: 'bad' })
  expect(await shown()).toBe(false)
  await log({ precision: 'date', watched_at: '1999' })
  expect(await shown()).toBe(true)
})

test("a long comment of one’s own is cut on the work's page, and shown completely on request", async () => {
  const comment = `${'長い感想。'.repeat(100)}終わり`
  await log({ precision: 'none', comment })
  const { text } = await mio.open('/works/3')
  expect(text).not.toContain('終わり')
  const [, path = ''] = /… <a href="([^"#]*)#viewing-\d+">/.exec(text) ?? []
  expect((await mio.open(path)).text).toContain(comment)
})

describe('an unreadable date', () => {
  test('is reported next to the form, which keeps what was typed', async () => {
    const typed = { precision: 'date', watched_at: 'long ago', comment: '泣いた' }
    const { status, text } = await log(typed)
    expect(status).toBe(422)
    expect(text).not.toContain('watched_at:')
    expect(text).toMatch(/role="alert"[^>]*><p>Date: must be a date such as/)
    expect(chosenIn(text)).toEqual({ when: 'date', date: 'long ago' })
    expect(text).toMatch(/name="watched_at"[^>]* autofocus/)
    expect(text).toMatch(/\n泣いた<\/textarea>/)
    expect(text).toContain(`name="return_to" value="${results}"`)
  })

  test('may be a decade, which is stored as unknown on request', async () => {
    const { status, text } = await log({ precision: 'date', watched_at: '2000年代' })
    expect([status, chosenIn(text).when]).toEqual([422, 'none'])
    expect(text).toContain('A date cannot be a decade.')
  })
})

describe('a work missing in the catalogue', () => {
  const nowhere = '/search?q=no-such-work-at-all'
  test('has to be asked for, and an administrator reads how to add it', async () => {
    expect((await mio.open(nowhere)).text).toContain('Ask the administrator of this site to import it.')
    const { deps } = kiroku
    await deps.write((tx) => tx.updateTable('users').set({ is_admin: 1 }).where('id', '=', 1).execute())
    expect((await mio.open(nowhere)).text).toContain('kiroku catalogue import')
  })
})
