import { afterAll, expect, spyOn, test } from 'bun:test'
import { GuardedConnection } from '../../src/db/connections'
import { createInstance } from '../support/instance'
import { seedLibrary } from '../support/seed-library'
import { asking } from './support'

const kiroku = await createInstance({ seed: seedLibrary })
afterAll(kiroku.close)
const { data } = asking(kiroku)
const { handle } = kiroku.store

const idsOf = async (whose: string, args = '') => {
  const field = `followingActivities${args} { edges { annictId } }`
  const answer = await data(`{ ${whose} { ${field} } }`)
  const [user] = Object.values(answer) as { followingActivities: { edges: { annictId: number }[] } }[]
  return user?.followingActivities.edges.map(({ annictId }) => annictId)
}

const idOf = (username: string) =>
  Number(handle.query('select id from users where username = ?').values(username)[0]?.[0])

/** As GraphQL's documentation defines it, without a cached feed. */
const expected = (username: string) =>
  handle
    .query(
      `select id from activities where (user_id = ?1 or user_id in (select followed_id from follows where follower_id = ?1))
         and user_id not in (select muted_id from mutes where user_id = ?2) order by id`,
    )
    .values(idOf(username), idOf('mio'))
    .map(([id]) => Number(id))

const start = (username: string) =>
  handle.run(
    `insert into activities (user_id, work_id, action, status_kind, created_at) values (?, 1, 'create_status', 'watching', 1)`,
    [idOf(username)],
  )

const changes: readonly (readonly [name: string, change: () => { readonly changes: number }])[] = [
  ['at first', () => ({ changes: 1 })],
  ['after an activity of the user', () => start('mio')],
  ['after one of a followed user', () => start('Ritsu_T')],
  [
    'after an activity was deleted',
    () => handle.run('delete from activities where id = (select min(id) from activities)'),
  ],
  [
    'after a user was muted',
    () =>
      handle.run('insert into mutes (user_id, muted_id, created_at) values (?, ?, 1)', [
        idOf('mio'),
        idOf('Ritsu_T'),
      ]),
  ],
  ['after the mute was lifted', () => handle.run('delete from mutes where user_id = ?', [idOf('mio')])],
  ['after a follow ended', () => handle.run('delete from follows where follower_id = ?', [idOf('mio')])],
]

test.each(changes)(
  'followingActivities are those of the user and of whom they follow: %s',
  async (_, change) => {
    expect(change().changes).toBeGreaterThan(0)
    for (const [whose, username] of [
      ['viewer', 'mio'],
      ['user(username: "azusa")', 'azusa'],
    ] as const) {
      const all = expected(username)
      expect(await idsOf(whose)).toEqual(all)
      expect(await idsOf(whose, '(orderBy: {field: CREATED_AT, direction: DESC}, first: 3)')).toEqual(
        all.toReversed().slice(0, 3),
      )
      expect(await idsOf(whose, '(last: 2)')).toEqual(all.slice(-2))
      expect(await idsOf(whose, '(first: 2, after: "MQ")')).toEqual(all.slice(1, 3))
    }
  },
)

test('followingActivities are read once, and later only what is new', async () => {
  const run = spyOn(GuardedConnection.prototype, 'execute')
  const reads = async () => {
    run.mockClear()
    await idsOf('viewer', `(first: ${1 + Math.floor(performance.now() % 50)})`)
    return run.mock.calls.filter(([query]) =>
      /select "id", "action" from "activities"/.test((query as unknown as { sql: string }).sql),
    )
  }
  await reads()
  expect(await reads()).toEqual([])
  run.mockRestore()
})
