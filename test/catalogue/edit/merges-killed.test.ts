import { expect, test } from 'bun:test'
import { findDrift } from '../../../src/catalogue/counters/recount'
import { mergeSteps } from '../../../src/catalogue/edit/run-merges'
import { store, two, users, useTwoWorks } from '../../support/two-works'

useTwoWorks()

/** Runs pieces of one step each and stops after some, as a kill does. Returns whether that was before the end. */
function stopAfter(steps: number): boolean {
  const open = store.rows<{ change_id: number }>(
    "select change_id from catalogue_merges where state in ('moving', 'parting')",
  )
  for (const { change_id } of open) {
    const work = mergeSteps(store.handle, change_id, { isOver: () => true, now: () => two.clock })
    for (let n = 0; n < steps; n++) {
      const isDone = store.handle.transaction(() => work.next().done)()
      if (isDone === true) return false
    }
  }
  return true
}

test('D97 a merge and its undo that are killed at any of their first 20 steps are completed', async () => {
  const { handle } = store
  for (const of of [1, 2]) {
    handle.run(`insert into reviews (user_id, work_id, body, created_at) values (3, ${of}, 'b', 1)`)
    handle.run(`insert into notes (user_id, work_id, text, updated_at) values (3, ${of}, 'n${of}', 1)`)
    handle.run(`insert into favorites (user_id, work_id, position, created_at) values (3, ${of}, 1, 1)`)
    handle.run(`insert into laps (user_id, work_id, number, started_at) values (3, ${of}, 2, 1)`)
    handle.run(`insert into activities (user_id, work_id, action, status_kind, created_at)
      values (3, ${of}, 'create_status', 'watching', 1)`)
  }
  handle.run(`insert into meetings (user_id, work_id, begins_at, location, body, is_open, created_at, changed_at)
    values (3, 2, 0, '', '', 1, 0, 0)`)
  handle.run(`insert into images (kind, hash, work_id, user_id, origin, width, height, placeholder, created_at)
    values ('cover', '${'a'.repeat(32)}', 2, 3, 'upload', 1, 1, '', 0)`)
  handle.run("insert into cover_fetches (work_id, asked_at, outcome) values (2, 0, 'none')")
  handle.run(`insert into own_slots (user_id, work_id, weekday, minute, time_zone, begins_on, first_episode, changed_at)
    values (3, 2, 1, 1, 'Asia/Tokyo', '2024-01-01', 1, 0)`)
  for (const user of users)
    handle.run(`insert into skips (user_id, episode_id, lap, created_at) values (${user}, 22, 1, 1)`)
  const before = two.rows()
  await two.undone(await two.merged())
  const change = await two.merged()
  const whole = two.rows()
  await two.undone(change)
  let killed = 0
  for (let steps = 1; steps <= 20; steps++) {
    const next = await two.begin()
    if (stopAfter(steps)) killed++
    expect(findDrift(store.handle)).toEqual([])
    await two.run()
    expect(two.rows()).toEqual(whole)
    await two.undo(next)
    if (stopAfter(steps)) killed++
    expect(findDrift(store.handle)).toEqual([])
    await two.run()
    expect(two.rows()).toEqual(before)
  }
  expect(killed).toBe(40)
}, 120_000)
