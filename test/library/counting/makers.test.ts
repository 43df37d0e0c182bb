import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import fc from 'fast-check'
import { makersOf, studiosOf } from '../../../src/library/counting/makers'
import { createInstance, type Instance } from '../../support/instance'

let kiroku: Instance
beforeAll(async () => {
  kiroku = await createInstance()
})
afterAll(() => kiroku.close())

const run = (sql: string, ...values: (string | number | null)[]) => kiroku.store.handle.run(sql, values)
const works = [1, 2, 3]

type Staff = readonly [work: number, maker: number, role: string, hidden: number]
type Cast = readonly [work: number, person: number, character: number, hidden: number]
const [work, few, hidden] = [fc.constantFrom(...works), fc.constantFrom(1, 2), fc.constantFrom(0, 0, 0, 1)]
const credits = fc.record({
  staffs: fc.array(fc.tuple(work, few, fc.constantFrom('studio', 'director', 'music'), hidden)),
  casts: fc.array(fc.tuple(work, few, few, hidden)),
})

function store({ staffs, casts }: { staffs: readonly Staff[]; casts: readonly Cast[] }): void {
  run('delete from staffs')
  run('delete from casts')
  for (const [id, maker, role, hidden] of staffs)
    run(
      `insert into staffs (work_id, ${role === 'studio' ? 'organization_id' : 'person_id'}, name, role, hidden, source_id)
        values (?, ?, 'x', ?, ?, (select min(id) from sources))`,
      ...[id, maker, role, hidden],
    )
  for (const [id, person, character, hidden] of casts)
    run(
      `insert into casts (work_id, person_id, character_id, name, hidden, source_id)
        values (?, ?, ?, 'x', ?, (select min(id) from sources))`,
      ...[id, person, character, hidden],
    )
}

/** By reading them one after another. */
function counted(some: readonly (readonly [work: number, maker: number])[]) {
  const pairs = [...new Set(some.map((one) => one.join(' ')))].map((one) => one.split(' ').map(Number))
  const makers = [1, 2]
    .map((id) => ({ id, works: pairs.filter(([, maker]) => maker === id).length }))
    .filter((maker) => maker.works > 0)
    .sort((one, other) => other.works - one.works || one.id - other.id)
  return { makers, known: new Set(pairs.map(([work]) => work)).size }
}

test('who made works counts once for each, whatever roles or characters somebody has in it (D90)', async () => {
  await fc.assert(
    fc.asyncProperty(credits, async (some) => {
      store(some)
      const shown = some.staffs.filter(([, , , hidden]) => hidden === 0)
      const asked = [1, 2]
      const of = (list: readonly (readonly [number, number, ...unknown[]])[]) =>
        counted(list.filter(([id]) => asked.includes(id)).map(([id, maker]) => [id, maker]))
      const found = await makersOf(kiroku.deps.read, asked)
      const ids = found.map(({ makers, known }) => ({
        makers: makers.map(({ id, works }) => ({ id, works })),
        known,
      }))
      expect(ids).toEqual([
        of(shown.filter(([, , role]) => role === 'studio')),
        of(shown.filter(([, , role]) => role !== 'studio')),
        of(some.casts.filter(([, , , hidden]) => hidden === 0)),
      ])
      expect([await studiosOf(kiroku.deps.read, asked)]).toEqual(found.slice(0, 1))
    }),
    { numRuns: 40 },
  )
})

test('at most ten, and of those with as many works the earliest', async () => {
  store({ staffs: [], casts: [] })
  for (let at = 0; at < 12; at += 1)
    run(`insert into people (name, source_id) values ('p${at}', (select min(id) from sources))`)
  const people = kiroku.store.handle
    .query<{ id: number }, []>('select id from people order by id desc limit 12')
    .all()
    .map(({ id }) => id)
  const last = people[0] ?? 0
  const casts = [...people.map((id): Cast => [1, id, 1, 0]), [2, last, 1, 0] as const]
  store({ staffs: [], casts })
  const [, , voices] = await makersOf(kiroku.deps.read, works)
  expect(voices?.makers.map(({ id }) => id)).toEqual([last, ...people.toReversed().slice(0, 9)])
  expect(voices?.known).toBe(2)
})

test('they are read from indexes alone: each row would cost twice as much', async () => {
  const prepare = spyOn(Database.prototype, 'prepare')
  const fresh = await createInstance()
  await makersOf(fresh.deps.read, works)
  const statements = new Set(prepare.mock.calls.map(([sql]) => sql).filter((sql) => /as maker/.test(sql)))
  prepare.mockRestore()
  const steps = [...statements].flatMap((sql) =>
    fresh.store.handle.query<{ detail: string }, []>(`explain query plan ${sql}`).all(),
  )
  await fresh.close()
  expect(steps.map(({ detail }) => detail).filter((step) => /staffs|casts/.test(step))).toEqual([
    'SEARCH staffs USING COVERING INDEX staffs_work_all (work_id=?)',
    'SEARCH casts USING COVERING INDEX casts_work_all (work_id=?)',
  ])
})
