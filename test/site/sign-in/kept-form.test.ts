import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { hashPassword } from '../../../src/accounts/account/password'
import { cookieName } from '../../../src/web/cookies'
import { keptJson, keptText } from '../../../src/web/kept-form'
import { rowsOf } from '../../support/counted'
import { createInstance } from '../../support/instance'
import { createMember, createVisitor, hiddenInputs, type Page, sameOrigin } from '../../support/visitor'

const kiroku = await createInstance()
const { handle } = kiroku.store
const password = 'correct horse battery'
const hash = await hashPassword(password, kiroku.deps.passwordCost)
handle.run("update users set password_hash = ? where username = 'mio'", [hash])
afterAll(kiroku.close)
beforeEach(() => {
  for (const table of ['acts', 'records', 'activities', 'statuses', 'sessions'])
    handle.run(`delete from ${table}`)
})

const typed = { episode_id: '1', comment: '夜の場面 <b>“すごい”</b>\n🍥', return_to: '/about' }

/** Sends the form as a browser whose session has ended, and follows it to sign-in. */
async function sendLate(values: Readonly<Record<string, string>>, headers = sameOrigin) {
  const visitor = await createMember(kiroku, 'mio')
  handle.run('delete from sessions')
  const late = await visitor.post('/record', values, headers)
  const page = late.status === 307 ? await visitor.post(late.location, values, headers) : late
  return { visitor, page, late }
}

const inputs = ({ text }: Page) => hiddenInputs(text, '/sign_in')

describe('a form that arrives after the session has ended', () => {
  test('is kept by the sign-in page, not by the server, and offered after signing in', async () => {
    const { visitor, page } = await sendLate(typed)
    expect([page.status, page.text]).toEqual([403, expect.stringContaining('what you entered is kept')])
    expect(rowsOf(handle, 'sessions')).toEqual([])
    const answer = await visitor.post('/sign_in', { ...inputs(page), username: 'mio', password })
    expect(answer.location).toBe('/kept')
    const kept = await visitor.open('/kept')
    expect(kept.text).toContain('夜の場面')
    expect(kept.text).not.toContain('<b>“')
    expect(rowsOf(handle, 'records')).toEqual([])
    const sent = hiddenInputs(kept.text, '/record')
    const saved = await visitor.post('/record', { ...sent, comment: typed.comment })
    expect([saved.status, saved.location]).toEqual([303, '/about'])
    expect(rowsOf(handle, 'records')).toMatchObject([{ episode_id: 1, comment: typed.comment }])
    expect((await visitor.open('/kept')).location).toBe('/')
  })

  test('can be discarded', async () => {
    const { visitor, page } = await sendLate(typed)
    await visitor.post('/sign_in', { ...inputs(page), username: 'mio', password })
    const kept = await visitor.open('/kept')
    await visitor.post('/kept/discard', hiddenInputs(kept.text, '/kept/discard'))
    expect((await visitor.open('/kept')).location).toBe('/')
    expect(rowsOf(handle, 'records')).toEqual([])
  })

  test('of another site is refused, and nothing of it is kept', async () => {
    const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    const { late } = await sendLate(typed, foreign)
    expect([late.status, late.text.includes('夜の場面')]).toEqual([403, false])
    const visitor = createVisitor(kiroku)
    expect((await visitor.post('/sign_in/kept?path=/record', typed, foreign)).status).toBe(403)
  })

  test('may be as long as a comment may be', async () => {
    const long = { ...typed, comment: '🍥'.repeat(10_000) }
    const { visitor, page } = await sendLate({ episode_id: '1' })
    expect(page.status).toBe(403)
    const form = new FormData()
    for (const [name, value] of Object.entries(long)) form.set(name, value)
    const init = { method: 'POST', body: form, headers: sameOrigin }
    const kept = await visitor.open('/sign_in/kept?path=/record', init)
    await visitor.post('/sign_in', { ...inputs(kept), username: 'mio', password })
    expect((await visitor.open('/kept')).text).toContain(long.comment)
  })

  test.each(['/admin/users', 'https://evil.example/', '//evil.example', '/records/1/edit/x', '/settings/x'])(
    'to %s is not offered',
    async (path) => {
      const visitor = createVisitor(kiroku)
      const page = await visitor.post(`/sign_in/kept?path=${encodeURIComponent(path)}`, typed)
      await visitor.post('/sign_in', { ...inputs(page), username: 'mio', password })
      expect((await visitor.open('/kept')).location).toBe('/')
    },
  )

  test.each(['', 'x', 'bnVsbA', Buffer.from('{"path":"/record","fields":[["a"]]}').toString('base64url')])(
    'that no page of ours kept (%p) is ignored',
    async (kept) => {
      const visitor = createVisitor(kiroku)
      const answer = await visitor.submit('/sign_in', { username: 'mio', password, kept })
      expect(answer.location).toBe('/')
      expect(rowsOf(handle, 'sessions').map((session) => session.kept_form)).toEqual([null])
    },
  )

  test('is stored at once if its person has signed in again meanwhile', async () => {
    const visitor = await createMember(kiroku, 'mio')
    expect((await visitor.post('/sign_in/kept?path=/record', typed)).location).toBe('/kept')
    expect((await visitor.open('/kept')).text).toContain('夜の場面')
    visitor.cookies.delete(cookieName('sid', kiroku.deps.config.baseUrl))
    expect((await visitor.open('/kept')).location).toStartWith('/sign_in?')
  })
})

describe('a kept form about something of one’s own names it', () => {
  /** The page after its person has signed in again. */
  async function keptPageOf(path: string, values: Readonly<Record<string, string>>) {
    const visitor = createVisitor(kiroku)
    const page = await visitor.post(`/sign_in/kept?path=${encodeURIComponent(path)}`, values)
    await visitor.post('/sign_in', { ...inputs(page), username: 'mio', password })
    const { text } = await visitor.open('/kept')
    const main = text.slice(text.indexOf('<main'), text.indexOf('</main>'))
    return { visitor, said: /<p><b>(.*?)<\/b><\/p>/s.exec(main)?.[1]?.replace(/<[^>]+>/g, '') ?? '', main }
  }
  const button = (main: string) => /<button class="(?:filled|danger)">([^<]+)</.exec(main)?.[1]

  beforeEach(() => {
    handle.run('delete from reviews')
    handle.run(
      "insert into records (id, user_id, work_id, episode_id, comment, watched_at, created_at) values (9, 1, 1, 1, 'x', 1, 1), (10, 2, 1, 1, 'y', 1, 1)",
    )
    handle.run(
      "insert into reviews (id, user_id, work_id, body, watched_at, watched_at_precision, created_at) values (9, 1, 1, 'x', 1, 'time', 1)",
    )
  })

  test('an edit of a record, with its work and episode', async () => {
    const { visitor, said, main } = await keptPageOf('/records/9/edit', {
      comment: typed.comment,
      rating_state: 'good',
    })
    expect([said, button(main)]).toEqual(['Garden of Falling Stars Episode 1 · Good', 'Save'])
    const sent = hiddenInputs(main, '/records/9/edit')
    await visitor.post('/records/9/edit', { ...sent, comment: typed.comment })
    expect(rowsOf(handle, 'records')[0]).toMatchObject({ comment: typed.comment, rating_state: 'good' })
  })

  test('an edit of a review, and that only its writer may see it (D72)', async () => {
    expect((await keptPageOf('/viewings/9/edit', { comment: 'z' })).said).toBe('Garden of Falling Stars')
    const marked = { comment: 'z', asks_private: '1', private: '1' }
    expect((await keptPageOf('/viewings/9/edit', marked)).said).toBe('Garden of Falling Stars · Only me')
  })

  test('not what somebody else wrote', async () => {
    expect((await keptPageOf('/records/10/edit', { comment: 'z' })).said).toBe('')
    expect((await keptPageOf('/record/delete', { record_id: '10' })).said).toBe('')
  })

  test('what a press would delete, and its button says so', async () => {
    const record = await keptPageOf('/record/delete', { record_id: '9' })
    expect([record.said, button(record.main)]).toEqual(['Garden of Falling Stars Episode 1', 'Delete'])
    const viewing = await keptPageOf('/viewing/delete', { review_id: '9' })
    expect([viewing.said, button(viewing.main)]).toEqual(['Garden of Falling Stars', 'Delete'])
  })

  test('what a press would undo', async () => {
    handle.run(
      "insert into acts (id, user_id, kind, work_id, episode_id, created_at) values (9, 1, 'record', 1, 1, 1)",
    )
    const { said, main } = await keptPageOf('/undo', { act_id: '9' })
    expect([said, button(main)]).toEqual(['Recorded episode 1 of Garden of Falling Stars', 'Undo'])
  })
})

test('a form is kept if its text has up to 60,000 characters, so that it fits into the form of sign-in', () => {
  const kept = (length: number) => keptText('/record', new Map([['comment', 'x'.repeat(length)]]))
  const longest = 44_956
  expect([kept(longest).length, kept(longest + 1)]).toEqual([60_000, ''])
  expect(keptJson(kept(longest))).toContain('"path":"/record"')
  const longer = Buffer.from(
    JSON.stringify({ path: '/record', fields: [['comment', 'x'.repeat(longest + 1)]] }),
  )
  expect(keptJson(longer.toString('base64url'))).toBeUndefined()
})
