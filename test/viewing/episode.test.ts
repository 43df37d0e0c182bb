import { afterAll, describe, expect, test } from 'bun:test'
import { createInstance } from '../support/instance'
import { add } from '../support/seed'
import { seedLibrary } from '../support/seed-library'
import { createMember, createVisitor } from '../support/visitor'
import { addSeries, csrfIn } from '../support/works'

const kiroku = await createInstance({ seed: seedLibrary })
const { deps } = kiroku
const mio = await createMember(kiroku, 'mio')
const azusa = await createMember(kiroku, 'azusa')
const visitor = createVisitor(kiroku)
afterAll(kiroku.close)

await addSeries(kiroku, 50, 3)
await addSeries(kiroku, 51, 4, { estimated: 1 })
await deps.write(async (tx) => {
  await add(tx, 'episodes', [
    { id: 60, work_id: 50, number: '7', sort_number: 70 },
    { id: 61, work_id: 50, number: '7', sort_number: 80 },
  ])
  await tx.updateTable('records').set({ comment: '夜の場面がすごい' }).where('id', '=', 3).execute()
})

const headOf = (text: string) => /<h1[^>]*>([\s\S]*?)<\/h1>/.exec(text)?.[1]?.replaceAll(/<[^>]*>/g, '')
const act = async (who: typeof mio, page: string, path: string, values: Record<string, string>) => {
  const csrf = csrfIn((await who.open(page)).text)
  return await who.post(path, { csrf, return_to: page, ...values })
}

describe('the address of an episode', () => {
  test.each([
    '/works/1/episodes/id-5',
    '/works/1/episodes/id-6',
    '/works/1/episodes/9',
    '/works/1/episodes/id-',
    '/works/1/episodes/id-0',
    '/works/1/episodes/id-9999999999999999',
    '/works/1/episodes/x',
    '/works/9/episodes/id-7',
    '/works/999/episodes/1',
  ])('%s, which is hidden, of another work or of none, is not found', async (path) => {
    for (const who of [visitor, mio]) expect([path, (await who.open(path)).status]).toEqual([path, 404])
  })

  test.each([
    ['/works/1/episodes/1', 'Episode 1 「庭のはじまり」'],
    ['/works/1-slug/episodes/2.5', 'Episode 2.5'],
    ['/works/1/episodes/id-4', '特別編'],
    ['/works/50/episodes/id-61', 'Episode 7'],
  ])('%s shows it', async (path, head) => {
    const page = await mio.open(path)
    expect([page.status, headOf(page.text)]).toEqual([200, head])
  })

  test('the page says how many episodes there are, and whether that is an estimate', async () => {
    expect((await mio.open('/works/50/episodes/1')).text).toContain('· 5 episodes</small>')
    expect((await mio.open('/works/51/episodes/1')).text).toContain('4+ episodes</small>')
  })

  test('has an id if two episodes have the same number', async () => {
    const { text } = await mio.open('/works/50/episodes/3')
    expect(text).toContain('rel="next" href="/works/50/episodes/id-60"')
    expect(text).toContain('rel="prev" href="/works/50/episodes/2"')
    expect((await mio.open('/works/50/episodes/7')).text).toContain('data-episode="60"')
  })

  test('of a merged episode shows its survivor (D67)', async () => {
    await deps.write((tx) => add(tx, 'redirects', [{ kind: 'episode', from_id: 700, to_id: 2 }]))
    expect((await mio.open('/works/1/episodes/id-700')).text).toContain('data-episode="2"')
  })
})

test('visitors see neither people nor what they wrote (D64)', async () => {
  const { text } = await visitor.open('/works/1/episodes/2?spoilers=show')
  for (const hidden of ['Ritsu_T', '夜の場面がすごい', 'data-act="record"'])
    expect(text).not.toContain(hidden)
  expect(text).toContain('href="/sign_in?return_to=%2Fworks%2F1%2Fepisodes%2F2%3Fspoilers%3Dshow"')
})

test('comments open once the reader has recorded the episode, or asks for them', async () => {
  const page = '/works/1/episodes/2'
  const guarded = (await mio.open(page)).text
  expect(guarded).not.toContain('夜の場面がすごい')
  expect(guarded).toContain('1 hidden comment')
  expect(guarded).toContain('It is shown once you have recorded this episode.')
  expect(guarded).toContain('Ritsu_T')
  expect((await mio.open(`${page}?spoilers=show`)).text).toContain('夜の場面がすごい')
  await act(mio, page, '/record', { episode_id: '2' })
  const open = (await mio.open(page)).text
  expect(open).toContain('夜の場面がすごい')
  expect(open).not.toContain('hidden comment')
})

test('a record is shown with its lap, and the next episode takes its place', async () => {
  const page = '/works/50/episodes/1'
  expect((await mio.open(page)).text).toContain('Record episode 1')
  await act(mio, page, '/record', { episode_id: '500001', comment: 'はじまった', rating_state: 'good' })
  const { text } = await mio.open(page)
  expect(text).toMatch(/Recorded<\/span>[\s\S]*Good[\s\S]*はじまった/)
  expect(text).toContain('Next: record episode 2')
  await act(mio, page, '/laps', { work_id: '50' })
  const again = (await mio.open(page)).text
  expect(again).toContain('First viewing')
  expect(again).toContain('>Record episode 1<')
  expect((await azusa.open(page)).text).not.toContain('Your records')
})

test('few ratings are a sentence, five are a chart', async () => {
  const rate = (id: number, user_id: number, rating_state: string) => ({
    ...{ id, user_id, rating_state, work_id: 50, episode_id: 500_002 },
    ...{ watched_at: deps.now(), created_at: deps.now() },
  })
  const page = '/works/50/episodes/2'
  await deps.write((tx) =>
    add(
      tx,
      'records',
      [901, 902, 903, 904].map((id) => rate(id, 2, 'great')),
    ),
  )
  expect((await mio.open(page)).text).toContain('4 ratings so far')
  await deps.write((tx) => add(tx, 'records', [rate(905, 2, 'bad')]))
  const { text } = await mio.open(page)
  expect(text).not.toContain('so far')
  const rows = [...text.matchAll(/<rect width="([\d.]+)%"[^>]*>[\s\S]*?<b>(\d+)<\/b>/g)]
  expect(rows.map(([, width, count]) => [width, count])).toEqual([
    ['100', '4'],
    ['0', '0'],
    ['0', '0'],
    ['25', '1'],
  ])
})

test('a long comment is cut, and shown completely on request', async () => {
  const comment = `${'あ'.repeat(1500)}おわり`
  await deps.write((tx) => tx.updateTable('records').set({ comment }).where('id', '=', 901).execute())
  const path = '/works/50/episodes/2?spoilers=show'
  const { text } = await mio.open(path)
  expect(text).not.toContain('おわり')
  expect(text).toContain('href="/works/50/episodes/2?record=901"')
  expect((await mio.open(`${path}&record=901`)).text).toContain('おわり')
})

test('of many comments twenty are shown, then older ones', async () => {
  const at = deps.now()
  const rows = Array.from({ length: 25 }, (_, index) => ({
    ...{ id: 2000 + index, user_id: 2, work_id: 50, episode_id: 500_003, comment: `感想${index}番` },
    ...{ watched_at: at, created_at: at },
  }))
  await deps.write((tx) => add(tx, 'records', rows))
  const page = (await mio.open('/works/50/episodes/3?spoilers=show')).text
  expect(page.match(/class="opinion"/g)).toHaveLength(20)
  expect(page).toContain('href="/works/50/episodes/3?before=2005#opinions"')
  const older = (await mio.open('/works/50/episodes/3?before=2005&spoilers=show')).text
  expect(older.match(/感想\d+番/g)).toEqual(['感想4番', '感想3番', '感想2番', '感想1番', '感想0番'])
})

describe('a like', () => {
  const likes = () => deps.read.selectFrom('likes').select(['user_id', 'record_id', 'review_id']).execute()

  test('is refused for an unknown or invalid id, and for visitors', async () => {
    const before = await likes()
    const page = '/works/1/episodes/2'
    expect((await act(mio, page, '/likes', { record_id: '999', liked: '1' })).status).toBe(404)
    for (const values of [{ record_id: 'x' }, {}, { review_id: '0' }]) {
      const answer = await act(mio, page, '/likes', { liked: '1', ...values })
      expect([answer.status, answer.text.includes('_id: ')]).toEqual([422, true])
    }
    await visitor.open('/sign_in')
    expect((await visitor.post('/likes', { record_id: '3', liked: '1' })).location).toStartWith('/sign_in?')
    expect(await likes()).toEqual(before)
  })

  test('is given once and taken back, and its author is notified', async () => {
    const page = '/works/1/episodes/2'
    const before = await likes()
    for (const _ of [1, 2])
      expect((await act(mio, page, '/likes', { record_id: '3', liked: '1' })).location).toBe(page)
    expect(await likes()).toEqual([...before, { user_id: 1, record_id: 3, review_id: null }])
    expect((await mio.open(page)).text).toContain(
      'aria-pressed="true" aria-label="Like what Ritsu_T wrote, 1 like"',
    )
    const told = deps.read.selectFrom('notifications').select('user_id').where('actor_id', '=', 1)
    expect(await told.where('like_id', 'is not', null).execute()).toEqual([{ user_id: 2 }])
    await act(mio, page, '/likes', { record_id: '3', liked: '0' })
    expect(await likes()).toEqual(before)
  })
})

test('a text of many lines is cut in a list, and whole by itself', async () => {
  const page = '/works/50/episodes/3'
  const lines = Array.from({ length: 40 }, (_, index) => `line-${index + 1}`).join('\n')
  await act(mio, page, '/record', { episode_id: '500003' })
  kiroku.store.handle.run(
    'insert into records (user_id, work_id, episode_id, comment, watched_at, created_at) values (2, 50, 500003, ?, 1, 1)',
    [lines],
  )
  const { text } = await mio.open(page)
  expect([text.includes('line-24…'), text.includes('line-25')]).toEqual([true, false])
  const whole = /line-24… <a href="([^"#]*)/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect((await mio.open(whole)).text).toContain('line-40')
})
