import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { fetchNextCover, findOgImage } from '../../src/covers/fetch/fetch-cover'
import { createFetcher } from '../../src/covers/fetch/fetcher'
import { startPictureJobs } from '../../src/covers/jobs'
import { createInstance, type Instance } from '../support/instance'
import { bomb, picture } from '../support/pictures'
import { until } from '../support/until'
import { createOutside, createWebSite } from '../support/web-site'

let kiroku: Instance
let pictureBytes: Uint8Array<ArrayBuffer>
const pages: Record<string, string> = {}
const site = createWebSite((path, request) => {
  const html = pages[path]
  if (path === '/cover.jpg') return new Response(pictureBytes, { headers: { 'content-type': 'image/jpeg' } })
  if (html === undefined) return new Response('', { status: 404 })
  if (request.headers.get('if-none-match') === '"1"') return new Response(null, { status: 304 })
  return new Response(html, { headers: { 'content-type': 'text/html', etag: '"1"' } })
})

beforeAll(async () => {
  kiroku = await createInstance()
})
beforeEach(async () => {
  pictureBytes = await picture(1200, 630)
  for (const path of Object.keys(pages)) delete pages[path]
  pages['/one'] = '<meta property="og:image" content="/cover.jpg">'
  await kiroku.deps.write(async (tx) => {
    await tx.deleteFrom('cover_fetches').execute()
    await tx.deleteFrom('images').execute()
    await tx.updateTable('works').set({ official_site_url: '', watchers_count: 0 }).execute()
    await tx
      .updateTable('works')
      .set({ official_site_url: site.at('one.test', '/one'), watchers_count: 1 })
      .where('id', '=', 1)
      .execute()
  })
  site.asked.length = 0
  kiroku.lines.length = 0
})
afterAll(async () => {
  await site.stop()
  await kiroku.close()
})

const fetchNext = () => fetchNextCover(kiroku.deps, createFetcher(createOutside().outside, 'kiroku/test'))
const outcome = () => kiroku.lines.findLast(({ event }) => event === 'cover_fetched')?.facts
const shared = () => kiroku.deps.read.selectFrom('images').selectAll().execute()
const paths = () => site.asked.map(({ path }) => path)

describe('fetching covers', () => {
  test('keeps the picture that the official site names, for everybody, and recommends it', async () => {
    expect(await fetchNext()).toBe(true)
    expect(outcome()).toEqual({ work: 1, outcome: 'kept' })
    expect(await shared()).toMatchObject([
      { work_id: 1, user_id: null, origin: 'fetch', width: 640, height: 960 },
    ])
    const { works } = await kiroku.json('/v1/works?filter_ids=1')
    expect(works[0].images.recommended_url).toMatch(/^http:\/\/localhost:3000\/images\//)
  })

  test('asks a site again only after 30 days, and then whether it has changed', async () => {
    await fetchNext()
    expect(await fetchNext()).toBe(false)
    kiroku.clock.now += 30 * 86_400_000 - 1000
    expect(await fetchNext()).toBe(false)
    kiroku.clock.now += 2000
    site.asked.length = 0
    expect(await fetchNext()).toBe(true)
    expect(outcome()).toEqual({ work: 1, outcome: 'unchanged' })
    expect(paths()).toEqual(['/robots.txt', '/one'])
    expect(await shared()).toHaveLength(1)
  })

  test.each([
    ['a page without a picture', () => Object.assign(pages, { '/one': '<p>' }), 'no picture named'],
    ['no page', () => delete pages['/one'], 'status 404'],
    ['a bomb', () => (pictureBytes = bomb(20_000)), 'too many pixels'],
    ['what is no picture', () => (pictureBytes = new TextEncoder().encode('no')), 'not a picture'],
    [
      'a picture inside the network',
      () => Object.assign(pages, { '/one': '<meta property="og:image" content="http://10.0.0.1/">' }),
      'not a public address',
    ],
  ])('notes %s, and lets it be', async (_, prepare, why) => {
    prepare()
    expect(await fetchNext()).toBe(true)
    expect(outcome()).toEqual({ work: 1, outcome: why })
    expect(await fetchNext()).toBe(false)
    expect(await shared()).toEqual([])
  })

  test('fetches for works watched here, newest first, and not for those with an uploaded cover', async () => {
    const work = (id: number, year: number, watchers: number) =>
      kiroku.deps.write((tx) =>
        tx
          .updateTable('works')
          .set({
            official_site_url: site.at(`w${id}.test`, '/one'),
            season_year: year,
            season: 'winter',
            watchers_count: watchers,
          })
          .where('id', '=', id)
          .execute(),
      )
    await work(2, 2030, 1)
    await work(4, 2040, 0)
    await work(7, 2035, 1)
    const upload = {
      kind: 'cover',
      hash: 'c'.repeat(32),
      work_id: 7,
      user_id: null,
      origin: 'upload',
      width: 1,
      height: 1,
      placeholder: '',
      created_at: 1,
    }
    await kiroku.deps.write((tx) => tx.insertInto('images').values(upload).execute())
    const asked: unknown[] = []
    while (await fetchNext()) asked.push(outcome()?.work)
    expect(asked).toEqual([2, 1])
  })

  test('contacts nobody unless it is enabled', async () => {
    const [idle, busy] = [createOutside(), createOutside()]
    const off = startPictureJobs(kiroku.deps, idle.outside)
    const enabled = { ...kiroku.deps, config: { ...kiroku.deps.config, fetchImages: true } }
    // Started later, so the other would have asked first.
    const on = startPictureJobs(enabled, busy.outside)
    await until(() => outcome() !== undefined)
    await Promise.all([off.stop(), on.stop()])
    expect([idle.state.resolved, busy.state.resolved.length > 0]).toEqual([[], true])
    expect(paths()).toContain('/cover.jpg')
    expect(site.asked[0]?.headers.get('user-agent')).toMatch(
      /^kiroku\/[0-9.]+ \(\+http:\/\/localhost:3000\)$/,
    )
  })
})

test.each([
  ['<meta property="og:image" content="https://cdn.test/a.png">', 'https://cdn.test/a.png'],
  ['<meta content="/a.png?x=1&amp;y=2" property="og:image">', 'https://site.test/a.png?x=1&y=2'],
  [
    '<meta property="og:image:secure_url" content="b.jpg"><meta property="og:image" content="c.jpg">',
    'https://site.test/deep/b.jpg',
  ],
  ['<meta name="og:image" content=" //cdn.test/d.png ">', 'https://cdn.test/d.png'],
  ['<meta property="og:image" content="">', undefined],
  ['<meta property="og:title" content="x">', undefined],
  ['<meta property="og:image" content="http://[">', undefined],
])('the picture that %s names', async (html, address) => {
  expect(await findOgImage(new TextEncoder().encode(html), 'https://site.test/deep/')).toBe(address)
})
