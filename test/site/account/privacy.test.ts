import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { finishMoves } from '../../../src/accounts/account/privacy'
import { en } from '../../../src/messages/en'
import { ja } from '../../../src/messages/ja'
import { createInstance } from '../../support/instance'
import { personOf } from '../../support/people'
import { seedLibrary } from '../../support/seed-library'
import { createMember, createVisitor, hiddenInputs } from '../../support/visitor'

const kiroku = await createInstance({ seed: seedLibrary })
const { handle } = kiroku.store
afterAll(kiroku.close)
const path = '/settings/privacy'
const mio = await createMember(kiroku, 'mio')
const japanese = await createMember(kiroku, 'mio', { language: 'ja' })
const azusa = await createMember(kiroku, 'azusa')
const [mioByToken, azusaByToken] = [await personOf(kiroku, 'mio'), await personOf(kiroku, 'azusa')]

const set = async (change: Record<string, unknown>) => {
  await mioByToken.done('PATCH', '/v1/me', change)
  await finishMoves(kiroku.deps)
}
beforeEach(async () => {
  await set({ profile: 'members', private_by_default: false })
  for (const table of ['follow_requests', 'follows', 'mutes', 'blocks']) handle.run(`delete from ${table}`)
})

const stored = () => handle.query('select privacy, private_by_default from users where id = 1').values()[0]
const recordsSeen = async (): Promise<number> =>
  (await azusaByToken.json('/v1/records?filter_username=mio')).total_count
const chosen = (text: string) => /name="profile" value="([a-z]+)"[^>]* checked/.exec(text)?.[1]

describe('who sees the profile (D72)', () => {
  test('what another member sees of it changes with what is saved, there and back', async () => {
    const before = await recordsSeen()
    expect(before).toBeGreaterThan(0)
    expect((await azusa.open('/@mio')).text).not.toContain(en.profilePage.isPrivate)
    const saved = await mio.submit(path, { profile: 'private' })
    expect([saved.status, saved.location]).toEqual([303, path])
    const page = (await mio.open(path)).text
    expect([page.includes(en.preferences.saved), chosen(page)]).toEqual([true, 'private'])
    expect((await azusa.open('/@mio')).text).toContain(en.profilePage.isPrivate)
    expect([await recordsSeen(), stored()]).toEqual([0, ['private', 0]])
    await finishMoves(kiroku.deps)

    await mio.submit(path, { profile: 'members' })
    await finishMoves(kiroku.deps)
    expect((await azusa.open('/@mio')).text).not.toContain(en.profilePage.isPrivate)
    expect([await recordsSeen(), stored()]).toEqual([before, ['members', 0]])
  })

  test.each([
    ['a word that is none', { profile: 'friends' }],
    ['nothing, which must not open it', { profile: '' }],
  ])('%s is refused by its name, and nothing is lost', async (_, wrong) => {
    await set({ profile: 'private' })
    for (const [member, words] of [[mio, en] as const, [japanese, ja] as const]) {
      const page = await member.submit(path, { ...wrong, private_by_default: '1' })
      expect([page.status, page.textOf('profile-problem')]).toEqual([422, words.form.notOffered])
      expect(page.text).toMatch(/name="private_by_default" value="1" checked/)
      expect(stored()).toEqual(['private', 0])
    }
  })

  test('whom one takes comments from is chosen there, too, and stays where it is not sent (D77)', async () => {
    const from = () => handle.query('select comments_from from users where id = 1').values()[0]?.[0]
    for (const choice of ['following', 'nobody'] as const) {
      expect((await mio.submit(path, { profile: 'members', comments_from: choice })).status).toBe(303)
      const { text } = await mio.open(path)
      expect(from()).toBe(choice)
      expect(text).toMatch(new RegExp(`name="comments_from" value="${choice}"[^>]* checked`))
    }
    await mio.submit(path, { profile: 'members' })
    expect(from()).toBe('nobody')
    const refused = await mio.submit(path, { profile: 'members', comments_from: 'friends' })
    expect([refused.textOf('comments_from-problem'), from()]).toEqual([en.form.notOffered, 'nobody'])
    await set({ comments_from: 'everyone' })
  })

  test('is asked of members only', async () => {
    const { status, location } = await createVisitor(kiroku).open(path)
    expect([status, location]).toEqual([303, '/sign_in?return_to=%2Fsettings%2Fprivacy'])
  })

  test.each([['en', mio, en, 'Private'] as const, ['ja', japanese, ja, '非公開'] as const])(
    'is named in the settings, and says first whom a change affects: %s',
    async (_, member, words, name) => {
      handle.run('insert into follows (follower_id, followed_id, created_at) values (2, 1, 0)')
      const { records_count } = await mioByToken.json('/v1/me')
      expect((await member.open(path)).text).toContain(words.privacy.ifPrivate(records_count, 1))
      await set({ profile: 'private' })
      await azusaByToken.done('POST', '/v1/me/follows', { username: 'mio' })
      expect((await member.open(path)).text).toContain(words.privacy.ifMembers(records_count, 1))
      expect((await member.open('/settings')).text).toMatch(
        new RegExp(`href="/settings/privacy"><b>${words.privacy.title}</b>\\s*<span class="value">${name}<`),
      )
    },
  )

  test('names no number where there is no record, nor a request of who is not named', async () => {
    handle.run('update records set private = 1 where user_id = 4')
    expect((await azusa.open(path)).text).toContain(en.privacy.ifPrivate(0, 0))
    handle.run('update records set private = 0 where user_id = 4')
    for (const words of [en, ja]) {
      expect(words.privacy.ifPrivate(0, 0)).not.toMatch(/0/)
      expect(words.privacy.ifMembers(0, 0)).not.toMatch(/0/)
    }
    await set({ profile: 'private' })
    await azusaByToken.done('POST', '/v1/me/follows', { username: 'mio' })
    const { records_count } = await mioByToken.json('/v1/me')
    await mioByToken.done('POST', '/v1/me/mutes', { username: 'azusa' })
    expect((await mio.open(path)).text).toContain(en.privacy.ifMembers(records_count, 0))
  })

  test('that is public stays so, and is said to be no longer read by visitors with another choice', async () => {
    await set({ profile: 'public' })
    const { text } = await mio.open(path)
    expect([chosen(text), text.includes(en.privacy.ifMembersOnly)]).toEqual(['public', true])
    await mio.submit(path, { profile: 'public', private_by_default: '1' })
    expect(stored()).toEqual(['public', 1])
    await mio.submit(path, { profile: 'members' })
    expect([stored(), (await mio.open(path)).text.includes(en.privacy.ifPublic)]).toEqual([
      ['members', 0],
      true,
    ])
  })

  test('is kept from the directory and from search engines by two boxes, both languages', async () => {
    const boxes = () => handle.query('select listed, indexable from users where id = 1').values()[0]
    await mio.submit(path, { profile: 'members', listed: '1', indexable: '1' })
    expect(boxes()).toEqual([1, 1])
    for (const [member, words] of [[mio, en] as const, [japanese, ja] as const]) {
      const { text } = await member.open(path)
      for (const part of [words.privacy.listed, words.privacy.indexable, words.privacy.publicHint])
        expect(text).toContain(part)
      expect(text).toMatch(/name="listed" value="1"[^>]* checked/)
    }
    await mio.submit(path, { profile: 'members', listed: '1' })
    expect(boxes()).toEqual([1, 0])
    await mio.submit(path, { profile: 'members' })
    expect(boxes()).toEqual([0, 0])
  })
})

test('with the box, nobody else sees what is recorded from then on (D72)', async () => {
  const before = await recordsSeen()
  await mio.submit(path, { profile: 'members', private_by_default: '1' })
  expect((await mio.open(path)).text).toMatch(/name="private_by_default" value="1" checked/)
  await mioByToken.done('POST', '/v1/me/records', { episode_id: 1 })
  expect([await recordsSeen(), stored()]).toEqual([before, ['members', 1]])
  await mio.submit(path, { profile: 'members' })
  await mioByToken.done('POST', '/v1/me/records', { episode_id: 1 })
  expect([await recordsSeen(), stored()]).toEqual([before + 1, ['members', 0]])
})

describe('a request to follow (D76)', () => {
  beforeEach(async () => {
    await set({ profile: 'private' })
    await azusaByToken.done('POST', '/v1/me/follows', { username: 'mio' })
  })
  const answer = (decision: string) => mio.submit(path, { username: 'azusa' }, `${path}/${decision}`)
  const requests = () => handle.query('select follower_id, declined_at is null from follow_requests').values()

  test('that is accepted makes a follower, who sees everything; a second press does nothing', async () => {
    for (const member of [mio, japanese])
      expect((await member.open(path)).text).toContain('data-act="request_accept"')
    expect((await azusa.open('/@mio')).text).toContain(en.profilePage.isPrivate)
    const inputs = hiddenInputs((await mio.open(path)).text, `${path}/accept`)
    expect(inputs.username).toBe('azusa')
    for (let presses = 0; presses < 2; presses++) {
      const { status, location } = await mio.post(`${path}/accept`, inputs)
      expect([status, location]).toEqual([303, path])
    }
    expect((await azusa.open('/@mio')).text).not.toContain(en.profilePage.isPrivate)
    expect(handle.query('select follower_id, followed_id from follows').values()).toEqual([[4, 1]])
    expect([requests(), (await mio.open(path)).text.includes(en.privacy.requests)]).toEqual([[], false])
  })

  test('that is declined is gone from the page, and opens nothing', async () => {
    expect((await answer('decline')).location).toBe(path)
    expect((await mio.open(path)).text).not.toContain('data-act="request_')
    expect((await azusa.open('/@mio')).text).toContain(en.profilePage.isPrivate)
    expect([requests(), handle.query('select * from follows').values()]).toEqual([[[4, 0]], []])
  })

  test('of somebody who is muted is not named, and goes on waiting', async () => {
    await mioByToken.done('POST', '/v1/me/mutes', { username: 'azusa' })
    expect((await mio.open(path)).text).not.toContain('data-act="request_')
    expect(requests()).toEqual([[4, 1]])
  })

  test('of nobody is not found, and of somebody who did not ask changes nothing', async () => {
    const by = (username: string) => mio.submit(path, { username }, `${path}/accept`)
    for (const nobody of ['', 'nobody_here', '💥']) expect((await by(nobody)).status).toBe(404)
    expect((await by('Ritsu_T')).status).toBe(303)
    expect(handle.query('select * from follows').values()).toEqual([])
  })
})

describe('whom one has blocked or muted', () => {
  const insert = (count: number) => {
    handle.run(`with recursive n (n) as (select 1 union all select n + 1 from n where n < ${count})
      insert into users (id, username, username_key, email, password_hash, name, created_at)
      select 7000 + n, 'left' || n, 'left' || n, 'left' || n, '', 'Left ' || n, 1 from n where true on conflict do nothing`)
    handle.run(`insert into blocks (user_id, blocked_id, created_at)
      select 1, id, id from users where id between 7001 and ${7000 + count}`)
  }

  test('is listed with its undo, in both languages (D78)', async () => {
    expect((await mio.open(path)).text).not.toContain('id="left-out"')
    await mioByToken.done('POST', '/v1/me/blocks', { username: 'azusa' })
    await mioByToken.done('POST', '/v1/me/mutes', { username: 'azusa' })
    for (const [member, words] of [[mio, en] as const, [japanese, ja] as const]) {
      const { text } = await member.open(path)
      expect([text.includes(words.privacy.isBlocked), text.includes(words.privacy.isMuted)]).toEqual([
        true,
        true,
      ])
    }
    for (const act of ['unblock', 'unmute']) {
      const done = await mio.submit(path, {}, `/${act}`)
      expect([done.status, done.location]).toEqual([303, path])
    }
    expect((await mio.open(path)).text).not.toContain('id="left-out"')
    expect(handle.query('select count(*) from blocks union all select count(*) from mutes').values()).toEqual(
      [[0], [0]],
    )
  })

  test('has pages of 50, newest first', async () => {
    insert(60)
    const names = async (query: string) =>
      [...(await mio.open(path + query)).text.matchAll(/href="\/@(left\d+)"/g)].map(([, name]) => name)
    const first = await names('')
    expect([first.length, first[0], (await mio.open(path)).text.includes('?page=2#left-out')]).toEqual([
      50,
      'left60',
      true,
    ])
    expect([...first, ...(await names('?page=2'))]).toEqual(
      Array.from({ length: 60 }, (_, n) => `left${60 - n}`),
    )
    expect((await mio.open(`${path}?page=999999999999`)).status).toBe(200)
  })
})
