import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { beginDeletion, finishDeletion } from '../../src/accounts/account/deletion'
import { findDrift } from '../../src/catalogue/counters/recount'
import { deleteRecord, editRecord } from '../../src/library/acts/own-record-acts'
import { recordEpisode, recordUpTo, skipEpisode } from '../../src/library/acts/record-acts'
import { undo } from '../../src/library/acts/undo'
import { deleteViewing, logViewing } from '../../src/library/acts/viewing-acts'
import { addNextEpisode, chooseStatus, startLap, writeNote } from '../../src/library/acts/work-acts'
import type { UndoRefused } from '../../src/library/undo/undo-changes'
import { contentOf, refusal } from '../support/acts'
import { rowsOf } from '../support/counted'
import { createInstance, type Instance, idsOf } from '../support/instance'
import { type Person, personOf } from '../support/people'
import { seedLibrary } from '../support/seed-library'

let kiroku: Instance
let ritsu: Person
const mio = 1
beforeEach(async () => {
  kiroku = await createInstance({ seed: seedLibrary })
  ritsu = await personOf(kiroku, 'Ritsu_T')
})
afterEach(async () => {
  expect(findDrift(kiroku.store.handle)).toEqual([])
  await kiroku.close()
})

const rows = (table: string) => rowsOf(kiroku.store.handle, table)
const undoes = (actId: number, user = mio) => undo(kiroku.deps, user, { actId })
const content = () => contentOf(kiroku.store.handle)
const changed = 'act_id must be an act that can be undone: what it changed was changed since.'
const used = 'act_id must be an act that can be undone: what it made is in use.'

describe('an undo is refused', () => {
  test('for somebody else’s act, an unknown one, and one older than 30 days', async () => {
    const { id } = await recordEpisode(kiroku.deps, mio, { episodeId: 2 })
    for (const [act, user] of [
      [id, 2],
      [id + 1, mio],
    ] as const)
      expect(await refusal(undoes(act, user))).toBe('The act does not exist.')
    kiroku.clock.now += 30 * 86_400_000 + 1
    expect(await refusal(undoes(id))).toBe(
      'act_id must be an act that can be undone: this one is older than 30 days.',
    )
    expect(rows('records').at(-1)).toMatchObject({ episode_id: 2 })
  })

  test('if the row has changed since, until that is undone', async () => {
    const first = await chooseStatus(kiroku.deps, mio, { workId: 2, kind: 'watching' })
    const second = await chooseStatus(kiroku.deps, mio, { workId: 2, kind: 'on_hold' })
    const before = content()
    expect(await refusal(undoes(first.id))).toBe(changed)
    expect(await undoes(first.id).catch((cause: UndoRefused) => cause.problem)).toBe('changed')
    expect(content()).toEqual(before)
    for (const { id } of [second, first]) await undoes(id)
    expect(rows('statuses')).toContainEqual(expect.objectContaining({ work_id: 2, kind: 'wanna_watch' }))
  })

  test('for an edit that was edited again, and for a record that was deleted since', async () => {
    const made = await recordEpisode(kiroku.deps, mio, { episodeId: 2 })
    const recordId = rows('records').at(-1)?.id
    const edited = await editRecord(kiroku.deps, mio, { recordId, comment: '一' })
    await editRecord(kiroku.deps, mio, { recordId, comment: '二' })
    expect(await refusal(undoes(edited.id))).toBe(changed)
    const gone = await deleteRecord(kiroku.deps, mio, { recordId })
    expect(await refusal(undoes(made.id))).toBe(changed)
    await undoes(gone.id)
    expect(rows('records').at(-1)).toMatchObject({ id: recordId, comment: '二', is_modified: 1 })
    await undoes(made.id)
    expect(rows('records').some(({ id }) => id === recordId)).toBe(false)
  })

  test('for a lap with a record (D63), and for a note that was written again', async () => {
    const lap = await startLap(kiroku.deps, mio, { workId: 1 })
    const skip = await skipEpisode(kiroku.deps, mio, { episodeId: 4 })
    expect(await refusal(undoes(lap.id))).toBe(used)
    await undoes(skip.id)
    const record = await recordEpisode(kiroku.deps, mio, { episodeId: 4 })
    expect(await refusal(undoes(lap.id))).toBe(used)
    await undoes(record.id)
    await undoes(lap.id)
    expect(rows('laps')).toEqual([])
    const note = await writeNote(kiroku.deps, mio, { workId: 1, text: '一' })
    await writeNote(kiroku.deps, mio, { workId: 1, text: '二' })
    expect(await refusal(undoes(note.id))).toBe(changed)
  })

  test('for an added episode that is recorded, broadcast or followed by another (D62)', async () => {
    const act = await addNextEpisode(kiroku.deps, mio, { workId: 10 })
    const episode_id = act.episodeId ?? 0
    const { id } = await ritsu.done('POST', '/v1/me/records', { episode_id })
    expect(await refusal(undoes(act.id))).toBe(used)
    const next = await addNextEpisode(kiroku.deps, mio, { workId: 10 })
    await ritsu.done('DELETE', `/v1/me/records/${id}`)
    expect(await refusal(undoes(act.id))).toBe(used)
    await undoes(next.id)
    kiroku.store.handle.run(`insert into programs (id, channel_id, work_id, episode_id, started_at, source_id)
      values (99, 1, 10, ${episode_id}, 0, 1)`)
    expect(await refusal(undoes(act.id))).toBe(used)
    kiroku.store.handle.run('delete from programs where id = 99')
    await undoes(act.id)
    expect(rows('episodes').some((episode) => episode.id === episode_id)).toBe(false)
  })
})

test('undoing twice changes nothing more, and says so', async () => {
  const before = content()
  const { id } = await recordEpisode(kiroku.deps, mio, { episodeId: 2 })
  expect(await undoes(id)).toMatchObject({ id, undoneAt: kiroku.clock.now, wasUndone: false })
  kiroku.clock.now += 1000
  expect(await undoes(id)).toMatchObject({ undoneAt: kiroku.clock.now - 1000, wasUndone: true })
  expect(content()).toEqual(before)
})

test('a new record is deleted together with likes and later edits', async () => {
  const { id } = await recordEpisode(kiroku.deps, mio, { episodeId: 2 })
  const recordId = rows('records').at(-1)?.id
  await editRecord(kiroku.deps, mio, { recordId, comment: 'よかった' })
  await ritsu.done('POST', '/v1/me/likes', { record_id: recordId })
  const others = rows('notifications').length
  await undoes(id)
  expect(rows('records').some((record) => record.id === recordId)).toBe(false)
  expect(rows('likes').some((like) => like.record_id === recordId)).toBe(false)
  expect(rows('notifications')).toHaveLength(others - 1)
})

test('a deleted record comes back with its likes, notifications and activities (D42)', async () => {
  await ritsu.done('POST', '/v1/me/likes', { record_id: 1 })
  const before = content()
  expect(rows('likes').some(({ record_id }) => record_id === 1)).toBe(true)
  const { id } = await deleteRecord(kiroku.deps, mio, { recordId: 1 })
  expect(rows('likes').some(({ record_id }) => record_id === 1)).toBe(false)
  await undoes(id)
  expect(content()).toEqual(before)
})

test('but without the likes of accounts deleted since', async () => {
  const { id } = await deleteRecord(kiroku.deps, mio, { recordId: 1 })
  await beginDeletion(kiroku.deps, { userId: 2, keepsComments: true })
  await finishDeletion(kiroku.deps, 2)
  await undoes(id)
  expect(rows('records').find((record) => record.id === 1)).toMatchObject({ likes_count: 0 })
  expect(kiroku.store.handle.query('pragma foreign_key_check').all()).toEqual([])
})

test('records of one activity that were deleted one by one return to it, in any order', async () => {
  await recordUpTo(kiroku.deps, mio, { episodeId: 2 })
  const before = content()
  const [one, other] = rows('records')
    .slice(-2)
    .map(({ id }) => id)
  const deletions = []
  for (const recordId of [one, other]) deletions.push(await deleteRecord(kiroku.deps, mio, { recordId }))
  expect(
    rows('activities').some(({ action, user_id }) => action.includes('multiple') && user_id === mio),
  ).toBe(false)
  for (const { id } of deletions) await undoes(id)
  expect(content()).toEqual(before)
})

test('the status that a record set is removed with it, even if something else was done in between', async () => {
  kiroku.store.handle.run('delete from statuses where user_id = 1')
  const { id } = await recordEpisode(kiroku.deps, mio, { episodeId: 6 })
  await recordEpisode(kiroku.deps, mio, { episodeId: 1 })
  await writeNote(kiroku.deps, mio, { workId: 2, text: '内緒' })
  await undoes(id)
  expect(rows('statuses').filter(({ user_id }) => user_id === mio)).toMatchObject([{ work_id: 1 }])
})

test('but stays while later records depend on it, or after it was changed', async () => {
  kiroku.store.handle.run('delete from statuses where user_id = 1')
  const status = () => rows('statuses').find(({ user_id, work_id }) => user_id === mio && work_id === 2)?.kind
  const first = await recordEpisode(kiroku.deps, mio, { episodeId: 6 })
  await recordEpisode(kiroku.deps, mio, { episodeId: 6 })
  await undoes(first.id)
  expect([status(), rows('records').length]).toEqual(['watching', 7])
  kiroku.store.handle.run('delete from statuses where user_id = 1')
  const third = await recordEpisode(kiroku.deps, mio, { episodeId: 6 })
  await (await personOf(kiroku, 'mio')).done('POST', '/v1/me/statuses', { work_id: 2, kind: 'on_hold' })
  await undoes(third.id)
  expect([status(), rows('records').length]).toEqual(['on_hold', 7])
})

describe('a cached feed', () => {
  const feed = async () => idsOf(await ritsu.json('/v1/me/following_activities?per_page=50'))

  test.each([-2, -1])('shows an activity that came back, in its place (record %i)', async (place) => {
    for (const episodeId of [3, 2]) await recordEpisode(kiroku.deps, mio, { episodeId })
    const recordId = rows('records').at(place)?.id
    const before = await feed()
    const { id } = await deleteRecord(kiroku.deps, mio, { recordId })
    expect(await feed()).toHaveLength(before.length - 1)
    await undoes(id)
    expect(await feed()).toEqual(before)
    const again = await deleteRecord(kiroku.deps, mio, { recordId })
    await undoes(again.id)
    expect(await feed()).toEqual(before)
  })

  test('does not show one of somebody who is not followed', async () => {
    const before = await feed()
    const { id } = await deleteRecord(kiroku.deps, 4, { recordId: 6 })
    await undoes(id, 4)
    expect(await feed()).toEqual(before)
  })
})

test('a deleted viewing comes back, and no old rendering of it is used', async () => {
  await logViewing(kiroku.deps, mio, { workId: 3, body: '雨' })
  const { id: reviewId, version } = rows('reviews').at(-1) ?? {}
  const { id } = await deleteViewing(kiroku.deps, mio, { reviewId })
  await undoes(id)
  expect(rows('reviews').at(-1)).toMatchObject({ id: reviewId, body: '雨' })
  expect(rows('reviews').at(-1)?.version).toBeGreaterThan(version)
})
