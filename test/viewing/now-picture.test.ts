import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { createInstance } from '../support/instance'
import { readSvg } from '../support/svg'
import { createMember, createVisitor } from '../support/visitor'
import { addRecords } from '../support/watched-rows'

const kiroku = await createInstance()
afterAll(kiroku.close)
const visitor = createVisitor(kiroku)
const run = (sql: string, ...values: (string | number | null)[]) => kiroku.store.handle.run(sql, values)
const ask = (query = '', headers = {}) => kiroku.ask(`/@mio/now.svg${query}`, { headers })

beforeEach(async () => {
  for (const table of ['activities', 'records', 'statuses']) run(`delete from ${table}`)
  run("update users set privacy = 'public', language = 'en', name = 'Mio' where id = 1")
  for (const [at, work] of [1, 2, 4, 5, 6, 7].entries())
    run(
      `insert into statuses (user_id, work_id, kind, changed_at) values (1, ?, 'watching', ?)`,
      work,
      100 - at,
    )
  await addRecords(kiroku, [
    { user_id: 1, episode_id: 1, watched_at: 1000 },
    { user_id: 1, episode_id: 2, watched_at: 2000 },
  ])
})

const textsOf = async (query = '') => {
  const text = await (await ask(query)).text()
  return readSvg(text.replace(/<style>.*?<\/style>/, '').replaceAll(/&#\d+;/g, 'x')).map((one) => one.text)
}
const nameOf = (work: number) =>
  kiroku.store.handle
    .query<{ title: string; title_en: string }, [number]>('select title, title_en from works where id = ?')
    .get(work)

describe('the picture of what somebody watches', () => {
  test('is for public profiles alone: nobody is sent to sign in, and nothing tells who exists', async () => {
    for (const privacy of ['members', 'private']) {
      run('update users set privacy = ? where id = 1', privacy)
      const own = await (await createMember(kiroku, 'mio')).open('/@mio/now.svg')
      const texts = await Promise.all(
        ['mio', 'nobody'].map(async (name) => (await kiroku.ask(`/@${name}/now.svg`)).text()),
      )
      expect([own.status, (await ask()).status, texts[0]]).toEqual([404, 404, texts[1] ?? ''])
    }
    run("update users set privacy = 'public', disabled_at = 1 where id = 1")
    expect((await ask()).status).toBe(404)
    run('update users set disabled_at = null where id = 1')
    expect((await ask()).status).toBe(200)
  })

  test('has three works, what was watched last first, with the last episode; up to five are had by n', async () => {
    const texts = await textsOf()
    const { title = '', title_en = '' } = nameOf(1) ?? {}
    expect(texts.slice(0, 2)).toEqual(['Mio is watching', title_en || title])
    expect(texts[2]).toContain('2')
    const rowsOf = async (query: string) => (await (await ask(query)).text()).match(/font-size="15"/g)?.length
    for (const [query, rows] of [
      ['', 3],
      ['?n=1', 1],
      ['?n=5', 5],
      ['?n=6', 3],
      ['?n=x', 3],
    ] as const)
      expect([query, await rowsOf(query)]).toEqual([query, rows])
    run("update statuses set kind = 'watched'")
    expect(await textsOf()).toContain('Nothing at the moment')
  })

  test('has nothing private or hidden', async () => {
    run('update statuses set private = 1 where work_id = 1')
    run('update works set hidden = 1 where id = 2')
    const text = await (await ask('?n=5')).text()
    run('update works set hidden = 0 where id = 2')
    for (const work of [1, 2]) {
      const { title, title_en } = nameOf(work) ?? { title: '', title_en: '' }
      expect(text).not.toContain(title_en || title)
    }
    run('update statuses set private = 0 where work_id = 1')
    run('update records set private = 1 where episode_id = 2')
    expect((await textsOf())[2]).toContain('1')
  })

  test('may be kept for five minutes and shown on other sites, and is not sent again unchanged', async () => {
    const { headers } = await ask()
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(headers.get('set-cookie')).toBeNull()
    const etag = headers.get('etag') ?? ''
    expect((await ask('', { 'if-none-match': etag })).status).toBe(304)
    run("update users set name = 'M' where id = 1")
    expect((await ask('', { 'if-none-match': etag })).status).toBe(200)
  })

  test('follows the theme and language that the address names', async () => {
    const styleOf = async (query: string) =>
      /<style>(.*?)<\/style>/.exec(await (await ask(query)).text())?.[1] ?? ''
    expect(await styleOf('')).toContain('prefers-color-scheme:dark')
    for (const theme of ['light', 'dark']) expect(await styleOf(`?theme=${theme}`)).not.toContain('prefers')
    expect(await styleOf('?theme=dark')).not.toBe(await styleOf('?theme=light'))
    expect(await textsOf('?lang=ja')).toContain('Mio が見ている作品')
    expect(await textsOf('?lang=xx')).toContain('Mio is watching')
  })

  test('is at most 6 KB, whatever titles and names are', async () => {
    const title = '題<&"\'\u202e\u0000'.repeat(60)
    run('update works set title = ?, title_en = ?', title, title)
    run('update users set name = ? where id = 1', '👩‍👩‍👧‍👦\ud83d</svg>'.repeat(5))
    const text = await (await ask('?n=5')).text()
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(6 * 1024)
    expect((await textsOf('?n=5')).length).toBeGreaterThan(5)
    expect(text).not.toMatch(/<script|<image|https?:\/\/(?!www\.w3\.org)/)
  })
})

test('the settings say what to paste while the profile is public', async () => {
  const mio = await createMember(kiroku, 'mio')
  expect((await mio.open('/settings/privacy')).text).toContain('/@mio/now.svg')
  run("update users set privacy = 'members' where id = 1")
  expect((await mio.open('/settings/privacy')).text).not.toContain('now.svg')
})

describe('links shown elsewhere have a preview, for visitors', () => {
  const tagsOf = async (path: string, by = visitor) =>
    Object.fromEntries(
      [...(await by.open(path)).text.matchAll(/<meta property="(og:\w+)" content="([^"]*)" \/>/g)].map(
        ([, name = '', value]) => [name, value],
      ),
    )

  test('works, episodes and public profiles', async () => {
    const work = await tagsOf('/works/1')
    expect(work).toMatchObject({
      ...{ 'og:type': 'video.tv_show', 'og:site_name': 'kiroku', 'og:locale': 'en_GB' },
      'og:url': `${kiroku.deps.config.baseUrl}/works/1`,
    })
    expect(work['og:image']).toBeUndefined()
    expect(await tagsOf('/works/1/episodes/2')).toMatchObject({ 'og:type': 'video.episode' })
    run("update users set description = '<b>\"庭' where id = 1")
    expect(await tagsOf('/@mio')).toMatchObject({
      ...{ 'og:type': 'profile', 'og:title': 'Mio', 'og:description': '&#60;b&#62;&#34;庭' },
      'og:url': `${kiroku.deps.config.baseUrl}/@mio`,
    })
  })

  test('a picture only where there is one of pixels that everybody sees', async () => {
    const insert = (user: number | null) =>
      run(
        `insert into images (kind, hash, work_id, user_id, origin, width, height, placeholder, created_at)
         values ('cover', ?, 1, ?, 'upload', 640, 960, '', 1)`,
        'a'.repeat(32),
        user,
      )
    insert(1)
    expect((await tagsOf('/works/1'))['og:image']).toBeUndefined()
    insert(null)
    expect((await tagsOf('/works/1'))['og:image']).toEndWith(`/images/${'a'.repeat(32)}-640.webp`)
    run('delete from images')
  })

  test('not of a profile that visitors cannot see, and not for members', async () => {
    run("update users set privacy = 'members' where id = 1")
    expect(await tagsOf('/@mio')).toEqual({})
    expect(await tagsOf('/works/1', await createMember(kiroku, 'mio'))).toEqual({})
  })
})
