import { afterAll, expect, test } from 'bun:test'
import { createInstance } from '../support/instance'
import { createMember } from '../support/visitor'

const kiroku = await createInstance()
const { handle } = kiroku.store
const member = await createMember(kiroku, 'mio')
const now = kiroku.clock.now
const hour = 3_600_000
afterAll(kiroku.close)

const today = async () => /id="today"[\s\S]*?<\/section>/.exec((await member.open('/')).text)?.[0] ?? ''

test.each([
  ['that has ended', { broadcast_end: now - 48 * hour }],
  ['whose length nobody knows, after a season', { broadcast_begin: now - 14 * 7 * 24 * hour }],
  ['in a later slot', { released_on: '1999-10-20' }],
])('nothing airs today of a series %s', async (_, more) => {
  handle.run('delete from statuses; delete from programs')
  handle.run("insert into statuses (user_id, work_id, kind, changed_at) values (1, 1, 'watching', 1)")
  handle.run(
    "update works set released_on = '', broadcast_interval = 'P7D', broadcast_begin = ? where id = 1",
    [now - 7 * 24 * hour],
  )
  const numbers = JSON.stringify(Array.from({ length: 20 }, (_, n) => n))
  handle.run(
    `insert into episodes (work_id, number_text, sort_number, estimated, source_id)
      select 1, value, 101 + value, 1, 2 from json_each(?)`,
    [numbers],
  )
  handle.run('update episodes set estimated = 1 where work_id = 1')
  expect(await today()).toContain('class="broadcast')
  for (const [column, value] of Object.entries(more))
    handle.run(`update works set ${column} = ? where id = 1`, [value])
  expect(await today()).not.toContain('class="broadcast')
  handle.run(
    "update works set broadcast_begin = null, broadcast_end = null, broadcast_interval = '' where id = 1",
  )
  handle.run('delete from episodes where sort_number > 100 and work_id = 1')
  handle.run('update episodes set estimated = 0 where work_id = 1')
})
