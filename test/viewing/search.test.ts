import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { trimmed } from '../../src/lib/white-space'
import { codePoint } from '../support/code-point'
import { createInstance } from '../support/instance'
import { fill } from '../support/seed'
import { createMember, createVisitor } from '../support/visitor'

const kiroku = await createInstance()
const { handle } = kiroku.store
const member = await createMember(kiroku, 'mio')
const visitor = createVisitor(kiroku)
afterAll(kiroku.close)
afterEach(() => handle.run('delete from statuses'))

const pathOf = (q: string, rest = '') => `/search?q=${encodeURIComponent(q)}${rest}`
const search = async (q: string, rest = '') => (await member.open(pathOf(q, rest))).text
const order = (text: string) =>
  [...text.matchAll(/id="row-(\d+)" data-work="(\d+)"/g)].map(([, id]) => Number(id))
const counts = (text: string) =>
  [...text.matchAll(/class="chip"[^>]*>(\w+) <span class="figure">(\d+)/g)].map(([, kind, n]) => [
    kind,
    Number(n),
  ])

describe('what is refused', () => {
  test('a text of more than 200 characters, with the limit and what was typed', async () => {
    const { status, text } = await member.open(pathOf('長'.repeat(201)))
    expect(status).toBe(400)
    expect(text).toContain('A search can have up to 200 characters; this one has 201.')
    expect(text).toContain(`value="${'長'.repeat(201)}"`)
    expect((await member.open(pathOf('👁'.repeat(200)))).status).toBe(200)
  })

  test('searching for users without signing in', async () => {
    const { status, location } = await visitor.open(pathOf('mio', '&kind=users'))
    expect([status, location]).toEqual([
      303,
      `/sign_in?return_to=${encodeURIComponent('/search?q=mio&kind=users')}`,
    ])
    expect((await visitor.open(pathOf('mio'))).text).not.toContain('kind=users')
  })

  test('acting without signing in: there is a link to do so', async () => {
    const { text } = await visitor.open(pathOf('星降る庭'))
    expect(order(text)).toEqual([1])
    expect(text).not.toContain('data-act')
    expect(text).toContain('href="/sign_in?return_to=%2Fsearch%3Fq%3D')
  })

  test('visitors, by an instance whose catalogue is not public', async () => {
    const closed = await createInstance({ config: { publicCatalogue: false } })
    for (const path of [pathOf('星'), '/search', '/works/1', '/works/1/slug', '/works/1/episodes/1']) {
      const { status, location } = await createVisitor(closed).open(path)
      expect([path, status, location]).toEqual([path, 303, `/sign_in?return_to=${encodeURIComponent(path)}`])
      expect([path, (await (await createMember(closed, 'mio')).open(path)).status]).toEqual([path, 200])
    }
    await closed.close()
  })

  test('no address: unknown kinds and pages fall back to the first', async () => {
    for (const rest of ['&kind=nonsense', '&page=0', '&page=-1', '&page=x', '&page=99', '&page=1&page=2'])
      expect([rest, order(await search('恋', rest))]).toEqual([rest, [6, 5]])
  })
})

test('any text is answered, and only as text', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 500 }),
    fc.string({ unit: codePoint, maxLength: 500 }),
    fc
      .array(fc.constantFrom('<', '>', '"', "'", '&', '星', 'ガ', 'ﾞ', '\u3099', '%', '*', '\0', ' '), {
        maxLength: 500,
      })
      .map((some) => some.join('')),
  )
  const kind = fc.constantFrom('works', 'characters', 'people', 'organizations', 'users')
  await fc.assert(
    fc.asyncProperty(text, kind, async (q, kind) => {
      const page = await member.open(pathOf(q, `&kind=${kind}`))
      const isRefused = q.includes('\0') || [...trimmed(q)].length > 200
      expect(page.status).toBe(isRefused ? 400 : 200)
      const typed = /<input type="search"[^>]* value="([^"]*)"/.exec(page.text)?.[1] ?? ''
      expect(typed).not.toMatch(/[<>']/)
      // An error page has a script of its own.
      expect(page.text.match(/<script|<input type="search"/g)).toHaveLength(isRefused ? 3 : 2)
    }),
    { numRuns: 300 },
  )
})

describe('works', () => {
  test('come in order of relevance, as with filter_query', async () => {
    const { works } = await kiroku.json(`/v1/works?filter_query=${encodeURIComponent('恋')}`)
    expect(works).toHaveLength(2)
    expect(order(await search('恋'))).toEqual(works.map(({ id }: { id: number }) => id))
  })

  test('are marked where the typed text occurs, otherwise in the other title that has it', async () => {
    expect(await search('ホシフル')).toMatch(
      /lang="en">Garden of Falling Stars<\/a>\s*<p class="meta other" lang="ja"><mark>ほしふる<\/mark>にわ</,
    )
    expect(await search('falling')).toContain('Garden of <mark>Falling</mark> Stars')
    expect(await search('100%の')).toContain('<p class="meta other" lang="ja"><mark>100%の</mark>恋</p>')
    expect(await search('100%')).not.toContain('class="meta other"')
  })

  test('show season, medium and episodes, marking estimates', async () => {
    const facts = async () => /<p class="meta">(.*)<\/p>\s*<\/div>/.exec(await search('星降る庭'))?.[1]
    expect(await facts()).toBe('Spring 2021 · TV · 4\u00a0eps')
    handle.run('update episodes set estimated = 1 where id = 1')
    expect(await facts()).toBe('Spring 2021 · TV · 4\u00a0eps <span class="estimated">estimated</span>')
    handle.run('update episodes set estimated = 0 where id = 1')
  })

  test('without a season are to be announced; a single estimated episode is not counted', async () => {
    const facts = async () => /<p class="meta">(.*)<\/p>\s*<\/div>/.exec(await search('無題'))?.[1]
    expect(await facts()).toBe('To be announced · Web')
    handle.run(
      "insert into episodes (id, work_id, number, sort_number, estimated, source_id) values (401, 4, '1', 10, 1, 1)",
    )
    expect(await facts()).toBe('To be announced · Web')
    handle.run(
      "insert into episodes (id, work_id, number, sort_number, estimated, source_id) values (402, 4, '2', 20, 1, 1)",
    )
    expect(await facts()).toContain('2\u00a0eps <span class="estimated">')
    handle.run('delete from episodes where work_id = 4')
  })

  test('are not found when hidden', async () => {
    expect(order(await search('星の消えた庭'))).not.toContain(9)
  })

  test('are found by an address at another site', async () => {
    handle.run(
      "insert into external_ids (kind, local_id, ns, external_id) values ('work', 1, 'mal', '40001')",
    )
    expect(order(await search('https://myanimelist.net/anime/40001/hoshi'))).toEqual([1])
    expect(order(await search('https://hoshi.example/'))).toEqual([1])
  })

  test('can be started in their row, which then has the menu of statuses', async () => {
    const path = pathOf('星降る庭')
    const before = await search('星降る庭')
    expect(before).toMatch(/name="kind" value="wanna_watch"[^>]*aria-label="[^"]*Garden of Falling Stars/)
    expect(before).toContain('data-swap="#row-1"')
    expect(await search('海のＡＢＣ')).not.toContain('value="watching" data-focus') // a film
    const { location } = await member.submit(path, { kind: 'watching' }, '/status')
    expect(location).toBe(path)
    const after = await search('星降る庭')
    expect(after).toContain('<summary class="button small"')
    expect(after).not.toContain('class="small outlined"')
    expect(handle.query('select work_id, kind from statuses').all()).toEqual([
      { work_id: 1, kind: 'watching' },
    ])
  })
})

describe('kinds', () => {
  test('have their numbers, even if the requested kind has no results', async () => {
    expect(counts(await search('青井ミナト'))).toEqual([
      ['Works', 0],
      ['Characters', 1],
      ['People', 1],
      ['Organizations', 1],
    ])
  })

  test('do not have the number of users, whose names have no index, unless users are requested', async () => {
    const text = await search('mio')
    expect(text).toMatch(/class="chip"[^>]*>Users<\/a>/)
    expect(counts(await search('mio', '&kind=users'))).toContainEqual(['Users', 1])
  })

  test('of names have rows without links, with marks', async () => {
    for (const [kind, fact] of [
      ['characters', '星降る庭'],
      ['people', ''],
      ['organizations', ''],
    ] as const) {
      const text = await search('青井', `&kind=${kind}`)
      const [row = ''] = /<li class="row"[\s\S]*?<\/li>/.exec(text) ?? []
      expect(row).toContain('<mark>青井</mark>ミナト')
      expect(row).toContain(fact)
      expect(row).not.toContain('<a ')
    }
  })

  test('of users link to their pages, except disabled ones', async () => {
    expect(await search('ritsu', '&kind=users')).toContain('href="/@Ritsu_T"')
    expect(await search('yui', '&kind=users')).toContain('No users found')
  })
})

test('there are 20 rows per page, and links to the others', async () => {
  const many = await createInstance({
    seed: async (store) => {
      const works = Array.from({ length: 45 }, (_, n) => ({ id: n + 1, title: `海の話${n}`, media: 'tv' }))
      const users = [
        {
          id: 1,
          username: 'mio',
          username_key: 'mio',
          email: 'a@b.example',
          email_key: 'a@b.example',
          name: '',
          password_hash: 'none',
          created_at: 1,
        },
      ]
      await fill(store, { works, users })
    },
  })
  const reader = createVisitor(many)
  const pages = [1, 2, 3].map(async (page) => (await reader.open(pathOf('海の話', `&page=${page}`))).text)
  const [first = '', second = '', third = ''] = await Promise.all(pages)
  const all = [first, second, third].map(order)
  expect(all.map(({ length }) => length)).toEqual([20, 20, 5])
  expect(new Set(all.flat()).size).toBe(45)
  expect(first).not.toContain('rel="prev"')
  expect(second).toContain(`rel="prev" href="${pathOf('海の話')}"`)
  expect(second).toContain(`rel="next" href="${pathOf('海の話', '&#38;page=3')}"`)
  expect(third).not.toContain('rel="next"')
  await many.close()
})

describe('without results', () => {
  test('it says what can be typed', async () => {
    const { status, text } = await member.open('/search')
    expect(status).toBe(200)
    expect(text).toContain('A title, or part of one')
    expect(text).toContain('href="/seasons/now"')
  })

  test('it says what to try, and keeps the text', async () => {
    const text = await search('鑿鑿鑿')
    expect(text).toContain('No works found')
    expect(text).toContain('value="鑿鑿鑿"')
  })
})

test('the page has one search field, which searches while typing and keeps the kind', async () => {
  for (const reader of [member, visitor]) {
    const { text } = await reader.open(pathOf('青井', '&kind=people'))
    expect(text.match(/role="search"[^>]*>/g)).toEqual([
      'role="search" action="/search" data-instant data-swap="#found, #results">',
    ])
    expect(text).toContain('<input type="hidden" name="kind" value="people" />')
  }
})
