import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createInstance, type Instance } from '../support/instance'
import { createMember, createVisitor, type Visitor } from '../support/visitor'

let kiroku: Instance
let mio: Visitor
let ritsu: Visitor
beforeAll(async () => {
  kiroku = await createInstance()
  mio = await createMember(kiroku, 'mio')
  ritsu = await createMember(kiroku, 'Ritsu_T')
  kiroku.store.handle.run('update users set is_admin = id = 1')
})
afterAll(() => kiroku.close())

const asBrowser = { headers: { accept: 'text/html' } }

/** The links of the page's way out, the first of which is filled. */
const waysIn = (text: string) =>
  [...text.matchAll(/<a class="button (filled|quiet)" href="([^"]*)">([^<]*)</g)].map(
    ([, kind, path, name]) => [kind, path, name],
  )

test('a page that is not there offers the search, and has no reference', async () => {
  for (const path of ['/nothing', '/works/999', '/@nobody']) {
    const { status, text } = await mio.open(path, asBrowser)
    expect([status, /<h1>(.*?)<\/h1>/.exec(text)?.[1]]).toEqual([404, 'There is no page here'])
    expect(waysIn(text)).toEqual([
      ['filled', '/search', 'Search for it'],
      ['quiet', '/', 'Go to Track'],
    ])
    expect(text).not.toContain('class="reference"')
  }
  expect(waysIn((await createVisitor(kiroku).open('/nothing', asBrowser)).text)[1]).toEqual([
    'quiet',
    '/',
    'Go to the home page',
  ])
})

test('a page for administrators says who is signed in, and offers to be somebody else', async () => {
  const { status, text } = await ritsu.open('/admin')
  expect(status).toBe(403)
  expect(text).toContain('You are signed in as Ritsu_T.')
  expect(waysIn(text)).toEqual([
    ['filled', '/', 'Go to Track'],
    ['quiet', '/sign_in', 'Sign in as somebody else'],
  ])
  expect(text).toMatch(
    /Reference <code id="reference">[\w-]{8,}<\/code> <button class="small" data-copy="reference" hidden>Copy</,
  )
})

test('a failure of ours can be tried again, and its reference is the one in the log', async () => {
  const sick = await createInstance()
  const member = await createMember(sick, 'mio')
  sick.store.handle.run('alter table acts rename to acts_gone')
  const { status, text } = await member.open('/settings/history')
  expect(status).toBe(500)
  expect(text).toContain('Nothing you recorded is lost.')
  expect(waysIn(text)).toEqual([
    ['filled', '/settings/history', 'Try again'],
    ['quiet', '/', 'Go to Track'],
  ])
  const [, reference = ''] = /id="reference">([^<]*)</.exec(text) ?? []
  expect(sick.lines.filter(({ event }) => event === 'fault').map(({ facts }) => facts.id)).toEqual([
    reference,
  ])
  await sick.close()
})

test('a hidden work tells those who recorded it that their records stay', async () => {
  kiroku.store.handle.run(
    "insert into statuses (user_id, work_id, kind, changed_at) values (1, 9, 'watched', 1)",
  )
  const pages = await Promise.all([mio, ritsu, createVisitor(kiroku)].map((who) => who.open('/works/9')))
  expect(pages.map(({ status }) => status)).toEqual([200, 404, 404])
  expect(pages.map(({ text }) => text.includes('No longer in the catalogue'))).toEqual([true, false, false])
})
