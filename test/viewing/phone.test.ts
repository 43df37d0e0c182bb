import { afterAll, expect, test } from 'bun:test'
import { routes } from '../../src/app'
import { createInstance } from '../support/instance'
import { fill } from '../support/seed'
import { createMember, createVisitor, sameOrigin } from '../support/visitor'

const kiroku = await createInstance()
const mio = await createMember(kiroku, 'mio')
const stranger = createVisitor(kiroku)
afterAll(kiroku.close)

test('the manifest has what a browser needs to install an app, below the base path and in the reader’s language', async () => {
  const below = await createInstance({ config: { baseUrl: 'https://anime.example/kiroku' } })
  const { text, headers } = await createVisitor(below, { language: 'ja' }).open(
    '/kiroku/manifest.webmanifest',
  )
  expect([headers.get('content-type'), headers.get('cache-control')]).toEqual([
    'application/manifest+json',
    'no-cache',
  ])
  const manifest = JSON.parse(text)
  expect(manifest).toMatchObject({
    id: '/kiroku/',
    scope: '/kiroku/',
    start_url: '/kiroku/',
    short_name: 'kiroku',
    lang: 'ja',
    display: 'standalone',
    share_target: {
      action: '/kiroku/share',
      method: 'GET',
      enctype: 'application/x-www-form-urlencoded',
      params: { title: 'title', text: 'text', url: 'url' },
    },
  })
  expect(manifest.shortcuts.map(({ name }: { name: string }) => name)).toEqual(['追う', '探す', 'カレンダー'])
  const icons: { src: string; sizes: string; purpose: string }[] = manifest.icons
  expect(icons.map(({ sizes, purpose }) => [sizes, purpose])).toEqual([
    ['192x192', 'any'],
    ['512x512', 'any'],
    ['512x512', 'maskable'],
  ])
  for (const { src, sizes } of icons) {
    const bytes = Buffer.from(await (await below.ask(src)).arrayBuffer())
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual(sizes.split('x').map(Number))
  }
  const page = (await createVisitor(below).open('/kiroku/about')).text
  expect(page).toContain(
    '<link rel="manifest" href="/kiroku/manifest.webmanifest" crossorigin="use-credentials" />',
  )
  await below.close()
})

test('the worker has its own policy and is asked for again; --no-worker serves one that removes itself', async () => {
  const { text, headers } = await stranger.open('/sw.js')
  expect(headers.get('cache-control')).toBe('no-cache')
  expect(headers.get('content-security-policy')).toStartWith("default-src 'none'; connect-src 'self'")
  expect(text).toMatch(/^self\.shell=\["\/assets\/style-[0-9a-f]{10}\.css",.*"\/offline"\];/)
  const without = await createInstance({ config: { noWorker: true } })
  expect((await createVisitor(without).open('/sw.js')).text).toContain('registration.unregister()')
  expect((await (await createMember(without, 'mio')).open('/')).text).not.toContain('data-worker')
  await without.close()
})

test('every page says whose it is, and only one’s own Track, library and sheets may be kept (D109)', async () => {
  const kept = async (path: string, visitor = mio) => {
    const { headers, text } = await visitor.open(path)
    const [, user] = /<html [^>]*data-user="(\d+)"/.exec(text) ?? []
    return [headers.get('x-kiroku-user'), headers.get('x-kiroku-keep'), user]
  }
  for (const path of ['/', '/@mio/library/watching', '/record/new?episode=1'])
    expect([path, await kept(path)]).toEqual([path, ['1', '1', '1']])
  for (const path of [
    '/settings',
    '/works/1',
    '/@azusa/library/watching',
    '/search?q=x',
    '/settings/history',
  ])
    expect([path, await kept(path)]).toEqual([path, ['1', null, '1']])
  expect(await kept('/', stranger)).toEqual(['0', null, undefined])
  const offline = await mio.open('/offline')
  expect([offline.headers.get('x-kiroku-user'), offline.text.includes('mio')]).toEqual([null, false])
})

test('/outbox says who is signed in, to nobody else', async () => {
  const { status, text, headers } = await mio.open('/outbox')
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
  const { user, csrf } = JSON.parse(text)
  expect(user).toEqual({ id: 1, username: 'mio' })
  const sent = await mio.post(
    '/record',
    { csrf, episode_id: '1' },
    { ...sameOrigin, accept: 'application/json' },
  )
  expect(sent.status).toBe(200)
  const out = await stranger.open('/outbox')
  expect([out.status, JSON.parse(out.text)]).toEqual([401, { error: 'signed_out' }])
})

test('what is shared leads to the work of the address in it, or to the search, and nowhere else', async () => {
  for (const id of [1, 2])
    kiroku.store.handle.run(
      "insert or replace into external_ids (kind, ns, external_id, local_id) values ('work', 'annict', ?, ?)",
      [String(id), id],
    )
  const shared = async (values: Record<string, string>) =>
    (await mio.open(`/share?${new URLSearchParams(values)}`)).location
  expect(await shared({ text: '見てね https://annict.com/works/1 #anime' })).toBe('/works/1')
  expect(
    await shared({ title: 'x', text: 'https://annict.com/works/2', url: 'https://annict.com/works/1' }),
  ).toBe('/works/1')
  const unknown = 'https://evil.example/?a=1'
  expect(await shared({ url: unknown })).toBe(`/search?q=${encodeURIComponent(unknown)}`)
  expect(await shared({ text: '葬送のフリーレン' })).toBe(
    `/search?q=${encodeURIComponent('葬送のフリーレン')}`,
  )
  expect(await shared({})).toBe('/search?q=')
  expect((await stranger.open('/share?text=x')).location).toStartWith('/sign_in?return_to=')
})

test('a press that is taken back before it arrives is never done; one that arrived is undone (D107)', async () => {
  const { handle } = kiroku.store
  for (const table of ['form_receipts', 'acts', 'records']) handle.run(`delete from ${table}`)
  const { csrf } = JSON.parse((await mio.open('/outbox')).text)
  const headers = { ...sameOrigin, accept: 'application/json' }
  const send = async (path: string, values: Record<string, string>) =>
    JSON.parse((await mio.post(path, { csrf, ...values }, headers)).text)
  const [early, late] = ['e'.repeat(21).concat('A'), 'l'.repeat(21).concat('A')]
  expect(await send('/outbox/undo', { press: early })).toEqual({ result: 'done', act_id: null })
  expect((await send('/record', { episode_id: '1', form_id: early })).result).toBe('before')
  const done = await send('/record', { episode_id: '1', form_id: late })
  expect(await send('/outbox/undo', { press: late })).toEqual({ result: 'done', act_id: done.act_id })
  expect(handle.query('select count(*) as n from records').get()).toEqual({ n: 0 })
  expect((await send('/outbox/undo', { press: 'x' })).problems).toEqual({ press: expect.any(String) })
})

test('pages are prefetched by rules that name no page that writes (D110)', async () => {
  const { headers } = await mio.open('/about')
  const path = headers.get('speculation-rules')?.slice(1, -1) ?? ''
  const rules = await mio.open(path)
  expect(rules.headers.get('content-type')).toBe('application/speculationrules+json')
  const [rule] = JSON.parse(rules.text).prefetch
  const patterns: string[] = rule.where.and[0].href_matches
  expect(rule.eagerness).toBe('moderate')
  const paths = routes.filter(({ method }) => method === 'GET').map((route) => route.path)
  const fetched = paths.filter((one) =>
    patterns.some((pattern) => one.startsWith(pattern.replace(/\*$/, ''))),
  )
  expect(fetched.filter((one) => /^\/(share|settings|admin|oauth|sign_)/.test(one))).toEqual([])
})

test('an installed app has a way back on every page below a list: to where one came from, or to its list', async () => {
  const back = async (path: string, referer = '') => {
    const page = await mio.open(path, referer === '' ? {} : { headers: { referer } })
    const link = /<div class="in-app"><a class="back" href="([^"]*)"/.exec(page.text)?.[1]
    return page.status === 200 ? link : page.status
  }
  await seedWork()
  expect(await back('/works/900')).toBe('/seasons/now')
  expect(await back('/works/900', 'http://localhost:3000/@mio/library/watching?sort=title')).toBe(
    '/@mio/library/watching?sort=title',
  )
  // After an act it is its own page that led there; another site is none.
  expect(await back('/works/900', 'http://localhost:3000/works/900')).toBe('/seasons/now')
  expect(await back('/works/900', 'https://elsewhere.example/@mio')).toBe('/seasons/now')
  expect(await back('/settings')).toBe('/@mio')
  expect(await back('/about')).toBe('/')
  for (const list of ['/', '/seasons/2026-spring', '/@mio', '/@mio/library/watching', '/settings/phone'])
    expect([list, await back(list)]).toEqual([list, undefined])
  expect((await stranger.open('/works/900')).text).not.toContain('in-app')
})

const seedWork = () => fill(kiroku.store, { works: [{ id: 900, title: '葬送のフリーレン', media: 'tv' }] })
