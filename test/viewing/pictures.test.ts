import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chooseStatus } from '../../src/library/acts/work-acts'
import { avatar } from '../../src/pages/avatar'
import { createInstance, type Instance } from '../support/instance'
import { pageSamples } from '../support/page-samples'
import { picture, send } from '../support/pictures'
import { createMember, createVisitor, type Visitor } from '../support/visitor'

let kiroku: Instance
let mio: Visitor
let azusa: Visitor
let visitor: Visitor
let pages: string[]
beforeAll(async () => {
  kiroku = await createInstance({ config: { registration: 'open' } })
  const { deps } = kiroku
  await deps.write((tx) =>
    tx.updateTable('users').set({ is_admin: 1 }).where('username', '=', 'azusa').execute(),
  )
  mio = await createMember(kiroku, 'mio')
  azusa = await createMember(kiroku, 'azusa')
  visitor = createVisitor(kiroku)
  const current = { season_year: 2026, season: 'spring', media: 'tv' }
  await deps.write((tx) => tx.updateTable('works').set(current).where('id', '=', 1).execute())
  for (const id of [1, 4]) await chooseStatus(deps, id, { workId: 1, kind: 'watching' })
  const views = ['/@azusa/library/all?view=covers', '/seasons/2026-spring', '/seasons/2026-spring?view=list']
  const plain = ['/', '/welcome', '/settings/history', ...views]
  pages = [...Object.values(await pageSamples(kiroku)), ...plain]
})
afterAll(() => kiroku.close())

const coversIn = (text: string) =>
  [...text.matchAll(/<img class="cover" src="([^"]*)"/g)].map(([, path = '']) => path)

/** The pages with a cover of that work, and the addresses they use. */
async function coversOf(work: number, reader: Visitor, hashes: readonly string[]) {
  const found: [string, string][] = []
  for (const page of pages)
    for (const path of coversIn((await reader.follow(page)).text))
      if (path.startsWith(`/covers/${work}.svg`) || hashes.some((hash) => path.includes(hash)))
        found.push([page, path])
  return found
}

const hashOf = async (reader: Visitor, page: string) =>
  /\/images\/([0-9a-f]{32})/.exec((await reader.open(page)).text)?.[1] ?? ''

/** Those that show work 1; `/works/3` is another one. */
const shownOn = (found: readonly (readonly [string, string])[]) => [...new Set(found.map(([page]) => page))]

const forMembers = [
  ...[
    '/',
    '/@azusa',
    '/@azusa/diary',
    '/@azusa/diary/2026/4',
    '/@azusa/library/all',
    '/record/new?episode=2',
  ],
  ...[
    '/@azusa/library/all?view=covers',
    '/settings/history',
    '/welcome',
    '/works/1/status',
    '/works/1/cover',
  ],
]
const forAll = [
  ...['/seasons/2026-spring', '/seasons/2026-spring?view=list', '/works/1', '/works/1/episodes/2'],
]

describe('the cover on every page', () => {
  test('that is generated has its current version, so that browsers cache it for good', async () => {
    for (const reader of [azusa, visitor]) {
      const paths = new Set<string>()
      for (const page of pages) for (const path of coversIn((await reader.follow(page)).text)) paths.add(path)
      expect(paths.size).toBeGreaterThan(2)
      for (const path of paths) {
        const { status, headers } = await kiroku.ask(path)
        expect([path, status, headers.get('cache-control')]).toEqual([
          expect.stringMatching(/^\/covers\/\d+\.svg\?v=\w+$/),
          200,
          'public, max-age=31536000, immutable',
        ])
      }
    }
    expect(shownOn(await coversOf(1, azusa, []))).toEqual(expect.arrayContaining([...forMembers, ...forAll]))
    expect(shownOn(await coversOf(1, visitor, []))).toEqual(expect.arrayContaining(forAll))
  })

  test('is one’s own upload; for others and visitors the one for everybody, otherwise the generated one', async () => {
    const madeFor = shownOn(await coversOf(1, azusa, []))
    await send(azusa, '/works/1/cover', await picture(640, 960))
    const own = await hashOf(azusa, '/works/1/cover')
    const seen = await coversOf(1, azusa, [own])
    expect(shownOn(seen)).toEqual(madeFor)
    // Administrators see everybody's picture where they upload it.
    const shared = '/works/1/shared_cover'
    expect(seen.filter(([page, path]) => path.includes(own) === (page === shared))).toEqual([])
    for (const reader of [mio, visitor]) {
      const others = await coversOf(1, reader, [own])
      expect(others.length).toBeGreaterThan(3)
      expect(others.filter(([, path]) => path.includes(own))).toEqual([])
    }
    await send(azusa, shared, await picture(400, 600, 'png'))
    const everybodys = await hashOf(azusa, shared)
    expect(everybodys).not.toBe(own)
    for (const reader of [mio, visitor]) {
      const others = await coversOf(1, reader, [own, everybodys])
      expect(others.length).toBeGreaterThan(3)
      expect(others.filter(([, path]) => !path.includes(everybodys))).toEqual([])
    }
    const after = await coversOf(1, azusa, [own, everybodys])
    expect(after.filter(([page, path]) => path.includes(own) === (page === shared))).toEqual([])
  })

  test("is changed from its work's menu, by administrators for everybody too", async () => {
    const links = async (reader: Visitor) =>
      [...(await reader.open('/works/1')).text.matchAll(/href="(\/works\/1\/\w*cover)"/g)].map(([, to]) => to)
    expect(await links(visitor)).toEqual([])
    expect(await links(mio)).toEqual(['/works/1/cover'])
    expect(await links(azusa)).toEqual(['/works/1/cover', '/works/1/shared_cover'])
    for (const page of ['/works/1/cover', '/works/1/shared_cover'])
      expect((await azusa.open(page)).text).toContain('<a class="back" href="/works/1">')
    expect((await azusa.open('/settings/avatar')).text).toContain('<a class="back" href="/settings">')
  })
})

describe('the avatar', () => {
  const pagesWithAzusa = ['/@azusa', '/works/1', '/works/1/episodes/2', '/search?kind=users&q=azusa']
  const avatarsIn = (text: string) =>
    [...text.matchAll(/<(?:span|img) class="avatar[^>]*>/g)].map(([tag]) => tag)

  test("is the initial on the name's colour, as in the generated picture", async () => {
    const css = await Bun.file('src/pages/assets/style/components.css').text()
    for (const name of ['azusa', 'mio', 'Ritsu', 'mugi', 'yui', 'nodoka', 'ui', 'jun', 'sawako']) {
      const svg = await (await kiroku.ask(`/avatars/${name}.svg`)).text()
      const [, tint = ''] = /class="avatar (tint-\d)"/.exec(avatar(name).text) ?? []
      expect(tint).not.toBe('')
      const [, colour = ''] = new RegExp(`\\.${tint} \\{\\s+background: (#\\w+)`).exec(css) ?? []
      expect([name, svg]).toEqual([name, expect.stringContaining(`fill="${colour || '#1d4a43'}"`)])
    }
  })

  test('has the same colour, however the name is written', async () => {
    const fills = ['azusa', 'AZUSA', 'Azusa'].map(async (name) => {
      const svg = await (await kiroku.ask(`/avatars/${name}.svg`)).text()
      return [/fill="(#\w+)"/.exec(svg)?.[1], /tint-\d/.exec(avatar(name).text)?.[0]].join()
    })
    expect(new Set(await Promise.all(fills)).size).toBe(1)
  })

  test('is the uploaded picture wherever the user is named, until it is removed', async () => {
    await mio.post('/record', {
      csrf: /name="csrf" value="([^"]+)"/.exec((await mio.open('/settings')).text)?.[1] ?? '',
      episode_id: '2',
    })
    for (const page of pagesWithAzusa)
      expect([page, avatarsIn((await mio.open(page)).text).filter((tag) => tag.startsWith('<img'))]).toEqual([
        page,
        [],
      ])
    await send(azusa, '/settings/avatar', await picture(300, 300))
    const hash = await hashOf(azusa, '/settings/avatar')
    for (const page of pagesWithAzusa) {
      const shown = avatarsIn((await mio.open(page)).text).filter((tag) => tag.includes(hash))
      expect([page, shown.length > 0]).toEqual([page, true])
    }
    const [menu = ''] =
      /<summary aria-label="[^"]*azusa">.*?<\/summary>/s.exec((await azusa.open('/')).text) ?? []
    expect(menu).toContain(`<img class="avatar" src="/images/${hash}-192.webp" alt="" width="36" height="36"`)
    await azusa.submit('/settings/avatar', {}, '/settings/avatar/remove')
    expect((await azusa.open('/@azusa')).text).toContain('<span class="avatar avatar-72 tint-')
  })

  test('is the initial if the picture is on another host, which pages may not show', async () => {
    const { text } = await mio.open('/@Ritsu_T')
    expect(text).not.toContain('https://ritsu.example/a.png')
    expect(text).toContain('<span class="avatar avatar-72 tint-')
  })
})
