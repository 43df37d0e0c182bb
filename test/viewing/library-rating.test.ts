import { afterAll, beforeAll, expect, test } from 'bun:test'
import { undo } from '../../src/library/acts/undo'
import { chooseStatus } from '../../src/library/acts/work-acts'
import { contentOf } from '../support/acts'
import { createInstance, type Instance } from '../support/instance'
import { createMember, hiddenInputs } from '../support/visitor'

let kiroku: Instance
beforeAll(async () => {
  kiroku = await createInstance()
})
afterAll(() => kiroku.close())

test('the selected works are counted, and rated at once with one undo', async () => {
  for (const workId of [1, 2]) await chooseStatus(kiroku.deps, 1, { workId, kind: 'watched' })
  const mio = await createMember(kiroku, 'mio')
  const before = contentOf(kiroku.store.handle)
  expect((await mio.open(`/@mio/library/watched?select=1&works=1,2,999`)).text).toContain(
    'Selected: <b data-total>2</b>',
  )
  const sent = { rating_state: 'great', work_1: 'on', work_2: 'on' }
  const target = `/@mio/library/watched?select=1`
  const { csrf = '' } = hiddenInputs((await mio.open(target)).text, '/status/bulk')
  const none = await mio.post('/rating/bulk', { csrf, return_to: target, rating_state: 'great' })
  expect([none.status, none.text.includes('Select at least one work.')]).toEqual([422, true])
  const done = await mio.post('/rating/bulk', { csrf, return_to: target, ...sent })
  const page = await mio.open(done.location)
  expect(page.text).toContain('Rated 2 works')
  expect(page.text.match(/class="rated"/g)).toHaveLength(2)
  const [, act = ''] = /name="act_id" value="(\d+)"/.exec(page.text) ?? []
  await undo(kiroku.deps, 1, { actId: Number(act) })
  expect(contentOf(kiroku.store.handle)).toEqual(before)
})
