import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { createInstance, type Instance } from '../../support/instance'
import { createMember, createVisitor, type Visitor } from '../../support/visitor'

let kiroku: Instance
let editor: Visitor
const run = (sql: string) => kiroku.store.handle.run(sql)
const rows = (sql: string) => kiroku.store.handle.query(sql).values()
beforeAll(async () => {
  kiroku = await createInstance()
  editor = await createMember(kiroku, 'mio')
  run("update users set is_editor = 1 where username = 'mio'")
  run("insert into sources (id, name, priority) values (40, 'bangumi-data', 40)")
  run("insert into works (id, title, media, source_id) values (500, '彼方から', 'tv', 40)")
  run("insert into channels (id, name, source_id) values (50, 'TOKYO MX', 40), (51, 'BS11', 40)")
  run(`insert into episodes (id, work_id, number, number_text, sort_number, source_id)
    select 5000 + value, 500, value, '第' || value || '話', value * 10, 40 from json_each('[1,2,3,4]')`)
})
afterAll(() => kiroku.close())

beforeEach(() => {
  for (const table of ['catalogue_changes', 'programs where work_id = 500', 'program_slots'])
    run(`delete from ${table}`)
})

const page = '/works/500/edit/programs'
/** A Tuesday some days from now. */
const tuesday = () => {
  const today = Math.floor(kiroku.deps.now() / 86_400_000)
  return new Date((today + ((5 - ((today + 4) % 7) + 4) % 7) + 7) * 86_400_000).toISOString().slice(0, 10)
}
const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
const slot = (more: Record<string, string> = {}) => ({
  ...{ channel_id: '50', begins_on: tuesday(), at: '25:30', step: 'save', ...more },
})
const add = (more: Record<string, string> = {}) => editor.submit(page, slot(more))
/** `1 TOKYO MX 2026-10-06T16:30`; in parentheses if hidden, with a star if estimated. */
const programs = () =>
  rows(`select number || ' ' || channels.name || ' ' || strftime('%Y-%m-%dT%H:%M', started_at / 1000, 'unixepoch')
      || iif(programs.estimated, '*', ''), programs.hidden
    from programs join channels on channels.id = channel_id join episodes on episodes.id = episode_id
    where programs.work_id = 500 order by started_at, programs.id`).map(([text, hidden]) =>
    hidden === 0 ? text : `(${text})`,
  )
const shown = (n: number, day: string) => `${n} TOKYO MX ${day}T16:30`

async function undo(): Promise<void> {
  const [[change]] = rows('select max(id) from catalogue_changes') as [[number]]
  const csrf = /name="csrf" value="([^"]+)"/.exec((await editor.open(page)).text)?.[1] ?? ''
  expect((await editor.post(`/catalogue/changes/${change}/undo`, { csrf, return_to: page })).status).toBe(303)
}

test('a slot is shown before it is saved, and lists the broadcasts of the list without a week', async () => {
  const day = tuesday()
  const preview = await add({ step: 'preview', skips: '2' })
  expect([preview.status, programs()]).toEqual([200, []])
  expect(preview.text).toContain('data-preview="4"')
  expect(preview.text).toContain('No broadcast')
  expect((await add({ skips: dayAfter(day, 7) })).location).toBe(page)
  const expected = [
    shown(1, day),
    shown(2, dayAfter(day, 14)),
    shown(3, dayAfter(day, 21)),
    shown(4, dayAfter(day, 28)),
  ]
  expect(programs()).toEqual(expected)
  expect(rows('select weeks, skips, first_episode, at from program_slots')).toEqual([
    [null, '[2]', 1, '25:30'],
  ])
  expect(
    rows('select distinct source_id, estimated, slot_id is null from programs where work_id = 500'),
  ).toEqual([[1, 0, 0]])
  expect((await editor.open('/works/500')).text).toContain('TOKYO MX')
  expect((await editor.open('/works/500/history')).status).toBe(200)
  await undo()
  expect(programs()).toEqual(expected.map((text) => `(${text})`))
})

test('what a source lists in the same weeks on the channel is hidden by hand, what it lists elsewhere stays (D94)', async () => {
  const day = tuesday()
  const at = Date.parse(`${day}T15:00:00Z`)
  run(`insert into programs (channel_id, work_id, episode_id, started_at, estimated, source_id) values
    (50, 500, 5001, ${at}, 0, 40), (51, 500, 5001, ${at}, 0, 40), (50, 500, 5002, ${at + 7 * 86_400_000}, 1, 2)`)
  await add({ weeks: '2', first_episode: '1' })
  expect(programs()).toEqual([
    `(1 TOKYO MX ${day}T15:00)`,
    `1 BS11 ${day}T15:00`,
    shown(1, day),
    shown(2, dayAfter(day, 7)),
  ])
  expect(rows('select owners from programs where hidden = 1')).toEqual([['{"hidden":1}']])
})

test('no broadcast this week: one and all after it come a week later, estimates up to the end of the list', async () => {
  const day = tuesday()
  const at = Date.parse(`${day}T16:30:00Z`)
  run(`insert into programs (id, channel_id, work_id, episode_id, started_at, estimated, source_id) values
    (901, 50, 500, 5001, ${at}, 1, 2), (902, 50, 500, 5002, ${at + 7 * 86_400_000}, 1, 2)`)
  await editor.submit(page, {}, `${page}/902/shift_program`)
  const expected = [
    shown(1, day),
    shown(2, dayAfter(day, 14)),
    shown(3, dayAfter(day, 21)),
    shown(4, dayAfter(day, 28)),
  ]
  expect(programs()).toEqual(expected)
  const [[second]] = rows('select id from programs where work_id = 500 and episode_id = 5002') as [[number]]
  await editor.submit(page, {}, `${page}/${second}/shift_program`)
  expect(programs()).toEqual([shown(1, day), ...[2, 3, 4].map((n) => shown(n, dayAfter(day, 7 * (n + 1))))])
  await undo()
  expect(programs()).toEqual(expected)
  await editor.submit(page, {}, `${page}/${second}/drop_program`)
  expect(programs()[1]).toBe(`(${shown(2, dayAfter(day, 14))})`)
})

test('a slot that cannot be is shown again as typed, with what is wrong', async () => {
  for (const [more, words] of [
    [{ channel_id: '' }, 'Choose a channel'],
    [{ channel_id: '999' }, 'Choose one of the options'],
    [{ begins_on: '2026-02-30' }, 'First day'],
    [{ begins_on: '1900-01-01' }, '1950'],
    [{ at: '30:00' }, 'Time'],
    [{ weeks: '401' }, 'How many times'],
    [{ weeks: '5' }, '4 broadcasts'],
    [{ first_episode: '9' }, '0 broadcasts'],
    [{ skips: 'x9' }, 'x9'],
    [{ source_url: 'http://a.example' }, 'https'],
  ] as const) {
    const sent = await add(more)
    expect([more, sent.status, sent.text.includes(words)]).toEqual([more, 422, true])
  }
  expect(programs()).toEqual([])
  await add({ channel_id: '', channel_name: '新しい局', weeks: '1' })
  expect(rows("select source_id from channels where name = '新しい局'")).toEqual([[1]])
})

test('a visitor signs in, and a member who may only suggest changes no broadcast (D93)', async () => {
  expect((await createVisitor(kiroku).open(page)).location).toContain('/sign_in')
  const member = await createMember(kiroku, 'azusa')
  const { text, status } = await member.open(page)
  expect([status, text.includes('data-act="add_slot"')]).toEqual([200, false])
  const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
  expect((await member.post(page, { csrf, ...slot() })).status).toBe(403)
  expect(programs()).toEqual([])
})
