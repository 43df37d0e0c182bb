import { afterEach, beforeEach, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Act } from '../../src/library/acts/act'
import { chooseStatuses } from '../../src/library/acts/bulk-status'
import { deleteRecord, editRecord } from '../../src/library/acts/own-record-acts'
import { recordPast } from '../../src/library/acts/past-act'
import { rateWork } from '../../src/library/acts/rating-act'
import { recordEpisode, recordUpTo, skipEpisode } from '../../src/library/acts/record-acts'
import { undo } from '../../src/library/acts/undo'
import { logViewing } from '../../src/library/acts/viewing-acts'
import { addNextEpisode, chooseStatus, startLap, writeNote } from '../../src/library/acts/work-acts'
import { UndoRefused } from '../../src/library/undo/undo-changes'
import { undoWritten } from '../../src/library/undo/undo-written'
import { contentOf, refusal } from '../support/acts'
import { rowsOf } from '../support/counted'
import { createInstance, type Instance } from '../support/instance'
import { personOf } from '../support/people'
import { seedLibrary } from '../support/seed-library'

const never = { watched_at: 0, watched_at_precision: 'none' } as const

let kiroku: Instance
const mio = 1
beforeEach(async () => {
  kiroku = await createInstance({ seed: seedLibrary })
})
afterEach(() => kiroku.close())

const rows = (table: string) => rowsOf(kiroku.store.handle, table)
const undoes = (actId: number) => undo(kiroku.deps, mio, { actId })
const content = () => contentOf(kiroku.store.handle)

test('the status that a record set goes with the last record that depends on it, in any order of undos', async () => {
  kiroku.store.handle.run('delete from statuses where user_id = 1 and work_id = 2')
  const start = content()
  const a = await chooseStatus(kiroku.deps, mio, { workId: 2, kind: 'wanna_watch' })
  const wanted = content()
  const b = await recordEpisode(kiroku.deps, mio, { episodeId: 6 })
  const c = await recordEpisode(kiroku.deps, mio, { episodeId: 6 })
  await undoes(b.id)
  await undoes(c.id)
  expect(content()).toEqual(wanted)
  await undoes(a.id)
  expect(content()).toEqual(start)
})

test('a refused undo names the act to undo first, or what an application wrote', async () => {
  const blocker = (id: number) =>
    undoes(id).then(
      () => 'undone',
      (cause: UndoRefused) => cause.blockedBy?.id,
    )
  kiroku.store.handle.run('delete from statuses where user_id = 1 and work_id = 2')
  const plan = await chooseStatus(kiroku.deps, mio, { workId: 2, kind: 'wanna_watch' })
  const record = await recordEpisode(kiroku.deps, mio, { episodeId: 6 })
  await writeNote(kiroku.deps, mio, { workId: 2, text: '内緒' })
  expect(await blocker(plan.id)).toBe(record.id)
  await undoes(record.id)
  expect(await blocker(plan.id)).toBe('undone')
  const lap = await startLap(kiroku.deps, mio, { workId: 1 })
  const skip = await skipEpisode(kiroku.deps, mio, { episodeId: 4 })
  expect(await blocker(lap.id)).toBe(skip.id)
  const hold = await chooseStatus(kiroku.deps, mio, { workId: 2, kind: 'on_hold' })
  await (await personOf(kiroku, 'mio')).done('POST', '/v1/me/statuses', { work_id: 2, kind: 'watched' })
  kiroku.store.handle.run('delete from acts where id > ?', [hold.id])
  expect(await blocker(hold.id)).toBe(Number(rows('activities').at(-1)?.id))
})

test('what changes nothing is no act: a status that is set already, an episode that is still to be recorded', async () => {
  await chooseStatus(kiroku.deps, mio, { workId: 2, kind: 'on_hold' })
  await addNextEpisode(kiroku.deps, mio, { workId: 10 })
  const before = content()
  const acts = rows('acts')
  for (const nothing of [
    chooseStatus(kiroku.deps, mio, { workId: 2, kind: 'on_hold' }),
    addNextEpisode(kiroku.deps, mio, { workId: 10 }),
  ])
    expect(await refusal(nothing)).toBe('This would change nothing.')
  expect([rows('acts'), content()]).toEqual([acts, before])
})

test('an undo of several records is refused while the deletion of one of them stands', async () => {
  const start = content()
  const both = await recordUpTo(kiroku.deps, mio, { episodeId: 2 })
  const recordId = rows('records').at(-1)?.id
  const deletion = await deleteRecord(kiroku.deps, mio, { recordId })
  const failure = await undoes(both.id).catch((cause: UndoRefused) => cause.blockedBy?.id)
  expect(failure).toBe(deletion.id)
  for (const { id } of [deletion, both]) await undoes(id)
  expect(content()).toEqual(start)
})

test('an undo of a bulk status is refused while a later status stands, though an earlier one of the work was undone', async () => {
  const { deps, clock } = kiroku
  await addNextEpisode(deps, mio, { workId: 10 })
  const start = content()
  const watched = () => {
    clock.now += 1000
    return chooseStatus(deps, mio, { workId: 10, kind: 'watched' })
  }
  await undoes((await watched()).id)
  const first = await watched()
  clock.now += 1000
  const bulk = await chooseStatuses(deps, mio, { workIds: [10, 2], kind: 'watching' })
  clock.now += 1000
  const past = (await recordPast(deps, mio, { workIds: [10], when: never })).act
  expect(await undoes(bulk.id).catch((cause: UndoRefused) => cause.blockedBy)).toEqual({
    what: 'act',
    id: past.id,
  })
  for (const { id } of [past, bulk, first]) await undoes(id)
  expect(content()).toEqual(start)
})

/** An act whose status an undo had to leave, as the same was done again; returns what was done again. */
async function leaveStatus(doing: () => Promise<Act>) {
  const first = await doing()
  kiroku.clock.now += 1000
  const last = await doing()
  await undoes(first.id)
  kiroku.clock.now += 1000
  return last
}

test('what an undo left is not undone with something else, whatever applications write: an activity about a status', async () => {
  kiroku.store.handle.run('delete from statuses where user_id = 1 and work_id = 2')
  const record = () => recordEpisode(kiroku.deps, mio, { episodeId: 6 })
  await leaveStatus(record)
  await (await personOf(kiroku, 'mio')).done('POST', '/v1/me/statuses', { work_id: 2, kind: 'on_hold' })
  const before = content()
  await undoes((await record()).id)
  expect(content()).toEqual(before)
})

test('what an undo left is not undone with something else, whatever applications delete: the status after a viewing', async () => {
  kiroku.store.handle.run('delete from statuses where user_id = 1 and work_id = 3')
  const view = () => logViewing(kiroku.deps, mio, { workId: 3 })
  await leaveStatus(view)
  const viewing = rows('reviews').at(-1)?.id
  await (await personOf(kiroku, 'mio')).done('DELETE', `/v1/me/reviews/${viewing}`, {})
  const before = content()
  await undoes((await view()).id)
  expect(content()).toEqual(before)
})

test('a refused undo of an application’s status names the act that keeps a status which an undo left (D122)', async () => {
  const start = content()
  await (await personOf(kiroku, 'mio')).done('POST', '/v1/me/statuses', { work_id: 2, kind: 'on_hold' })
  await (await personOf(kiroku, 'mio')).done('POST', '/v1/me/statuses', { work_id: 2, kind: 'wanna_watch' })
  const [first, second] = rows('activities').slice(-2)
  kiroku.clock.now += 1000
  const last = await leaveStatus(() => recordEpisode(kiroku.deps, mio, { episodeId: 6 }))
  const undoing = (activityId: number) => undoWritten(kiroku.deps, mio, { activityId })
  const refused = await undoing(second?.id ?? 0).catch((cause: UndoRefused) => cause.blockedBy)
  expect(refused).toEqual({ what: 'act', id: last.id })
  await undoes(last.id)
  for (const written of [second, first]) await undoing(written?.id ?? 0)
  expect(content()).toEqual(start)
})

test('a rating does not keep the status that a record set, even if the rating was removed again', async () => {
  kiroku.store.handle.run('delete from statuses where user_id = 1 and work_id = 2')
  const statuses = rows('statuses')
  const record = await recordEpisode(kiroku.deps, mio, { episodeId: 6 })
  for (const ratingState of ['good', null] as const)
    await rateWork(kiroku.deps, mio, { workId: 2, ratingState })
  await undoes(record.id)
  expect(rows('statuses')).toEqual(statuses)
})

test('an edit of a record can be undone after the record itself: nothing is left of either', async () => {
  const start = content()
  const made = await recordEpisode(kiroku.deps, mio, { episodeId: 2 })
  const edited = await editRecord(kiroku.deps, mio, { recordId: rows('records').at(-1)?.id, comment: '一' })
  for (const { id } of [made, edited]) await undoes(id)
  expect(content()).toEqual(start)
})

const status = fc.record({
  workId: fc.constantFrom(1, 2),
  kind: fc.constantFrom('wanna_watch' as const, 'watching' as const, 'watched' as const),
})
const doing = fc.oneof(
  fc.constantFrom(1, 2, 6).map((episodeId) => () => recordEpisode(kiroku.deps, mio, { episodeId })),
  fc
    .constantFrom(1, 2)
    .map(
      (workId) => async () => (await recordPast(kiroku.deps, mio, { workIds: [workId], when: never })).act,
    ),
  status.map((chosen) => () => chooseStatus(kiroku.deps, mio, chosen)),
)

/** Undoes it, and before it whatever is named as in the way. */
async function undoFirst(actId: number): Promise<void> {
  const failure = await undoes(actId).catch((cause: UndoRefused) => cause)
  if (!(failure instanceof UndoRefused)) return
  expect(failure.blockedBy?.id).toBeGreaterThan(actId)
  for (const id of [failure.blockedBy?.id ?? 0, actId]) await undoFirst(id)
}

test('records and statuses that are undone in any order leave everything as it was', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(doing, fc.nat()), { minLength: 3, maxLength: 10 }), async (doings) => {
      const before = content()
      const made: { readonly id: number; readonly place: number }[] = []
      for (const [act, place] of doings) {
        // Two changes of a status at the same moment could not be told apart.
        kiroku.clock.now += 1000
        const done = await act().catch(() => undefined)
        if (done !== undefined) made.push({ id: done.id, place })
      }
      for (const { id } of made.toSorted((one, other) => one.place - other.place)) await undoFirst(id)
      expect(content()).toEqual(before)
    }),
    { numRuns: 60 },
  )
})
