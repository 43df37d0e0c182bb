import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { UndoRefused } from '../../src/library/acts/act'
import { recordEpisode, skipEpisode } from '../../src/library/acts/record-acts'
import { undo } from '../../src/library/acts/undo'
import { addNextEpisode, chooseStatus, startLap, writeNote } from '../../src/library/acts/work-acts'
import { contentOf, refusal } from '../support/acts'
import { rowsOf } from '../support/counted'
import { createInstance, type Instance } from '../support/instance'
import { personOf } from '../support/people'
import { seedLibrary } from '../support/seed-library'

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

test('a refused undo names the act to undo first, unless an application changed the row', async () => {
  const blocker = (id: number) =>
    undoes(id).then(
      () => 'undone',
      (cause: UndoRefused) => cause.blockedBy,
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
  expect(await blocker(hold.id)).toBeUndefined()
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
