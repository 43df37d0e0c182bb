import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { finishMoves } from '../../src/accounts/account/privacy'
import { en } from '../../src/messages/en'
import { createInstance } from '../support/instance'
import { personOf } from '../support/people'
import { seedLibrary } from '../support/seed-library'
import { createMember, createVisitor } from '../support/visitor'

const kiroku = await createInstance({ seed: seedLibrary })
const { handle } = kiroku.store
afterAll(kiroku.close)
const visitor = createVisitor(kiroku)
const [mio, ritsu] = [await personOf(kiroku, 'mio'), await personOf(kiroku, 'Ritsu_T')]

const set = async (person: typeof mio, profile: string) => {
  await person.done('PATCH', '/v1/me', { profile, indexable: true })
  await finishMoves(kiroku.deps)
}
beforeEach(async () => {
  for (const person of [mio, ritsu]) await set(person, 'members')
  handle.run('update records set private = 0')
})

const pages = [
  '',
  '/library',
  '/library/watching',
  '/library/all',
  '/stats',
  '/diary',
  '/diary/2026',
  '/diary/2026/3',
] as const
const nobody = ['Ritsu_T', 'ritsu_t', 'azusa', 'yui', 'nobody_here', '%F0%9F%92%A5'] as const

/** What a visitor is answered, but for the name in it. */
const answerOf = async (name: string, page: string) => {
  const { status, headers, text } = await visitor.open(`/@${name}${page}`)
  const same = [...headers].filter(([header]) => header !== 'x-request-id')
  return {
    status,
    text,
    headers: JSON.stringify(same).replaceAll(encodeURIComponent(name), 'NAME'),
  }
}

describe('a visitor (D64, D72, D75)', () => {
  test.each(pages)(
    'is sent to sign in by %s of any name that is not public, byte for byte alike',
    async (page) => {
      await set(ritsu, 'private')
      const answers = await Promise.all(nobody.map((name) => answerOf(name, page)))
      const [first] = answers
      expect([first?.status, first?.text, first?.headers.includes('/sign_in?return_to=%2F%40NAME')]).toEqual([
        303,
        '',
        true,
      ])
      for (const [at, answer] of answers.entries()) expect([nobody[at], answer]).toEqual([nobody[at], first])
    },
  )

  test.each(pages)('reads %s of a public profile, without anything to press for members', async (page) => {
    expect((await visitor.follow(`/@mio${page}`)).text).toContain('action="/sign_in"')
    await set(mio, 'public')
    const shown = await visitor.follow(`/@mio${page}`)
    expect([shown.status, shown.text.includes('data-act=')]).toEqual([200, false])
    expect(shown.headers.get('cache-control')).toContain('no-store')
    expect(shown.headers.has('x-robots-tag')).toBe(false)
    await mio.done('PATCH', '/v1/me', { indexable: false })
    expect((await visitor.follow(`/@mio${page}`)).headers.get('x-robots-tag')).toBe('noindex')
    expect((await visitor.open('/@MIO')).location).toBe('/@mio')
  })

  test('reads there what is not private, and what the profile counts', async () => {
    await set(mio, 'public')
    const profile = async () => (await visitor.open('/@mio?spoilers=show')).text
    expect(await profile()).toContain('よかった')
    expect((await visitor.open('/@mio/diary/2026/3?spoilers=show')).text).toContain('よかった')
    expect((await visitor.open('/@mio/library/watching')).text).toContain('data-work="1"')
    // Texts about what they have not seen are folded, as for anybody.
    expect((await visitor.open('/@mio')).text).not.toContain('よかった')
    await mio.done('PATCH', '/v1/me/records/1', { private: true })
    expect(await profile()).not.toContain('よかった')
    for (const name of ['Ritsu_T', 'azusa']) expect(await profile()).not.toContain(name)
  })

  test.each(['records', 'reviews'] as const)(
    'reads /%s/ID of a public profile with its comments, and no other (D72, D77)',
    async (table) => {
      const [id] = handle
        .query<{ id: number }, []>(`select id from ${table} where user_id = 1 order by id`)
        .all()
        .map((row) => row.id)
      const path = `/${table}/${id}`
      const column = table === 'records' ? 'record_id' : 'review_id'
      handle.run(
        `insert into comments (user_id, owner_id, ${column}, body, created_at) values (2, 1, ${id}, 'それな', 1)`,
      )
      const closed = [`/${table}/999999`, `/${table}/x`]
      const signIn = async (address: string) => {
        const page = await visitor.open(address)
        const location = `/sign_in?return_to=${encodeURIComponent(address)}`
        expect([address, page.status, page.location]).toEqual([address, 303, location])
        return [
          page.text,
          JSON.stringify(
            [...page.headers].filter(([name]) => name !== 'location' && name !== 'x-request-id'),
          ),
        ]
      }
      const [nobody] = await Promise.all(closed.map(signIn))
      for (const level of ['members', 'private'] as const) {
        await set(mio, level)
        expect(await signIn(path)).toEqual(nobody ?? [])
      }
      await set(mio, 'public')
      const shown = await visitor.open(`${path}?spoilers=show`)
      expect([shown.status, shown.text.includes('data-act='), shown.text.includes('それな')]).toEqual([
        200,
        false,
        true,
      ])
      expect(shown.text).toContain('Sign in to comment')
      expect(shown.headers.get('x-robots-tag')).toBe(null)
      expect((await visitor.open(path)).text).not.toContain('それな')
      await mio.done('PATCH', '/v1/me', { indexable: false })
      expect((await visitor.open(path)).headers.get('x-robots-tag')).toBe('noindex')
      handle.run(`update ${table} set private = 1 where id = ${id}`)
      expect(await signIn(path)).toEqual(nobody ?? [])
      handle.run(`update ${table} set private = 0 where id = ${id}`)
      await set(mio, 'members')
      handle.run('delete from comments')
    },
  )

  test('reads nothing from the answer on that makes it private, nor what a move has not reached yet', async () => {
    await set(mio, 'public')
    await mio.done('PATCH', '/v1/me', { profile: 'private' })
    expect((await visitor.open('/@mio')).status).toBe(303)
    await finishMoves(kiroku.deps)
    handle.run('insert into privacy_moves (user_id, level, began_at) values (1, 1, 1)')
    handle.run("update users set privacy = 'public' where id = 1")
    const { text } = await visitor.open('/@mio?spoilers=show')
    expect([text.includes('よかった'), text.includes('<dd>0</dd>')]).toEqual([false, true])
    handle.run('delete from privacy_moves')
    await set(mio, 'private')
  })

  test('is sent to sign in by public profiles, too, where the instance shows visitors nothing', async () => {
    const closed = await createInstance({ seed: seedLibrary, config: { publicCatalogue: false } })
    closed.store.handle.run("update users set privacy = 'public'")
    const page = await createVisitor(closed).open('/@mio')
    expect([page.status, page.location]).toEqual([303, '/sign_in?return_to=%2F%40mio'])
    await closed.close()
  })
})

describe('works and episodes', () => {
  const texts = ['よかった', 'まあまあ', '庭', '星']
  const read = async (path: string) => {
    const { text } = await visitor.open(`${path}?spoilers=show`)
    const [, opinions = ''] = /<section id="opinions"([\s\S]*)/.exec(text) ?? []
    return {
      found: texts.filter((one) => opinions.includes(`>${one}<`)),
      hasForms: opinions.includes('data-act='),
    }
  }

  test('show visitors what people with public profiles wrote, and nothing to press (D72)', async () => {
    for (const path of ['/works/1', '/works/1/episodes/1', '/works/1/episodes/2'])
      expect([path, await read(path)]).toEqual([path, { found: [], hasForms: false }])
    await set(mio, 'public')
    expect(await read('/works/1')).toEqual({ found: ['よかった', '庭'], hasForms: false })
    expect(await read('/works/1/episodes/1')).toEqual({ found: ['よかった'], hasForms: false })
    expect(await read('/works/1/episodes/2')).toEqual({ found: [], hasForms: false })
    await set(ritsu, 'public')
    expect(await read('/works/1')).toEqual({ found: texts, hasForms: false })
    expect(await read('/works/1/episodes/2')).toEqual({ found: ['まあまあ'], hasForms: false })
    // Folded first, and counted as the visitor sees them.
    const { text } = await visitor.open('/works/1/episodes/1')
    expect([text.includes(en.episode.guarded(1)), text.includes('よかった')]).toEqual([true, false])
  })

  test('look at 5,000 comments for a visitor, then offer older ones', async () => {
    await set(mio, 'public')
    handle.run(`with recursive n (n) as (select 1 union all select n + 1 from n where n <= 5000)
      insert into records (id, user_id, work_id, episode_id, comment, watched_at, created_at)
      select 90000 + n, 2, 1, 1, 'members', 1, 1 from n`)
    // What is liked is looked at first.
    handle.run('update records set likes_count = 0 where id = 1')
    expect((await read('/works/1')).found).toEqual(['庭'])
    handle.run('update records set likes_count = 1 where id = 1')
    expect((await read('/works/1')).found).toEqual(['よかった', '庭'])
    const { text } = await visitor.open('/works/1/episodes/1?spoilers=show')
    expect([text.includes('よかった'), text.includes('members')]).toEqual([false, false])
    const [, older = ''] = /href="([^"]*\?before=\d+)#opinions"/.exec(text) ?? []
    expect((await visitor.open(`${older}&spoilers=show`)).text).toContain('よかった')
    handle.run('delete from records where id > 90000')
  })
})

test('search engines are told what to leave out (RFC 9309)', async () => {
  const { text } = await visitor.open('/robots.txt')
  expect(text).toContain('Disallow: /@*/\n')
  expect(text).not.toContain('Disallow: /@\n')
})

test('a member reads a public profile as before, with what there is to press', async () => {
  await set(mio, 'public')
  const azusa = await createMember(kiroku, 'azusa')
  expect((await azusa.open('/@mio')).text).toMatch(/data-act="(?:un)?follow"/)
})
