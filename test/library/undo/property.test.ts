import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { findDrift } from '../../../src/catalogue/counters/recount'
import { ApiError } from '../../../src/http/errors'
import { undo } from '../../../src/library/acts/undo'
import { statusKinds } from '../../../src/library/statuses'
import { UndoRefused } from '../../../src/library/undo/undo-changes'
import { undoWritten } from '../../../src/library/undo/undo-written'
import { listsOf } from '../../../src/transfer/batch/lists-of'
import { contentOf } from '../../support/acts'
import { anyAct } from '../../support/any-act'
import { type Row, rowsOf } from '../../support/counted'
import { createInstance } from '../../support/instance'
import { type Params, personOf } from '../../support/people'
import { seedLibrary } from '../../support/seed-library'
import { anyList, takeOver, undoWhole } from '../../transfer/batch/any-list'

const kiroku = await createInstance({ seed: seedLibrary })
const { deps } = kiroku
const { handle } = kiroku.store
const lists = listsOf(deps)
const mio = 1
const app = await personOf(kiroku, 'mio')
afterAll(async () => {
  await lists.close()
  await kiroku.close()
})

interface Done {
  readonly what: 'act' | 'import' | 'written'
  readonly id: number
}

const work = fc.constantFrom(1, 2, 3, 5, 10)
const dates = fc.constantFrom('', '2016', '2016-03')
const post = (path: string, params: fc.Arbitrary<Params>) => params.map((sent) => [path, sent] as const)

/** What an application can write that is in its user's history. */
const anyListedWrite = fc.oneof(
  post(
    '/v1/me/records',
    fc.record({ episode_id: fc.constantFrom(1, 2, 3, 4, 6), comment: fc.constantFrom('', '🍥') }),
  ),
  post('/v1/me/records/bulk', fc.record({ episode_ids: fc.subarray([1, 2, 3, 4, 6], { minLength: 1 }) })),
  post('/v1/me/reviews', fc.record({ work_id: work, body: fc.constant('本文') })),
  post('/v1/me/viewings', fc.record({ work_id: fc.constant(3) })),
  post(
    '/v1/me/statuses',
    fc.record(
      { work_id: work, kind: fc.constantFrom(...statusKinds), started_on: dates, finished_on: dates },
      { requiredKeys: ['work_id', 'kind'] },
    ),
  ),
)

const anything = fc.oneof(
  { weight: 5, arbitrary: fc.record({ act: anyAct(() => handle) }) },
  { weight: 1, arbitrary: fc.record({ list: anyList }) },
  { weight: 3, arbitrary: fc.record({ writes: anyListedWrite }) },
  { weight: 2, arbitrary: fc.record({ undoes: fc.nat(40) }) },
)

type Anything = typeof anything extends fc.Arbitrary<infer A> ? A : never

async function perform(one: Exclude<Anything, { undoes: number }>): Promise<readonly Done[]> {
  if ('list' in one) return [{ what: 'import', id: await takeOver(lists, mio, one.list) }]
  if ('writes' in one) return await write(...one.writes)
  try {
    return [{ what: 'act', id: (await one.act(deps, mio)).id }]
  } catch (cause) {
    if (cause instanceof ApiError) return []
    throw cause
  }
}

/** A bulk call writes once for each work. Dates of the status that a work has already are not in the history (D36). */
async function write(path: string, { started_on, finished_on, ...rest }: Params): Promise<readonly Done[]> {
  const hasKind = ({ user_id, work_id, kind }: Row) =>
    user_id === mio && work_id === rest.work_id && kind === rest.kind
  const params = rowsOf(handle, 'statuses').some(hasKind) ? rest : { ...rest, started_on, finished_on }
  const last = rowsOf(handle, 'activities').at(-1)?.id ?? 0
  expect((await app.send('POST', path, params)).status).toBeLessThan(500)
  return rowsOf(handle, 'activities')
    .filter(({ id, token_id }) => id > last && token_id !== null)
    .map(({ id }) => ({ what: 'written', id }))
}

/** Undoes it, and before it whatever is named as in the way. */
async function undoFirst({ what, id }: Done): Promise<void> {
  if (what === 'import') return await undoWhole(lists, mio, id)
  // What an act deleted is not there until that is undone.
  if (what === 'written' && !rowsOf(handle, 'activities').some((told) => told.id === id)) return
  const undoing = what === 'act' ? undo(deps, mio, { actId: id }) : undoWritten(deps, mio, { activityId: id })
  const refused = await undoing.catch((cause: unknown) => cause)
  if (!(refused instanceof Error)) return
  if (!(refused instanceof UndoRefused) || refused.blockedBy === undefined) throw refused
  for (const one of [refused.blockedBy, { what, id }]) await undoFirst(one)
}

const content = () => ({
  ...contentOf(handle),
  // That an import ended is told, and stays so when it is undone.
  notifications: contentOf(handle).notifications?.filter((row) => !row.includes('"kind":"import"')) ?? [],
  library_entries: rowsOf(handle, 'library_entries')
    .map(({ id, ...row }) => JSON.stringify(row))
    .sort(),
})

const differences = (before: ReturnType<typeof content>, after: ReturnType<typeof content>): string[] =>
  Object.entries(before).flatMap(([table, rows]) => {
    const [was, is] = [new Set(rows), new Set(after[table as keyof typeof after])]
    return [
      ...[...was.difference(is)].map((row) => `${table} lacks ${row}`),
      ...[...is.difference(was)].map((row) => `${table} still has ${row}`),
    ]
  })

/** Two changes of a status at the same moment could not be told apart. */
const pass = () => (kiroku.clock.now += 1000)

const inAnyOrder = fc.asyncProperty(
  fc.array(anything, { minLength: 4, maxLength: 30 }),
  fc.infiniteStream(fc.nat()),
  async (steps, places) => {
    const before = content()
    const [done, written]: [Done[], Done[]] = [[], []]
    const undoOne = async (place: number) => {
      const [one] = done.splice(place % Math.max(1, done.length), 1)
      pass()
      if (one !== undefined) await undoFirst(one)
    }
    for (const one of steps) {
      pass()
      if ('undoes' in one) await undoOne(one.undoes)
      else {
        const made = await perform(one)
        done.push(...made)
        written.push(...made.filter(({ what }) => what === 'written'))
      }
    }
    while (done.length > 0) await undoOne(Number(places.next().value))
    for (const one of written) await undoFirst(one)
    expect(differences(before, content())).toEqual([])
    expect(rowsOf(handle, 'changes')).toEqual([])
    expect(findDrift(handle)).toEqual([])
    handle.run('delete from list_imports')
  },
)

const runs = Number(Bun.env.UNDO_RUNS ?? 60)

test(
  'acts, imports and what applications wrote, undone in any order, leave everything as it was (D122)',
  async () => {
    const seed = Bun.env.UNDO_SEED === undefined ? {} : { seed: Number(Bun.env.UNDO_SEED) }
    await fc.assert(inAnyOrder, { numRuns: runs, endOnFailure: true, ...seed })
  },
  runs * 2000,
)
