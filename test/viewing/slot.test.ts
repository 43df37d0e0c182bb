import { afterAll, beforeEach, expect, test } from 'bun:test'
import { contentOf } from '../support/acts'
import { rowsOf } from '../support/counted'
import { createInstance } from '../support/instance'
import { createProgrammes } from '../support/showings'
import { createMember, createVisitor, hiddenInputs } from '../support/visitor'

const kiroku = await createInstance()
const { handle } = kiroku.store
const made = createProgrammes(handle)
const mio = await createMember(kiroku, 'mio')
const work = 500
const path = `/works/${work}/slot`
afterAll(kiroku.close)
made.work(work)
made.episodes(work, 12)
made.channel(101, '選んだ局')
beforeEach(() => {
  for (const table of ['own_slots', 'acts', 'records', 'programs']) handle.run(`delete from ${table}`)
})

const slots = () => rowsOf(handle, 'own_slots')

/** Presses a button of the page, after filling in the form; returns the page with what was done. */
async function press(action: string, values: Record<string, string> = {}) {
  const { text } = await mio.open(`${path}?return_to=/works/${work}`)
  return await mio.post(action, { ...hiddenInputs(text, action), ...values })
}

const set = (values: Record<string, string> = {}) =>
  press('/calendar/slot', {
    weekday: '5',
    time: '25:30',
    first_episode: '3',
    begins_on: '2026-04-01',
    ...values,
  })

test('a time is set from the work’s menu, told in a message, and undone (D80)', async () => {
  expect((await mio.open(`/works/${work}`)).text).toContain(
    `href="${path}?return_to=/works/${work}" data-dialog`,
  )
  const before = contentOf(handle)
  const done = await mio.follow((await set({ channel_id: '101', every_weeks: '2' })).location)
  expect(done.text).toContain('Changed your broadcast time of 作品500')
  expect(slots()).toMatchObject([
    {
      ...{ user_id: 1, work_id: work, weekday: 5, minute: 1530, time_zone: 'Asia/Tokyo', every_weeks: 2 },
      ...{ begins_on: '2026-04-03', first_episode: 3, channel_id: 101, skipped: '[]', ended_at: null },
    },
  ])
  const [, act = ''] = /name="act_id" value="([0-9]+)"/.exec(done.text) ?? []
  await mio.post('/undo', { ...hiddenInputs(done.text, '/undo'), act_id: act })
  expect(contentOf(handle)).toEqual(before)
})

test('the page shows the time that stands, moves it by a week and ends it', async () => {
  await set()
  const { text } = await mio.open(path)
  expect(text).toContain('From episode 3: every Friday at 25:30, up to episode 12.')
  expect(text).toMatch(/value="5" checked[\s\S]+name="time" value="25:30"/)
  await press('/calendar/slot/shift')
  expect(slots()).toMatchObject([{ skipped: '["2026-04-03"]' }])
  await press('/calendar/slot/end')
  expect(slots()).toMatchObject([{ ended_at: kiroku.clock.now }])
  expect((await mio.open(path)).text).not.toContain('/calendar/slot/end')
})

test('what is wrong is said, and what was typed stays', async () => {
  const { status, text } = await set({ time: '31:00', begins_on: '2026-04-20' })
  expect(status).toBe(422)
  expect(text).toContain('must be a time such as 23:00, or up to 29:59')
  expect(text).toMatch(/name="time" value="31:00"[\s\S]+name="begins_on" value="2026-04-20"/)
  expect(slots()).toEqual([])
})

test('three records in a row propose their day and hour', async () => {
  for (const n of [1, 2, 3]) made.record(1, work, n, Date.UTC(2026, 2, 5 + 7 * n, 14, 5))
  const { text } = await mio.open(path)
  // UTC, while the browser's zone is unknown.
  expect(text).toContain('You usually watch it on Thu, about 14:00')
  expect(text).toMatch(
    /value="4" checked[\s\S]+name="time" value="14:00"[\s\S]+name="first_episode" value="4"/,
  )
})

test('a listed time is named, as it holds', async () => {
  made.program(work, 1, kiroku.clock.now + 3_600_000)
  expect((await mio.open(path)).text).toContain('Episode 1 is listed for Wed 1 Apr, 13:00')
})

test('members only, works that are there only, and an account’s own only', async () => {
  expect((await createVisitor(kiroku).open(path)).status).toBe(303)
  expect((await mio.open('/works/9/slot')).status).toBe(404)
  const azusa = await createMember(kiroku, 'azusa')
  await set()
  expect((await azusa.open(path)).text).not.toContain('25:30"')
})
