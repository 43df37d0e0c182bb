import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { changePrivacy, finishMove, finishMoves } from '../../src/accounts/account/privacy'
import { findDrift } from '../../src/catalogue/counters/recount'
import type { Instance } from '../support/instance'
import { type Person, personOf } from '../support/people'
import {
  build,
  ids,
  idsWhere,
  isApart,
  isSeen,
  isShared,
  type List,
  lists,
  type Name,
  names,
  type Profile,
  type World,
  type Written,
  world,
} from './random-world'

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
    for (const list of lists) {
      read[`${viewer} ${list}`] = await paged(people[viewer], list, `&per_page=${world.pageSize}`)
      for (const owner of names)
        read[`${viewer} ${list} ${owner}`] = await paged(
          people[viewer],
          list,
          `&per_page=${world.pageSize}&filter_username=${owner}`,
        )
    }
  for (const viewer of names)
    for (const owner of names) {
      const query = `{ user(username: "${owner}") { records(first: 50, orderBy: { field: CREATED_AT, direction: ASC }) { nodes { annictId } } } }`
      const { user } = (await people[viewer].done('POST', '/graphql', { query })).data
      const found = user.records.nodes.map(({ annictId }: { annictId: number }) => annictId)
      read[`${viewer} graphql ${owner}`] = { found, totals: [found.length] }
    }
  return read
}

/** What is counted and what stands under something, once a move has come to its end. */
async function checkBeside(world: World, people: People): Promise<void> {
  const shared = names.filter((one) => world.profiles[one] !== 'private').length
  for (const viewer of names) {
    const [person] = (await people[viewer].json('/v1/people?filter_ids=1')).people
    expect([viewer, person.favorite_people_count]).toEqual([viewer, shared])
    for (const [at, row] of world.rows.entries()) {
      if (row.list !== 'records') continue
      const { comments } = await people[viewer].json(`/v1/comments?filter_record_id=${at + 1}`)
      const writers = comments.map(({ user }: { user: { username: Name } }) => user.username)
      const expected = isSeen(world, viewer, row) ? names.filter((one) => !isApart(world, viewer, one)) : []
      expect([viewer, at + 1, writers]).toEqual([viewer, at + 1, expected])
    }
  }
}

/** The same by the plain model. */
function expectedOf(world: World) {
  const expected: Record<string, Awaited<ReturnType<typeof paged>>> = {}
  for (const viewer of names)
    for (const list of lists) {
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
  for (const viewer of names)
    for (const owner of names)
      expected[`${viewer} graphql ${owner}`] = expected[`${viewer} records ${owner}`] ?? {
        found: [],
        totals: [],
      }
  return expected
}

const contentOf = ({ store: { handle } }: Instance) =>
  [...lists, 'users', 'follows', 'favorites', 'works', 'episodes', 'withheld_rows'].map((table) => [
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
      await checkBeside(before, people)
      const content = contentOf(kiroku)
      const from = before.profiles[before.mover]
      const to = from === 'private' ? 'members' : 'private'
      const after = { ...before, profiles: { ...before.profiles, [before.mover]: to } }
      await moveAndKill(kiroku, before, to)
      await checkMoving(before, after, await readAll(before, people))
      await finishMoves(kiroku.deps)
      expect(await readAll(after, people)).toEqual(expectedOf(after))
      await checkBeside(after, people)
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
