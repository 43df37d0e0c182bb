import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { changePrivacy, finishMove, finishMoves } from '../../src/accounts/account/privacy'
import { findDrift } from '../../src/catalogue/counters/recount'
import { createInstance, type Instance } from '../support/instance'
import { type Person, personOf } from '../support/people'
import { seedCatalogue } from '../support/seed'

const names = ['mio', 'Ritsu_T', 'azusa'] as const
const ids: Readonly<Record<Name, number>> = { mio: 1, Ritsu_T: 2, azusa: 4 }
type Name = (typeof names)[number]
type Profile = 'public' | 'members' | 'private'
type List = 'records' | 'reviews'

interface Written {
  readonly list: List
  readonly owner: Name
  readonly isPrivate: boolean
}
interface World {
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
const world: fc.Arbitrary<World> = fc.record({
  profiles: fc.record({ mio: profile, Ritsu_T: profile, azusa: profile }),
  follows: pairs,
  blocks: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, pairs),
  rows: fc.array(
    fc.record({
      list: fc.constantFrom('records' as const, 'reviews' as const),
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

async function build({ profiles, follows, blocks, rows }: World): Promise<Instance> {
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
    if (list === 'records')
      handle.run(
        'insert into records (id, user_id, work_id, episode_id, watched_at, created_at, private) values (?, ?, 1, 1, 1, 1, ?)',
        [id, user, mark],
      )
    else
      handle.run(
        "insert into reviews (id, user_id, work_id, body, created_at, private) values (?, ?, 1, 'x', 1, ?)",
        [id, user, mark],
      )
  }
  return kiroku
}

/** The table of docs/privacy.md, in plain words. */
const isApart = ({ blocks }: World, one: Name, other: Name) =>
  blocks.some(([a, b]) => (a === one && b === other) || (a === other && b === one))
const follows = (world: World, one: Name, other: Name) =>
  world.follows.some(([a, b]) => a === one && b === other)
const isShared = ({ profiles }: World, { owner, isPrivate }: Written) =>
  !isPrivate && profiles[owner] !== 'private'
function isSeen(world: World, viewer: Name, row: Written): boolean {
  if (row.owner === viewer) return true
  if (row.isPrivate || isApart(world, viewer, row.owner)) return false
  return world.profiles[row.owner] !== 'private' || follows(world, viewer, row.owner)
}
const idsWhere = ({ rows }: World, list: List, is: (row: Written) => boolean) =>
  rows.flatMap((row, at) => (row.list === list && is(row) ? [at + 1] : []))

/** Every page to the last one, with the total of each. */
async function paged(person: Person, list: List, query: string) {
  const [found, totals]: [number[], Set<number>] = [[], new Set()]
  for (let page: number | null = 1; page !== null; ) {
    const body = await person.json(`/v1/${list}?fields=id&sort_id=asc${query}&page=${page}`)
    found.push(...body[list].map(({ id }: { id: number }) => id))
    totals.add(body.total_count)
    page = body.next_page
  }
  return { found, totals: [...totals] }
}

type People = Readonly<Record<Name, Person>>

/** What each of them reads in each list. `moving`: whose levels are on their way, to members or to private. */
async function readAll(world: World, people: People) {
  const read: Record<string, Awaited<ReturnType<typeof paged>>> = {}
  for (const viewer of names)
    for (const list of ['records', 'reviews'] as const) {
      read[`${viewer} ${list}`] = await paged(people[viewer], list, `&per_page=${world.pageSize}`)
      for (const owner of names)
        read[`${viewer} ${list} ${owner}`] = await paged(
          people[viewer],
          list,
          `&per_page=${world.pageSize}&filter_username=${owner}`,
        )
    }
  return read
}

/** The same by the plain model. */
function expectedOf(world: World) {
  const expected: Record<string, Awaited<ReturnType<typeof paged>>> = {}
  for (const viewer of names)
    for (const list of ['records', 'reviews'] as const) {
      const shared = (row: Written) => isShared(world, row)
      expected[`${viewer} ${list}`] = {
        found: idsWhere(world, list, (row) => shared(row) && !isApart(world, viewer, row.owner)),
        totals: [idsWhere(world, list, shared).length],
      }
      for (const owner of names) {
        const found = idsWhere(world, list, (row) => row.owner === owner && isSeen(world, viewer, row))
        expected[`${viewer} ${list} ${owner}`] = { found, totals: [found.length] }
      }
    }
  return expected
}

const contentOf = ({ store: { handle } }: Instance) =>
  ['users', 'records', 'reviews', 'follows', 'works', 'episodes', 'withheld_rows'].map((table) => [
    table,
    handle
      .query<Record<string, unknown>, []>(`select * from ${table}`)
      .all()
      .map(({ version: _, feed_version: __, ...row }) => row),
  ])

/** Changes the level of a profile, and stops after some writes as a kill would. */
async function moveAndKill({ deps }: Instance, { mover, writes }: World, privacy: Profile): Promise<void> {
  const id = ids[mover]
  await deps.write((tx) => changePrivacy(tx, id, { change: { privacy }, now: deps.now() }))
  let left = writes
  const write: typeof deps.write = async (change) => {
    left -= 1
    if (left < 0) throw new Error('killed')
    return await deps.write(change)
  }
  await finishMove({ read: deps.read, write }, id).catch((cause) =>
    expect(String(cause)).toBe('Error: killed'),
  )
}

test('each list, paged to its end, and its total are as the plain rules say, also around a move that is killed (D72, D73, D78)', async () => {
  await fc.assert(
    fc.asyncProperty(world, async (before) => {
      const kiroku = await build(before)
      const people: People = {
        mio: await personOf(kiroku, 'mio'),
        Ritsu_T: await personOf(kiroku, 'Ritsu_T'),
        azusa: await personOf(kiroku, 'azusa'),
      }
      expect(await readAll(before, people)).toEqual(expectedOf(before))
      const content = contentOf(kiroku)
      const from = before.profiles[before.mover]
      const to = from === 'private' ? 'members' : 'private'
      const after = { ...before, profiles: { ...before.profiles, [before.mover]: to } }
      await moveAndKill(kiroku, before, to)
      await checkMoving(before, after, await readAll(before, people))
      await finishMoves(kiroku.deps)
      expect(await readAll(after, people)).toEqual(expectedOf(after))
      expect(findDrift(kiroku.store.handle)).toEqual([])
      await moveAndKill(kiroku, before, from)
      await finishMoves(kiroku.deps)
      expect(await readAll(before, people)).toEqual(expectedOf(before))
      expect(contentOf(kiroku)).toEqual(content)
      await kiroku.close()
    }),
    { numRuns: 20 },
  )
}, 120_000)

/** Between two pieces nobody reads what either level forbids, and totals of shared lists may exceed the rows. */
async function checkMoving(
  before: World,
  after: World,
  read: Awaited<ReturnType<typeof readAll>>,
): Promise<void> {
  const [old, next] = [expectedOf(before), expectedOf(after)]
  for (const [of, { found, totals }] of Object.entries(read)) {
    const both = old[of]?.found.filter((id) => next[of]?.found.includes(id)) ?? []
    const either = new Set([...(old[of]?.found ?? []), ...(next[of]?.found ?? [])])
    // What becomes private is gone at once; what is opened comes as it is moved.
    const isOpening = before.profiles[before.mover] === 'private'
    expect([of, both.filter((id) => !found.includes(id))]).toEqual([of, []])
    expect([of, found.filter((id) => (isOpening ? !either.has(id) : !both.includes(id)))]).toEqual([of, []])
    expect([of, totals.every((total) => total >= found.length)]).toEqual([of, true])
  }
}
