import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { rowsOf } from '../support/counted'
import { createInstance, type Instance, start } from '../support/instance'
import { createMember, createVisitor, type Visitor } from '../support/visitor'
import { addRecords, prefer } from '../support/watched-rows'

let kiroku: Instance
let mio: Visitor
beforeEach(async () => {
  kiroku = await createInstance()
  mio = await createMember(kiroku, 'mio')
})
afterEach(() => kiroku.close())

const [ritsu, azusa] = [2, 4]
const run = (sql: string, ...values: (string | number)[]) => kiroku.store.handle.run(sql, values)
const follow = (follower: number, followed: number) =>
  run('insert into follows (follower_id, followed_id, created_at) values (?, ?, 1)', follower, followed)
const follows = () => rowsOf(kiroku.store.handle, 'follows').map((row) => [row.follower_id, row.followed_id])
const peopleIn = (text: string) =>
  [...text.matchAll(/<li class="row" id="person-\d+">[\s\S]*?href="\/@([^"]*)"/g)].map(([, name]) => name)
const people = async (path: string, visitor = mio) => peopleIn((await visitor.open(path)).text)

/** Somebody watches an episode, which they tell. */
async function watch(user_id: number, episode_id = 1): Promise<void> {
  const [record_id = 0] = await addRecords(kiroku, [{ user_id, episode_id, watched_at: start }])
  const told = { user_id, work_id: 1, action: 'create_record' as const, record_id, created_at: start }
  await kiroku.deps.write((tx) => tx.insertInto('activities').values(told).execute())
}

/** More members, whose ids begin with 100. */
function addMembers(count: number): void {
  for (let id = 100; id < 100 + count; id += 1)
    run(
      `insert into users (id, username, username_key, name, email, email_key, password_hash, created_at)
       values (?1, 'p' || ?1, 'p' || ?1, 'ひと' || ?1, 'p' || ?1, 'p' || ?1, '', 1)`,
      id,
    )
}

test('visitors sign in first', async () => {
  for (const path of ['/people', '/@mio/followers', '/@mio/following'])
    expect((await createVisitor(kiroku).open(path)).location).toBe(
      `/sign_in?return_to=${encodeURIComponent(path)}`,
    )
})

describe('the directory', () => {
  test('has listed members, last active first, with what they did last', async () => {
    await watch(azusa)
    await watch(ritsu, 2)
    expect(await people('/people')).toEqual(['Ritsu_T', 'azusa', 'mio'])
    await watch(azusa, 3)
    const { text } = await mio.open('/people')
    expect(peopleIn(text)).toEqual(['azusa', 'Ritsu_T', 'mio'])
    expect(text).toMatch(/Garden of Falling Stars<\/span> Episode 2.5 · <time/)
  })

  test.each([
    ['unlisted', () => prefer(kiroku, azusa, { listed: 0 })],
    ['private', () => prefer(kiroku, azusa, { privacy: 'private' })],
    ['disabled', () => prefer(kiroku, azusa, { disabled_at: 1 })],
    ['muted', () => run('insert into mutes (user_id, muted_id, created_at) values (1, 4, 1)')],
    ['blocked', () => run('insert into blocks (user_id, blocked_id, created_at) values (1, 4, 1)')],
    ['blocking', () => run('insert into blocks (user_id, blocked_id, created_at) values (4, 1, 1)')],
    ['becoming private', () => run('insert into privacy_moves (user_id, level, began_at) values (4, 1, 1)')],
    ['deleted', () => run('insert into deletions (user_id, begun_at, keeps_comments) values (4, 1, 1)')],
  ])('has nobody who is %s, nor finds them', async (_, change) => {
    await watch(azusa)
    expect([await people('/people'), await people('/people?q=azusa')]).toEqual([
      expect.arrayContaining(['azusa']),
      ['azusa'],
    ])
    await change()
    expect([await people('/people'), await people('/people?q=azusa')]).toEqual([
      expect.not.arrayContaining(['azusa']),
      [],
    ])
  })

  test('counts nothing private as being active', async () => {
    await watch(ritsu)
    await watch(azusa)
    run('update records set private = 1 where user_id = 4')
    expect(await people('/people')).toEqual(['Ritsu_T', 'azusa', 'mio'])
    expect((await mio.open('/people')).text.match(/<time/g)).toHaveLength(1)
  })

  test('has 50 to a page; all pages have everybody once, whether they did something or nothing', async () => {
    addMembers(120)
    for (let id = 100; id < 220; id += 2) await watch(id)
    const names: (string | undefined)[] = []
    const lengths: number[] = []
    for (let path: string | undefined = '/people'; path !== undefined; ) {
      const { text }: { text: string } = await mio.open(path)
      const shown = peopleIn(text)
      names.push(...shown)
      lengths.push(shown.length)
      path = /rel="next" href="([^"]*)"/.exec(text)?.[1]?.replaceAll('&#38;', '&')
    }
    const active = Array.from({ length: 60 }, (_, at) => `p${218 - 2 * at}`)
    expect(lengths).toEqual([50, 50, 23])
    expect(names.slice(0, 60)).toEqual(active)
    expect(new Set(names).size).toBe(123)
  })

  test('finds by a name, and says so if there is nobody', async () => {
    expect(await people('/people?q=律')).toEqual(['Ritsu_T'])
    expect((await mio.open('/people?q=nobody')).text).toContain('No member is named “nobody”')
  })

  test('follows in one press, and takes that back', async () => {
    await mio.submit('/people?q=azusa', { username: 'azusa' }, '/follow')
    expect(follows()).toEqual([[1, azusa]])
    expect((await mio.open('/people?q=azusa')).text).toContain(
      'form="unfollow" name="username" value="azusa"',
    )
    await mio.submit('/people?q=azusa', { username: 'azusa' }, '/unfollow')
    expect(follows()).toEqual([])
  })
})

describe('the pages of follows', () => {
  test('are of those whom one may see, newest first, and linked from the profile', async () => {
    for (const one of [1, azusa]) follow(one, ritsu)
    expect(await people('/@Ritsu_T/followers')).toEqual(['azusa', 'mio'])
    expect(await people('/@azusa/following')).toEqual(['Ritsu_T'])
    for (const path of ['followers', 'following'])
      expect((await mio.open('/@Ritsu_T')).text).toContain(`href="/@Ritsu_T/${path}"`)
    run('insert into mutes (user_id, muted_id, created_at) values (1, 4, 1)')
    expect(await people('/@Ritsu_T/followers')).toEqual(['mio'])
    await prefer(kiroku, ritsu, { privacy: 'private' })
    expect(await people('/@azusa/following')).toEqual([])
  })

  test('lead to the profile of who is private, but for followers', async () => {
    await prefer(kiroku, ritsu, { privacy: 'private' })
    for (const side of ['followers', 'following'])
      expect((await mio.open(`/@Ritsu_T/${side}`)).location).toBe('/@Ritsu_T')
    follow(1, ritsu)
    expect(await people('/@Ritsu_T/followers')).toEqual(['mio'])
  })

  test('have 50 to a page', async () => {
    addMembers(60)
    for (let id = 100; id < 160; id += 1) follow(id, ritsu)
    const { text } = await mio.open('/@Ritsu_T/followers')
    const [, next = ''] = /rel="next" href="([^"]*)"/.exec(text) ?? []
    expect([peopleIn(text).length, await people(next)]).toEqual([
      50,
      Array.from({ length: 10 }, (_, at) => `p${109 - at}`),
    ])
  })

  test('end that somebody follows oneself, and nobody else', async () => {
    follow(ritsu, 1)
    follow(ritsu, azusa)
    expect((await mio.open('/@azusa/followers')).text).not.toContain('remove_follower')
    expect((await mio.open('/@mio/followers')).text).toContain(
      'form="remove_follower" name="username" value="Ritsu_T"',
    )
    const removed = await mio.submit('/@mio/followers', { username: 'Ritsu_T' }, '/followers/remove')
    expect([removed.location, follows()]).toEqual(['/@mio/followers', [[ritsu, azusa]]])
    expect((await mio.open('/@mio/followers')).text).toContain('Ritsu_T no longer follows you')
  })
})

test('the order is kept, and right after anything that changes it', async () => {
  await watch(azusa)
  await watch(ritsu, 2)
  expect(await people('/people')).toEqual(['Ritsu_T', 'azusa', 'mio'])
  // Newer activities are joined with what is kept, however many there are.
  for (const many of [1, 4999, 2]) {
    run(
      `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ?)
       insert into activities (user_id, work_id, action, status_kind, created_at)
       select 4, 1, 'create_status', 'watched', 1 from numbers`,
      many,
    )
    expect(await people('/people')).toEqual(['azusa', 'Ritsu_T', 'mio'])
  }
  run('delete from activities where user_id = 4')
  expect(await people('/people')).toEqual(['Ritsu_T', 'azusa', 'mio'])
  await watch(1)
  expect(await people('/people')).toEqual(['mio', 'Ritsu_T', 'azusa'])
  run('update records set private = 1 where user_id = 1')
  expect((await people('/people'))[0]).toBe('Ritsu_T')
  addMembers(1)
  expect(await people('/people')).toEqual(['Ritsu_T', 'p100', 'azusa', 'mio'])
})
