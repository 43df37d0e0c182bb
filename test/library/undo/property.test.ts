import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { findDrift } from '../../../src/catalogue/counters/recount'
import { ApiError } from '../../../src/http/errors'
import { undo } from '../../../src/library/acts/undo'
import { UndoRefused } from '../../../src/library/undo/undo-changes'
import { listsOf } from '../../../src/transfer/batch/lists-of'
import { contentOf } from '../../support/acts'
import { anyAct } from '../../support/any-act'
import { rowsOf } from '../../support/counted'
import { createInstance } from '../../support/instance'
import { seedLibrary } from '../../support/seed-library'
import { anyList, takeOver, undoWhole } from '../../transfer/batch/any-list'

const kiroku = await createInstance({ seed: seedLibrary })
const { deps } = kiroku
const { handle } = kiroku.store
const lists = listsOf(deps)
const mio = 1
afterAll(async () => {
  await lists.close()
  await kiroku.close()
})

interface Done {
  readonly what: 'act' | 'import'
  readonly id: number
}

const anything = fc.oneof(
  { weight: 5, arbitrary: fc.record({ act: anyAct(() => handle) }) },
  { weight: 1, arbitrary: fc.record({ list: anyList }) },
  { weight: 2, arbitrary: fc.record({ undoes: fc.nat(40) }) },
)

type Anything = typeof anything extends fc.Arbitrary<infer A> ? A : never

async function perform(one: Exclude<Anything, { undoes: number }>): Promise<Done | undefined> {
  if ('list' in one) return { what: 'import', id: await takeOver(lists, mio, one.list) }
  try {
    return { what: 'act', id: (await one.act(deps, mio)).id }
  } catch (cause) {
    if (cause instanceof ApiError) return undefined
    throw cause
  }
}

/** Undoes it, and before it whatever is named as in the way. */
async function undoFirst({ what, id }: Done): Promise<void> {
  if (what === 'import') return await undoWhole(lists, mio, id)
  const refused = await undo(deps, mio, { actId: id }).catch((cause: unknown) => cause)
  if (!(refused instanceof Error)) return
  if (!(refused instanceof UndoRefused) || refused.blockedBy === undefined) throw refused
  for (const one of [refused.blockedBy, { what, id }]) await undoFirst(one)
}

const content = () => ({
  ...contentOf(handle),
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
    const done: Done[] = []
    const undoOne = async (place: number) => {
      const [one] = done.splice(place % Math.max(1, done.length), 1)
      pass()
      if (one !== undefined) await undoFirst(one)
    }
    for (const one of steps) {
      pass()
      if ('undoes' in one) await undoOne(one.undoes)
      else done.push(...[await perform(one)].filter((made) => made !== undefined))
    }
    while (done.length > 0) await undoOne(Number(places.next().value))
    expect(differences(before, content())).toEqual([])
    expect(rowsOf(handle, 'changes')).toEqual([])
    expect(findDrift(handle)).toEqual([])
    handle.run('delete from list_imports')
  },
)

test('acts and imports that are undone in any order leave everything as it was (D122)', async () => {
  const seed = Bun.env.UNDO_SEED === undefined ? {} : { seed: Number(Bun.env.UNDO_SEED) }
  await fc.assert(inAnyOrder, { numRuns: Number(Bun.env.UNDO_RUNS ?? 60), endOnFailure: true, ...seed })
}, 120_000)
