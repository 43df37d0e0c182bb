import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createInstance, type Instance } from '../support/instance'
import { createMember, createVisitor } from '../support/visitor'

let kiroku: Instance
beforeAll(async () => {
  kiroku = await createInstance()
  kiroku.store.handle.run('update users set is_admin = id = 1')
  const { now } = kiroku.clock
  const season = ['winter', 'spring', 'summer', 'autumn'][Math.floor(new Date(now).getUTCMonth() / 3)] ?? ''
  for (let id = 400; id < 412; id++)
    kiroku.store.handle.run(
      "insert into works (id, title, media, season_year, season, source_id) values (?, ?, 'tv', ?, ?, 1)",
      [id, `今期の作品${id}`, new Date(now).getUTCFullYear(), season],
    )
  kiroku.store.handle.run("insert into channel_groups (id, name, source_id) values (90, '地上波', 1)")
  kiroku.store.handle.run(
    "insert into channels (id, channel_group_id, name, source_id) values (90, 90, '日本テレビ', 1)",
  )
  for (const minutes of [-60, 30, 90])
    kiroku.store.handle.run(
      'insert into programs (channel_id, work_id, started_at, source_id) values (90, ?, ?, 1)',
      [400 + Math.abs(minutes) / 30, now + minutes * 60_000],
    )
})
afterAll(() => kiroku.close())

const open = async () => (await createVisitor(kiroku).open('/')).text
const covers = (text: string) =>
  text.match(/<ul class="front-covers">.*?<\/ul>/s)?.[0].match(/<img class="cover"/g)?.length

test('the front page has ten covers of the season and what is broadcast tonight', async () => {
  const text = await open()
  expect(covers(text)).toBe(10)
  const [, tonight = ''] = /<section class="tonight">(.*?)<\/section>/s.exec(text) ?? []
  expect([...tonight.matchAll(/class="work" href="\/works\/(\d+)"/g)].map(([, id]) => id)).toEqual([
    '401',
    '403',
  ])
  expect(tonight).toContain('日本テレビ')
})

test('without a public catalogue, the front page shows nothing of it', async () => {
  const closed = await createInstance({ config: { publicCatalogue: false } })
  const { text } = await createVisitor(closed).open('/')
  expect(text).not.toContain('/works/')
  expect(text).toContain('href="/sign_in"')
  await closed.close()
})

test('a new instance says how it is set up, and offers nobody to sign in', async () => {
  const fresh = await createInstance()
  fresh.store.handle.run('delete from users')
  for (const path of ['/', '/sign_in']) {
    const { status, text } = await createVisitor(fresh).follow(path)
    expect([path, status]).toEqual([path, 200])
    expect(text).toContain('<h1>This kiroku is waiting to be set up</h1>')
    expect(text).toContain('<code>kiroku setup-url</code>')
  }
  await fresh.close()
})

test('an administrator names the instance and says a few words, which are shown as text', async () => {
  const ritsu = await createMember(kiroku, 'Ritsu_T')
  expect((await ritsu.open('/admin/instance')).status).toBe(403)
  const mio = await createMember(kiroku, 'mio')
  const name = 'みなと<b>アニメ部</b>'
  const long = await mio.submit('/admin/instance', { name: '長'.repeat(41), text: '' })
  expect([long.status, long.text.includes('longer than 40 characters')]).toEqual([422, true])
  const saved = await mio.submit('/admin/instance', { name, text: '毎週<i>木曜</i>に\n集まります' })
  expect([saved.status, saved.location]).toEqual([303, '/admin/instance'])
  const text = await open()
  expect(text).toContain('This is the log of みなと&#60;b&#62;アニメ部&#60;/b&#62;.')
  expect(text).toContain('毎週&#60;i&#62;木曜&#60;/i&#62;に\n集まります')
  expect(text).toContain('<title>みなと&#60;b&#62;アニメ部&#60;/b&#62; · kiroku</title>')
  expect((await createVisitor(kiroku).open('/sign_in')).text).toContain(
    '<p class="meta">みなと&#60;b&#62;アニメ部&#60;/b&#62;</p>',
  )
  await mio.submit('/admin/instance', { name: ' ', text: '' })
  expect(await open()).toContain('It remembers where you are')
})

test('robots keep out of what is for people, and of everything without a public catalogue', async () => {
  const open = await createVisitor(kiroku).open('/robots.txt')
  expect([open.status, open.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(open.text).toContain('User-agent: *\nDisallow: /admin\n')
  expect(open.text).not.toContain('Disallow: /works')
  const closed = await createInstance({ config: { publicCatalogue: false } })
  expect((await createVisitor(closed).open('/robots.txt')).text).toBe('User-agent: *\nDisallow: /\n')
  await closed.close()
})
