import { afterAll, describe, expect, test } from 'bun:test'
import { createInstance, start } from '../support/instance'
import { fill } from '../support/seed'
import { seedLibrary } from '../support/seed-library'
import { createMember, createVisitor, hiddenInputs } from '../support/visitor'
import { csrfIn } from '../support/works'

const kiroku = await createInstance({ seed: seedLibrary })
const { deps } = kiroku
const mio = await createMember(kiroku, 'mio')
const azusa = await createMember(kiroku, 'azusa')
const visitor = createVisitor(kiroku)
afterAll(kiroku.close)

const send = async (page: string, path: string, values: Record<string, string>, who = mio) => {
  const csrf = csrfIn((await who.open(page)).text)
  return await who.post(path, { csrf, return_to: page, ...values })
}

const recordOf = (id: number) =>
  deps.read
    .selectFrom('records')
    .select(['comment', 'rating_state', 'watched_at', 'watched_at_precision'])
    .where('id', '=', id)
    .executeTakeFirst()

const viewings = () =>
  deps.read
    .selectFrom('reviews')
    .select(['id', 'body', 'rating_overall_state', 'watched_at', 'watched_at_precision'])
    .where('user_id', '=', 1)
    .where('work_id', '=', 3)
    .orderBy('id')
    .execute()

describe('the record of an episode', () => {
  test.each([
    '/records/1/edit',
    '/records/999/edit',
    '/records/x/edit',
    '/viewings/1/edit',
    '/viewings/2/edit',
  ])('%s shows nobody else what is not theirs', async (path) => {
    expect((await azusa.open(path)).status).toBe(404)
    expect((await visitor.open(path)).location).toStartWith('/sign_in?return_to=')
    expect((await send('/works/1', path, { comment: 'x' }, azusa)).status).toBe(404)
  })

  test('is not changed by an invalid date: the form says so and keeps what was typed', async () => {
    const before = await recordOf(1)
    for (const watched_at of ['2019-13', '', '2031']) {
      const typed = { comment: '書き直した', rating_state: '', precision: 'date', watched_at }
      const page = await send('/records/1/edit', '/records/1/edit', typed)
      expect([watched_at, page.status]).toEqual([watched_at, 422])
      expect(page.text).toContain('role="alert"')
      expect(page.text).toMatch(/\n書き直した<\/textarea>/)
      expect(page.text).toMatch(/value="date" checked/)
    }
    expect(await recordOf(1)).toEqual(before)
  })

  test('can be edited: text and rating, while its time stays unless another one is given', async () => {
    const before = await recordOf(1)
    const shown = (await mio.open('/records/1/edit')).text
    expect(shown).toMatch(/value="great" data-keys="1" checked/)
    const typed = { comment: '書き直した', rating_state: '', precision: '', watched_at: '2019' }
    expect((await send('/works/1/episodes/1', '/records/1/edit', typed)).location).toBe('/works/1/episodes/1')
    expect(await recordOf(1)).toEqual({ ...before, comment: '書き直した', rating_state: null } as never)
    await send('/works/1/episodes/1', '/records/1/edit', {
      ...typed,
      precision: 'date',
      watched_at: '2019-03',
    })
    expect(await recordOf(1)).toMatchObject({
      watched_at: Date.UTC(2019, 2, 1, 12),
      watched_at_precision: 'month',
    })
    expect((await mio.open('/works/1/episodes/1')).text).toContain('March 2019')
  })

  test('is deleted from its page, and restored', async () => {
    const page = '/works/1/episodes/1'
    expect((await mio.open(page)).text).toContain('data-act="delete_record"')
    await send(page, '/record/delete', { record_id: '1' })
    expect(await recordOf(1)).toBeUndefined()
    const told = (await mio.open(page)).text
    const [, act_id = ''] = /name="act_id" value="(\d+)"/.exec(told) ?? []
    expect((await mio.post('/undo', { ...hiddenInputs(told, '/undo'), act_id })).location).toBe(page)
    expect(await recordOf(1)).toMatchObject({ comment: '書き直した' })
  })

  test('is not replaced by a form that was opened before another one was saved, until its writer has seen that', async () => {
    const path = '/records/1/edit'
    const shown = async () => hiddenInputs((await mio.open(path)).text, path)
    const before = await shown()
    const save = async (comment: string, form: Record<string, string>) =>
      await mio.post(path, { comment, rating_state: '', ...form })
    const undated = await save('二枚目の画面で', { ...before, precision: 'date', watched_at: '' })
    expect(undated.status).toBe(422)
    expect((await save('一枚目の画面で', before)).status).toBe(303)
    const refused = await save('二枚目の画面で', before)
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('changed elsewhere')
    expect(refused.text).toContain('<p class="comment" dir="auto">一枚目の画面で</p>')
    expect(refused.text).toMatch(/\n二枚目の画面で<\/textarea>/)
    expect(await recordOf(1)).toMatchObject({ comment: '一枚目の画面で' })
    // Nor by one that was refused before, for its date.
    expect((await save('二枚目の画面で', hiddenInputs(undated.text, path))).status).toBe(422)
    // The same text sent again, as after a lost answer, is no other one.
    expect((await save('一枚目の画面で', before)).status).toBe(303)
    expect((await save('二枚目の画面で', hiddenInputs(refused.text, path))).status).toBe(303)
    expect(await recordOf(1)).toMatchObject({ comment: '二枚目の画面で' })
  })
})

describe('the viewing of a film (D60)', () => {
  test('is not logged for a work with episodes, nor in a future year', async () => {
    expect((await send('/works/3', '/viewing', { work_id: '1', precision: 'none' })).status).toBe(400)
    const future = { work_id: '3', precision: 'date', watched_at: '2031' }
    expect((await send('/works/3', '/viewing', future)).status).toBe(422)
    const unknown = { work_id: '4', precision: 'aired' }
    expect((await send('/works/4', '/viewing', unknown)).status).toBe(422)
    expect(await viewings()).toEqual([])
  })

  test('is saved by its rating, in the year the film came out', async () => {
    const page = (await mio.open('/works/3')).text
    expect(page).toMatch(/name="precision" value="aired" \/>2021</)
    expect(page).toMatch(/<button class="face great" name="rating_state" value="great" data-keys="1">/)
    const sent = { work_id: '3', precision: 'aired', watched_at: '', comment: '', rating_state: 'great' }
    expect((await send('/works/3', '/viewing', sent)).location).toBe('/works/3')
    expect(await viewings()).toMatchObject([
      { rating_overall_state: 'great', watched_at: Date.UTC(2021, 0, 1, 12), watched_at_precision: 'year' },
    ])
    const { text } = await mio.open('/works/3')
    expect(text).toMatch(/<b>1st<\/b> <time datetime="2021">2021<\/time>/)
    expect(text).toContain('aria-pressed="true">')
    expect((await azusa.open('/works/3')).text).not.toContain('1st')
  })

  test('is one of several, each edited and deleted separately', async () => {
    await send('/works/3', '/viewing', { work_id: '3', precision: 'none', comment: '二度目' })
    const { text } = await mio.open('/works/3')
    expect(text).toMatch(/<b>2nd<\/b> date unknown[\s\S]*二度目[\s\S]*<b>1st<\/b>/)
    const [first, second] = await viewings()
    const typed = { comment: '', rating_state: 'bad', precision: '' }
    await send('/works/3', `/viewings/${second?.id}/edit`, typed)
    expect(await viewings()).toMatchObject([first ?? {}, { body: '', rating_overall_state: 'bad' }])
    await send('/works/3', '/viewing/delete', { review_id: String(second?.id) })
    expect(await viewings()).toEqual([first as never])
  })

  test('of a work with unknown episodes is next to the button to add the first one', async () => {
    const { text } = await mio.open('/works/4')
    expect(text).toContain('data-act="viewing"')
    expect(text).toContain('data-act="add_episode"')
  })
})

describe('a review, which has no time', () => {
  const review = { user_id: 1, body: '感想', created_at: start }
  const reviewOf = (work_id: number) =>
    fill(kiroku.store, { reviews: [{ id: 90 + work_id, work_id, ...review }] })
  const kept = (id: number) =>
    deps.read
      .selectFrom('reviews')
      .select(['body', 'rating_overall_state', 'watched_at', 'watched_at_precision'])
      .where('id', '=', id)
      .executeTakeFirst()

  test('of a series is edited without one, and deleted', async () => {
    await reviewOf(1)
    expect((await mio.open('/works/1')).text).toContain('href="/viewings/91/edit"')
    const form = (await mio.open('/viewings/91/edit')).text
    expect(form).toContain('Edit the review')
    expect(form).not.toContain('name="watched_at"')
    const typed = { comment: '書き直した', rating_state: 'good' }
    expect((await send('/works/1', '/viewings/91/edit', typed)).location).toBe('/works/1')
    const edited = {
      body: '書き直した',
      rating_overall_state: 'good',
      watched_at: null,
      watched_at_precision: null,
    }
    expect(await kept(91)).toEqual(edited as never)
    const dated = { ...typed, precision: 'date', watched_at: '2019' }
    expect((await send('/works/1', '/viewings/91/edit', dated)).status).toBe(400)
    expect(await kept(91)).toEqual(edited as never)
    await send('/works/1', '/viewing/delete', { review_id: '91' })
    expect(await kept(91)).toBeUndefined()
  })

  test('of a film is given one', async () => {
    await reviewOf(3)
    expect((await mio.open('/viewings/93/edit')).text).toMatch(
      /name="precision" value="" checked \/><span>No date</,
    )
    const typed = { comment: '感想', rating_state: '', precision: 'date', watched_at: '2019' }
    await send('/works/3', '/viewings/93/edit', typed)
    expect(await kept(93)).toMatchObject({
      watched_at: Date.UTC(2019, 0, 1, 12),
      watched_at_precision: 'year',
    })
  })
})
