import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { undo } from '../../src/library/acts/undo'
import { contentOf } from '../support/acts'
import { rowsOf } from '../support/counted'
import { createInstance } from '../support/instance'
import { seedLibrary } from '../support/seed-library'
import { createMember } from '../support/visitor'
import { addSeries, csrfIn } from '../support/works'

const kiroku = await createInstance({ seed: seedLibrary })
const { deps, store } = kiroku
const mio = await createMember(kiroku, 'mio')
afterAll(kiroku.close)
await addSeries(kiroku, 50, 12)

beforeEach(() => {
  store.handle.run('delete from reviews where work_id in (50, 3)')
})

const rate = async (rating_state: string, work = 50) => {
  const page = await mio.open(`/works/${work}`)
  return await mio.post('/rating', {
    csrf: csrfIn(page.text),
    return_to: `/works/${work}`,
    work_id: String(work),
    rating_state,
  })
}
const ofWork = (work = 50) => rowsOf(store.handle, 'reviews').filter(({ work_id }) => work_id === work)
const menu = async (work = 50) =>
  /<summary[^>]*data-focus="rating-[\s\S]*?<\/details>/.exec((await mio.open(`/works/${work}`)).text)?.[0] ??
  ''

describe('the rating of a series as a whole', () => {
  test('is refused for an unknown rating, and for a work nobody can see', async () => {
    expect((await rate('superb')).status).toBe(422)
    const csrf = csrfIn((await mio.open('/works/50')).text)
    for (const work_id of ['9', '999'])
      expect((await mio.post('/rating', { csrf, work_id, rating_state: 'good' })).status).toBe(404)
    expect(ofWork()).toEqual([])
  })

  test('is set, changed and removed on its page, without changing the status', async () => {
    expect(await menu()).toContain('Rate')
    expect((await rate('good')).location).toBe('/works/50')
    expect(ofWork()).toMatchObject([{ rating_overall_state: 'good', body: '', watched_at: null }])
    expect((await mio.open('/works/50')).text).toContain('Changed your rating of')
    await rate('great')
    expect(ofWork()).toMatchObject([{ rating_overall_state: 'great' }])
    expect(await menu()).toMatch(/value="great" aria-pressed="true"/)
    expect((await mio.open('/works/50')).text).not.toContain('data-viewing')
    await rate('')
    await rate('')
    expect(ofWork()).toEqual([])
    expect(rowsOf(store.handle, 'statuses').filter(({ work_id }) => work_id === 50)).toEqual([])
  })

  test('is stored in a review if there is one, which is not deleted with it', async () => {
    store.handle.run("insert into reviews (user_id, work_id, body, created_at) values (1, 50, '庭', 1)")
    await rate('bad')
    await rate('')
    expect(ofWork()).toMatchObject([{ body: '庭', rating_overall_state: null }])
  })

  test('is the one that was given before, though something newer says nothing', async () => {
    store.handle.run(`insert into reviews (user_id, work_id, body, rating_overall_state, created_at)
      values (1, 50, '庭', 'good', 1), (1, 50, '星', null, 2)`)
    await rate('great')
    expect(ofWork()).toMatchObject([
      { body: '庭', rating_overall_state: 'great' },
      { body: '星', rating_overall_state: null },
    ])
  })

  test('can be undone', async () => {
    await rate('good')
    const before = contentOf(store.handle)
    for (const state of ['great', '']) {
      await rate(state)
      const [act] = rowsOf(store.handle, 'acts').slice(-1)
      await undo(deps, 1, { actId: Number(act?.id) })
      expect(contentOf(store.handle)).toEqual(before)
    }
  })

  test('is shown in the library', async () => {
    await rate('great')
    store.handle.run(
      "insert or replace into statuses (user_id, work_id, kind, changed_at) values (1, 50, 'watched', 1)",
    )
    expect((await mio.open('/@mio/library/watched')).text).toMatch(/data-work="50"[\s\S]*?Great/)
  })
})

test('a film is rated with its viewing; then its rating can be changed next to the status', async () => {
  expect(await menu(3)).toBe('')
  const csrf = csrfIn((await mio.open('/works/3')).text)
  await mio.post('/viewing', { csrf, work_id: '3', rating_state: 'good', return_to: '/works/3' })
  expect(await menu(3)).toContain('aria-pressed="true"')
  await rate('bad', 3)
  expect(ofWork(3)).toMatchObject([{ rating_overall_state: 'bad', watched_at_precision: 'time' }])
})
