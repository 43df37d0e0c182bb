import { afterAll, expect, test } from 'bun:test'
import { createInstance } from '../support/instance'
import { personOf } from '../support/people'
import { seedLibrary } from '../support/seed-library'
import { createMember } from '../support/visitor'
import { ids, markers, type PersonName, readable, writeMarkers } from './people'

const kiroku = await createInstance({ seed: seedLibrary })
afterAll(kiroku.close)
writeMarkers(kiroku)

const markersIn = (text: string) => Object.keys(markers).filter((marker) => text.includes(marker))
const names = Object.keys(ids) as PersonName[]

test('what one may not see cannot be liked, and looks as if it did not exist (D72)', async () => {
  for (const name of ['stranger', 'blocked', 'boss', 'follower'] as const) {
    const person = await personOf(kiroku, name)
    for (const [marker, id] of Object.entries(markers)) {
      const body = marker.endsWith('record') ? { record_id: id } : { review_id: id }
      const status = readable[name].includes(marker) ? 204 : 404
      for (const method of ['POST', 'DELETE'])
        expect([name, marker, (await person.send(method, '/v1/me/likes', body)).status]).toEqual([
          name,
          marker,
          status,
        ])
    }
  }
})

test('follows of a private profile are seen by their two sides only, with their total (D76)', async () => {
  const counted: Partial<Record<PersonName, unknown>> = {}
  for (const name of names) {
    const person = await personOf(kiroku, name)
    const { users, total_count } = await person.json('/v1/followers?filter_username=secretive')
    expect(users).toHaveLength(total_count)
    const following = await person.json('/v1/following?filter_username=follower')
    expect(following.users).toHaveLength(following.total_count)
    counted[name] = [total_count, following.total_count]
  }
  const [sides, others] = [
    [1, 2],
    [0, 1],
  ]
  // Who has a block with the other side sees neither of them there.
  const apart = [0, 0]
  expect(counted).toEqual({
    ...{
      owner: others,
      secretive: sides,
      follower: sides,
      stranger: others,
      blocked: apart,
      muter: others,
      boss: others,
    },
  })
  for (const name of names) {
    const query = '{ user(username: "secretive") { followers { nodes { username } } } }'
    const answer = await (await personOf(kiroku, name)).done('POST', '/graphql', { query })
    const sees = name === 'secretive' || name === 'follower'
    expect([name, answer.data.user.followers.nodes]).toEqual([name, sees ? [{ username: 'follower' }] : []])
  }
  const everybody = await (await personOf(kiroku, 'follower')).json('/v1/followers?per_page=50')
  expect([
    everybody.users.length,
    everybody.users.map(({ username }: { username: string }) => username),
  ]).toEqual([everybody.total_count, expect.arrayContaining(['follower'])])
})

test('favorites of a private profile are on its page for followers only (D72)', async () => {
  const shows = async (name: PersonName) => {
    const { text } = await (await createMember(kiroku, name)).open('/@secretive')
    return [text.includes('class="favourites"'), text.includes('favourite-works')]
  }
  expect(await Promise.all(names.map(shows))).toEqual(
    names.map((name) => {
      const isSeen = name === 'secretive' || name === 'follower'
      return [isSeen, isSeen]
    }),
  )
})

test('counters and lists of the catalogue are of shared rows (D73, D74)', async () => {
  const stranger = await personOf(kiroku, 'stranger')
  for (const name of ['stranger', 'owner', 'secretive'] as const) {
    const person = await personOf(kiroku, name)
    const { records, total_count } = await person.json('/v1/records?filter_episode_id=1&per_page=50')
    const [episode] = (await stranger.json('/v1/episodes?filter_ids=1')).episodes
    expect([name, records.length, total_count]).toEqual([name, episode.records_count, episode.records_count])
  }
  const [owner] = (await stranger.json('/v1/users?filter_usernames=owner')).users
  const own = await (await personOf(kiroku, 'owner')).json('/v1/me')
  expect([owner.records_count, owner.watching_count]).toEqual([1, 0])
  expect([own.records_count, own.watching_count]).toEqual([4, 1])
})

test('a private profile is found by its exact name, with nothing but name and picture (D75)', async () => {
  const stranger = await personOf(kiroku, 'stranger')
  const [found] = (await stranger.json('/v1/users?filter_usernames=secretive')).users
  const [fresh] = (await stranger.json('/v1/users?filter_usernames=boss')).users
  const { id, username, name } = { id: ids.secretive, username: 'secretive', name: 'secretive' }
  expect(found).toEqual({ ...fresh, id, username, name })
  const { users, total_count } = await stranger.json('/v1/users?per_page=50')
  expect(users).toHaveLength(total_count)
  expect(users.map((user: { username: string }) => user.username)).not.toContain('secretive')
  expect((await stranger.json('/v1/users?filter_query=secretive')).total_count).toBe(0)
})

test('who has blocked somebody, or is blocked, does not see the other side in lists (D78)', async () => {
  const usernames = async (name: PersonName) =>
    (await (await personOf(kiroku, name)).json('/v1/users?per_page=50')).users.map(
      (user: { username: string }) => user.username,
    )
  expect(await usernames('owner')).not.toContain('blocked')
  expect(await usernames('blocked')).not.toContain('owner')
  expect(await usernames('stranger')).toEqual(expect.arrayContaining(['owner', 'blocked']))
})

test('the same URL has another answer once a block is made, and the first again when it ends (D78)', async () => {
  const { handle } = kiroku.store
  const boss = await personOf(kiroku, 'boss')
  const seenAt = async (query: string) =>
    markersIn(await (await boss.send('GET', `/v1/records?per_page=50&sort_id=desc${query}`)).text())
  // The second URL was answered with the same token too, and nothing was asked with it since.
  const seen = async () => [...(await seenAt('')), ...(await seenAt('&fields=comment'))]
  const shared = ['MARK-shared-record', 'MARK-shared-record']
  for (let n = 0; n < 3; n++) expect(await seen()).toEqual(shared)
  const write = (sql: string) =>
    kiroku.deps.write(async (tx) => {
      await tx.executeQuery({ sql, parameters: [] } as never)
    })
  await write(`insert into blocks (user_id, blocked_id, created_at) values (${ids.owner}, ${ids.boss}, 1)`)
  // Somebody without a block has them kept anew.
  const stranger = await personOf(kiroku, 'stranger')
  for (const query of ['', '&fields=comment'])
    await stranger.send('GET', `/v1/records?per_page=50&sort_id=desc${query}`)
  for (let n = 0; n < 3; n++) expect(await seen()).toEqual([])
  await write(`delete from blocks where blocked_id = ${ids.boss}`)
  for (let n = 0; n < 3; n++) expect(await seen()).toEqual(shared)
  expect(handle.query('select 1 from blocks where blocked_id = 16').all()).toEqual([])
})
