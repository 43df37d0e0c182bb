import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { contentOf } from '../support/acts'
import { rowsOf } from '../support/counted'
import { createInstance } from '../support/instance'
import { createMember, hiddenInputs } from '../support/visitor'
import { addSeries, csrfIn } from '../support/works'

const kiroku = await createInstance()
const { handle } = kiroku.store
const mio = await createMember(kiroku, 'mio')
afterAll(kiroku.close)
beforeEach(() => {
  for (const table of ['acts', 'records', 'reviews', 'activities', 'statuses', 'skips'])
    handle.run(`delete from ${table}`)
})

const { work, count } = handle
  .query<{ work: number; count: number }, []>(
    'select work_id as work, count(*) as count from episodes where hidden = 0 group by work_id order by 2 desc',
  )
  .get() ?? { work: 0, count: 0 }
const film =
  handle.query<{ id: number }, []>('select id from works where no_episodes = 1 and hidden = 0').get()?.id ?? 0

/** Sends the act from a page of the work, and returns the page with what was done. */
async function act(path: string, values: Record<string, string>, id = work) {
  const page = await mio.open(`/works/${id}`)
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(page.text) ?? []
  const answer = await mio.post(path, { csrf, return_to: `/works/${id}`, ...values })
  return await mio.follow(answer.location)
}

const watched = (id = work) => act('/status', { work_id: String(id), kind: 'watched' }, id)

describe('a work set to watched without its records', () => {
  test('offers all of them in the message and on its page, as one act with one undo', async () => {
    const told = await watched()
    const before = contentOf(handle)
    const offer = `Record all ${count} (date unknown)`
    expect(told.text.split(offer)).toHaveLength(3)
    expect(told.text).toContain(`0 of ${count} episodes recorded`)
    const sent = hiddenInputs(told.text, '/past')
    const done = await mio.follow((await mio.post('/past', sent)).location)
    expect(rowsOf(handle, 'records').map((row) => row.watched_at_precision)).toEqual(
      Array.from({ length: count }, () => 'none'),
    )
    expect(done.text).toContain(`Recorded ${count} episodes of`)
    expect(done.text).not.toContain('date unknown)')
    const [, id = ''] = /name="act_id" value="([0-9]+)"/.exec(done.text) ?? []
    await act('/undo', { act_id: id })
    expect(contentOf(handle)).toEqual(before)
  })

  test('offers only the others if some are recorded', async () => {
    const [first] = rowsOf(handle, 'episodes').filter((row) => row.work_id === work)
    await act('/record', { episode_id: String(first?.id) })
    expect((await watched()).text).toContain(`Record the other ${count - 1} (date unknown)`)
    await act('/past', { works: String(work), when: 'unknown' })
    expect(rowsOf(handle, 'records')).toHaveLength(count)
  })

  test('for a film is one viewing, which its profile counts', async () => {
    const told = await watched(film)
    expect(told.text).toContain('Record it (date unknown)')
    await act('/past', { works: String(film), when: 'unknown' }, film)
    expect(rowsOf(handle, 'reviews')).toMatchObject([{ work_id: film, watched_at_precision: 'none' }])
    expect((await mio.open('/@mio')).text).toMatch(/<dd>1<\/dd>[^<]*<dt>film|film[\s\S]{0,80}1/i)
    const again = await act('/past', { works: String(film), when: 'unknown' }, film)
    expect(again.text).toContain('nothing changed')
    expect(rowsOf(handle, 'reviews')).toHaveLength(1)
  })
})

test('another way of saying when, and a work that is not there, are refused', async () => {
  const { text } = await mio.open(`/works/${work}`)
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(text) ?? []
  const send = (works: number, when: string) => mio.post('/past', { csrf, works: String(works), when })
  expect([(await send(work, 'never')).status, (await send(999_999, 'unknown')).status]).toEqual([422, 404])
  expect(rowsOf(handle, 'records')).toEqual([])
})

test('of a work with more than 3,000 open episodes none is recorded; of 3,000, all', async () => {
  await addSeries(kiroku, 5000, 3001)
  const csrf = csrfIn((await mio.open(`/works/${work}`)).text)
  const past = () => mio.post('/past', { csrf, works: '5000', when: 'unknown' })
  const refused = await past()
  expect([refused.status, rowsOf(handle, 'records')]).toEqual([400, []])
  handle.run('update episodes set hidden = 1 where id = 50000001')
  expect([(await past()).status, rowsOf(handle, 'records').length]).toEqual([303, 3000])
})

describe('the choice of what was watched long ago (D89)', () => {
  test('lists works with what is recorded, ticked if anything is missing, and records them at once with one undo', async () => {
    const told = await watched()
    expect(told.text).toMatch(new RegExp(`href="/past\\?works=${work}&(#38;|amp;)?return_to=/works/${work}"`))
    const before = contentOf(handle)
    const page = await mio.open(`/past?works=${work},${film},999999&return_to=/works/${work}`)
    expect([...page.text.matchAll(/name="work_(\d+)" checked/g)].map(([, id]) => Number(id))).toEqual([
      work,
      film,
    ])
    expect(page.text).toContain('0 recorded')
    expect(page.text).toContain('Record · works <span data-sum="works">2</span> · episodes ')
    expect(page.text).toContain(`<span data-sum="episodes">${count}</span></button>`)
    const sent = {
      ...hiddenInputs(page.text, '/past'),
      when: 'date',
      watched_at: '2016',
      [`work_${work}`]: 'on',
      [`work_${film}`]: 'on',
    }
    const done = await mio.follow((await mio.post('/past', sent)).location)
    expect(done.text).toContain(`Recorded ${count + 1} episodes and films`)
    expect(new Set(rowsOf(handle, 'records').map((row) => row.watched_at_precision))).toEqual(
      new Set(['year']),
    )
    const again = await mio.open(`/past?works=${work},${film}`)
    expect(again.text).not.toMatch(/name="work_\d+" checked/)
    const [, id = ''] = /name="act_id" value="([0-9]+)"/.exec(done.text) ?? []
    await act('/undo', { act_id: id })
    expect(contentOf(handle)).toEqual(before)
  })

  test('is led to from the shelf of what was watched, of works without any record, 100 at a time', async () => {
    const shelf = '/@mio/library/watched'
    const none = 'no episodes recorded'
    expect((await mio.open(shelf)).text).not.toContain(none)
    await watched()
    await watched(film)
    const { text } = await mio.open(shelf)
    expect(text).toContain('1 watched work has no episodes recorded.')
    expect(text).toContain(`href="/past?works=${work}&return_to=%2F%40mio%2Flibrary%2Fwatched"`)
    for (const other of ['/@mio/library/all', `${shelf}?media=tv`, `${shelf}?select=1`])
      expect((await mio.open(other)).text).not.toContain(none)
    const azusa = await createMember(kiroku, 'azusa')
    expect((await azusa.open(shelf)).text).not.toContain(none)
    // A private record counts as one.
    const [first] = rowsOf(handle, 'episodes').filter((row) => row.work_id === work)
    await act('/record', { episode_id: String(first?.id) })
    handle.run('update records set private = 1')
    expect((await mio.open(shelf)).text).not.toContain(none)
    handle.run('delete from records')
    handle.run(`with recursive n(id) as (select 7001 union all select id + 1 from n where id < 7130)
      insert into works (id, title, media, episodes_count, source_id)
        select id, 'w' || id, 'tv', 1, (select min(id) from sources) from n`)
    handle.run(
      "insert into statuses (user_id, work_id, kind, changed_at) select 1, id, 'watched', id from works where id > 7000",
    )
    const many = (await mio.open(shelf)).text
    expect(many).toContain('131 watched works have no episodes recorded.')
    const [, ids = ''] = /href="\/past\?works=([0-9,]+)&/.exec(many) ?? []
    expect(ids.split(',')).toHaveLength(100)
    handle.run('update works set hidden = 1 where id > 7000')
    expect((await mio.open(shelf)).text).toContain('1 watched work has')
  })

  test('refuses nothing ticked, and what is no date', async () => {
    const csrf = csrfIn((await mio.open(`/works/${work}`)).text)
    for (const sent of [{ when: 'unknown' }, { works: String(work), when: 'date', watched_at: '2031' }])
      expect((await mio.post('/past', { csrf, ...sent })).status).toBe(422)
    expect(rowsOf(handle, 'records')).toEqual([])
  })
})
