import { afterAll, beforeEach, expect, test } from 'bun:test'
import { rowsOf } from '../support/counted'
import { createInstance } from '../support/instance'
import { createMember } from '../support/visitor'

const kiroku = await createInstance()
const { handle } = kiroku.store
const member = await createMember(kiroku, 'mio')
const other = await createMember(kiroku, 'azusa')
afterAll(kiroku.close)

beforeEach(() => {
  for (const table of ['acts', 'statuses', 'records', 'activities']) handle.run(`delete from ${table}`)
})

const act = async (path: string, values: Record<string, string>, visitor = member) => {
  const { text } = await visitor.open('/settings')
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(text) ?? []
  return visitor.post(path, { csrf, return_to: '/about', ...values })
}

test('the page after an act reports it, though the browser had fetched others in advance', async () => {
  await act('/record', { episode_id: '1' })
  const early = await member.open('/', { headers: { 'sec-purpose': 'prefetch;prerender' } })
  expect(early.text).not.toContain('Recorded episode 1')
  expect((await member.open('/about')).text).toContain('Recorded episode 1')
})

test('a press that is sent again, also at the same moment, is done once', async () => {
  const form_id = 'A'.repeat(22)
  const press = { episode_id: '1', comment: 'よかった', form_id }
  const answers = await Promise.all([act('/record', press), act('/record', press)])
  answers.push(await act('/record', press))
  expect(answers.map(({ status, location }) => [status, location])).toEqual([
    [303, '/about'],
    [303, '/about'],
    [303, '/about'],
  ])
  expect(rowsOf(handle, 'records')).toHaveLength(1)
  await act('/record', press, other)
  expect(rowsOf(handle, 'records').map(({ user_id }) => user_id)).toEqual([1, 4])
  await act('/record', { ...press, form_id: 'B'.repeat(22) })
  expect(rowsOf(handle, 'records')).toHaveLength(3)
  expect((await act('/record', { ...press, form_id: 'C' })).status).toBe(422)
})

test('the sheet records its episode once; after another tab was first, it shows what was typed and asks (D107)', async () => {
  const typed = { episode_id: '1', comment: '二回目の感想', rating_state: 'good', precision: 'time' }
  expect((await member.open('/record/new?episode=1')).text).toContain('name="once" value="1"')
  await act('/record', { episode_id: '1', once: '1' })
  const sheet = await act('/record', { ...typed, once: '1' })
  expect([sheet.status, rowsOf(handle, 'records').length]).toEqual([409, 1])
  expect(sheet.text).toContain('This episode is already recorded. Your comment is still here.')
  expect(sheet.text).toContain('二回目の感想</textarea>')
  expect(sheet.text).toContain('Add this comment</button>')
  expect(sheet.text).not.toContain('name="once"')
  await act('/record', typed)
  expect(rowsOf(handle, 'records').map(({ comment }) => comment)).toEqual(['', '二回目の感想'])
})

test('“Up to here” keeps the comment and the rating that were given with it, also if its episode was recorded before', async () => {
  const opinion = { comment: 'ここまで見た', rating_state: 'great' }
  const given = () => rowsOf(handle, 'records').filter(({ comment }) => comment !== '')
  await act('/record/up_to', { episode_id: '3', ...opinion })
  expect(rowsOf(handle, 'records')).toHaveLength(3)
  expect(given()).toEqual([expect.objectContaining({ episode_id: 3, ...opinion })])
  await act('/undo', { act_id: String(rowsOf(handle, 'acts').at(-1)?.id) })
  await act('/record', { episode_id: '3' })
  await act('/record/up_to', { episode_id: '3', ...opinion })
  expect(rowsOf(handle, 'records')).toHaveLength(4)
  expect(given()).toEqual([expect.objectContaining({ episode_id: 3, ...opinion })])
  // Nothing is left to record: the sheet asks.
  const sheet = await act('/record/up_to', { episode_id: '3', comment: 'もう一言' })
  expect([sheet.status, rowsOf(handle, 'records').length]).toEqual([409, 4])
  expect(sheet.text).toContain('もう一言</textarea>')
})
