import fc from 'fast-check'
import { createInstance, type Instance } from '../support/instance'
import { seedCatalogue } from '../support/seed'

export const names = ['mio', 'Ritsu_T', 'azusa'] as const
export const ids: Readonly<Record<Name, number>> = { mio: 1, Ritsu_T: 2, azusa: 4 }
export type Name = (typeof names)[number]
export type Profile = 'public' | 'members' | 'private'
export const lists = ['records', 'reviews', 'activities'] as const
export type List = (typeof lists)[number]

export interface Written {
  readonly list: List
  readonly owner: Name
  readonly isPrivate: boolean
}
export interface World {
  readonly profiles: Readonly<Record<Name, Profile>>
  readonly follows: readonly (readonly [Name, Name])[]
  readonly blocks: readonly (readonly [Name, Name])[]
  readonly rows: readonly Written[]
  readonly mover: Name
  readonly pageSize: number
  /** After how many writes of a move the server is killed. */
  readonly writes: number
}

const name = fc.constantFrom(...names)
const profile = fc.constantFrom('public' as const, 'members' as const, 'private' as const)
const pairs = fc.uniqueArray(
  fc.tuple(name, name).filter(([one, other]) => one !== other),
  { selector: ([one, other]) => `${one} ${other}`, maxLength: 5 },
)
export const world: fc.Arbitrary<World> = fc.record({
  profiles: fc.record({ mio: profile, Ritsu_T: profile, azusa: profile }),
  follows: pairs,
  blocks: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, pairs),
  rows: fc.array(
    fc.record({
      list: fc.constantFrom(...lists),
      owner: name,
      isPrivate: fc.boolean(),
    }),
    { minLength: 4, maxLength: 24 },
  ),
  mover: name,
  pageSize: fc.integer({ min: 1, max: 7 }),
  writes: fc.integer({ min: 0, max: 3 }),
})

const madeUp = [
  'works set watchers_count = 0, reviews_count',
  'episodes set records_count = 0, record_comments_count',
  'characters set favorite_characters_count',
  'people set favorite_people_count',
  'organizations set favorite_organizations_count',
]

const inserts: Readonly<Record<List, string>> = {
  records:
    'records (id, user_id, work_id, episode_id, watched_at, created_at, private) values (?, ?, 1, 1, 1, 1, ?)',
  reviews: "reviews (id, user_id, work_id, body, created_at, private) values (?, ?, 1, 'x', 1, ?)",
  activities: `activities (id, user_id, work_id, action, status_kind, created_at, private)
    values (?, ?, 1, 'create_status', 'watched', 1, ?)`,
}

export async function build({ profiles, follows, blocks, rows }: World): Promise<Instance> {
  const kiroku = await createInstance({ seed: seedCatalogue })
  const { handle } = kiroku.store
  // The seed makes counters up.
  for (const made of madeUp) handle.run(`update ${made} = 0`)
  for (const one of names) handle.run('update users set privacy = ? where id = ?', [profiles[one], ids[one]])
  for (const [one, other] of follows)
    handle.run('insert into follows (follower_id, followed_id, created_at) values (?, ?, 1)', [
      ids[one],
      ids[other],
    ])
  for (const [one, other] of blocks)
    handle.run('insert into blocks (user_id, blocked_id, created_at) values (?, ?, 1)', [
      ids[one],
      ids[other],
    ])
  for (const [at, { list, owner, isPrivate }] of rows.entries()) {
    const [id, user, mark] = [at + 1, ids[owner], Number(isPrivate)]
    handle.run(`insert into ${inserts[list]}`, [id, user, mark])
    // Everybody comments on each record.
    if (list === 'records')
      for (const one of names)
        handle.run(
          "insert into comments (user_id, owner_id, record_id, body, created_at) values (?, ?, ?, 'x', 1)",
          [...[ids[one], user, id]],
        )
  }
  for (const one of names)
    handle.run('insert into favorites (user_id, person_id, created_at) values (?, 1, 1)', [ids[one]])
  return kiroku
}

/** The table of docs/privacy.md, in plain words. */
export const isApart = ({ blocks }: World, one: Name, other: Name) =>
  blocks.some(([a, b]) => (a === one && b === other) || (a === other && b === one))
const follows = (world: World, one: Name, other: Name) =>
  world.follows.some(([a, b]) => a === one && b === other)
export const isShared = ({ profiles }: World, { owner, isPrivate }: Written) =>
  !isPrivate && profiles[owner] !== 'private'
export function isSeen(world: World, viewer: Name, row: Written): boolean {
  if (row.owner === viewer) return true
  if (row.isPrivate || isApart(world, viewer, row.owner)) return false
  return world.profiles[row.owner] !== 'private' || follows(world, viewer, row.owner)
}
export const idsWhere = ({ rows }: World, list: List, is: (row: Written) => boolean) =>
  rows.flatMap((row, at) => (row.list === list && is(row) ? [at + 1] : []))
