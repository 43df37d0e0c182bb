import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type AtomElement, entriesOf, parsed, textsOf } from '../support/atom'
import { createInstance, type Instance, start } from '../support/instance'
import { createMember, createVisitor } from '../support/visitor'
import { addRecords, prefer } from '../support/watched-rows'

let kiroku: Instance
const ritsu = 2
const minute = 60_000
beforeEach(async () => {
  kiroku = await createInstance()
  await prefer(kiroku, ritsu, { privacy: 'public', language: 'en' })
})
afterEach(() => kiroku.close())

const read = (name = 'Ritsu_T', init?: RequestInit) => kiroku.ask(`/@${name}.atom`, init)

const insert = (table: 'reviews' | 'activities', values: Record<string, string | number>) =>
  kiroku.store.handle
    .query<{ id: number }, (string | number)[]>(
      `insert into ${table} (${Object.keys(values).join()}) values (${Object.keys(values).map(() => '?')}) returning id`,
    )
    .all(...Object.values(values))[0]?.id ?? 0

async function watch(episode_id: number, at: number, more: { comment?: string; rating_state?: string } = {}) {
  const created_at = start + at * minute
  const [record_id = 0] = await addRecords(kiroku, [
    { user_id: ritsu, episode_id, watched_at: created_at, ...more },
  ])
  const told = { user_id: ritsu, work_id: 1, created_at }
  return { record_id, id: insert('activities', { ...told, action: 'create_record', record_id }) }
}

function review(at: number, body: string) {
  const told = { user_id: ritsu, work_id: 3, created_at: start + at * minute }
  const review_id = insert('reviews', { ...told, body, rating_overall_state: 'great' })
  insert('activities', { ...told, action: 'create_review', review_id })
}

test('has what RFC 4287 asks for: ids, titles and times, each once, an author, and a link to itself', async () => {
  await watch(1, -10)
  review(-5, '海の話')
  const response = await read()
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'application/atom+xml; charset=utf-8',
  ])
  const feed = await parsed(await response.text())
  expect(feed.tag).toBe('feed')
  for (const element of [feed, ...entriesOf(feed)]) {
    for (const tag of ['id', 'title', 'updated'])
      expect(textsOf(element, tag)).toEqual([expect.stringMatching(/./)])
    expect(textsOf(element, 'id')[0]).toMatch(/^tag:localhost,2026:(user|activity)-\d+$/)
    expect(new Date(textsOf(element, 'updated')[0] ?? '').toISOString()).toBe(
      textsOf(element, 'updated')[0] ?? '',
    )
  }
  expect(textsOf(feed, 'title')).toEqual(['律'])
  expect(feed.inside.find(({ tag }) => tag === 'author')?.inside.map(({ text }) => text)).toEqual([
    '律',
    'http://localhost:3000/@Ritsu_T',
  ])
  expect(
    feed.inside.flatMap(({ tag, attributes }) => (tag === 'link' ? [[attributes.rel, attributes.href]] : [])),
  ).toEqual([
    ['self', 'http://localhost:3000/@Ritsu_T.atom'],
    ['alternate', 'http://localhost:3000/@Ritsu_T'],
  ])
  const ids = entriesOf(feed).flatMap((entry) => textsOf(entry, 'id'))
  expect(new Set(ids).size).toBe(2)
})

test('tells episodes in a row as one, which keeps its id; reviews in full, comments by a link', async () => {
  const secret = '第2話の秘密'
  await watch(1, -60, { rating_state: 'good' })
  const before = await parsed(await (await read()).text())
  const { record_id } = await watch(2, -30, { comment: secret, rating_state: 'good' })
  review(-10, `<b>海</b> & ${'長'.repeat(3000)}\u0001`)
  const text = await (await read()).text()
  expect(text).not.toContain(secret)
  const feed = await parsed(text)
  const [written, watched] = entriesOf(feed)
  expect(entriesOf(feed).flatMap((entry) => textsOf(entry, 'title'))).toEqual([
    '律 reviewed 海のＡＢＣ',
    '律 watched episodes 1–2 of Garden of Falling Stars',
  ])
  expect(written && textsOf(written, 'content')).toEqual([`Great\n\n<b>海</b> & ${'長'.repeat(3000)}`])
  expect(watched && textsOf(watched, 'content')).toEqual([
    `Good · <a href="http://localhost:3000/works/1/episodes/id-2?record=${record_id}">Read the comment</a>`,
  ])
  expect(watched && textsOf(watched, 'id')).toEqual(textsOf(entriesOf(before)[0] as AtomElement, 'id'))
})

test('is named by the page of the profile, as long as it is there', async () => {
  const link = '<link rel="alternate" type="application/atom+xml" title="律" href="/@Ritsu_T.atom" />'
  const mio = await createMember(kiroku, 'mio')
  for (const visitor of [createVisitor(kiroku), mio])
    expect((await visitor.open('/@Ritsu_T')).text).toContain(link)
  await prefer(kiroku, ritsu, { privacy: 'members' })
  expect((await mio.open('/@Ritsu_T')).text).not.toContain('atom')
})

describe('is not there', () => {
  test.each([
    ['members only', { privacy: 'members' }],
    ['private', { privacy: 'private' }],
    ['disabled', { disabled_at: 1 }],
  ])('of a profile that is %s, whoever asks', async (_, columns) => {
    await prefer(kiroku, ritsu, columns)
    const own = await createMember(kiroku, 'mio')
    const unknown = await read('nobody')
    for (const response of [await read(), unknown]) expect(response.status).toBe(404)
    expect((await own.open('/@Ritsu_T.atom')).status).toBe(404)
    expect(await (await read()).text()).toBe(await (await read('nobody')).text())
  })

  test('where nothing is public', async () => {
    const closed = await createInstance({ config: { publicCatalogue: false } })
    await prefer(closed, ritsu, { privacy: 'public' })
    expect((await closed.ask('/@Ritsu_T.atom')).status).toBe(404)
    await closed.close()
  })

  test('while it becomes private', async () => {
    kiroku.store.handle.run('insert into privacy_moves (user_id, level, began_at) values (2, 1, 1)')
    expect((await read()).status).toBe(404)
  })
})

test('shows nothing private, not to its owner either', async () => {
  await watch(1, -30)
  const { record_id } = await watch(3, -700, { comment: 'MARK' })
  kiroku.store.handle.run('update records set private = 1 where id = ?', [record_id])
  const owner = await createMember(kiroku, 'Ritsu_T')
  for (const text of [await (await read()).text(), (await owner.open('/@Ritsu_T.atom')).text])
    expect(entriesOf(await parsed(text))).toHaveLength(1)
})

test('has 50 entries at most, answers 304 to who has it, and asks not to be indexed unless that is wanted', async () => {
  for (let at = 0; at < 60; at += 1) await watch(1 + (at % 3), -at * 400)
  const response = await read()
  expect(entriesOf(await parsed(await response.text()))).toHaveLength(50)
  expect(response.headers.get('x-robots-tag')).toBe('noindex')
  const tag = response.headers.get('etag') ?? ''
  const again = await read('ritsu_t', { headers: { 'if-none-match': tag } })
  expect([again.status, await again.text(), again.headers.get('cache-control')]).toEqual([
    304,
    '',
    'public, max-age=900',
  ])
  await watch(1, 10)
  expect((await read('Ritsu_T', { headers: { 'if-none-match': tag } })).status).toBe(200)
  await prefer(kiroku, ritsu, { indexable: 1 })
  expect((await read()).headers.get('x-robots-tag')).toBeNull()
})
