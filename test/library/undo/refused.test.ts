import { afterAll, expect, test } from 'bun:test'
import { chooseStatus } from '../../../src/library/acts/work-acts'
import { listsOf } from '../../../src/transfer/batch/lists-of'
import { createInstance } from '../../support/instance'
import { seedLibrary } from '../../support/seed-library'
import { createMember } from '../../support/visitor'
import { csvOf, takeOver, undoWhole } from '../../transfer/batch/any-list'

const kiroku = await createInstance({ seed: seedLibrary })
const lists = listsOf(kiroku.deps)
const mio = await createMember(kiroku, 'mio')
afterAll(async () => {
  await lists.close()
  await kiroku.close()
})

test('a refused undo leads to the import that is in the way; undone first, it is not in the way any more', async () => {
  const act = await chooseStatus(kiroku.deps, 1, { workId: 2, kind: 'on_hold' })
  kiroku.clock.now += 1000
  const csv = csvOf(['work_id', 'title', 'status'], [[2, 'ガラスの汽車', 'watched']])
  const id = await takeOver(lists, 1, { csv, conflict: 'file' })
  const csrf = /name="csrf" value="([^"]+)"/.exec((await mio.open('/settings')).text)?.[1] ?? ''
  const undo = async () => {
    await mio.post('/undo', { csrf, act_id: String(act.id), return_to: '/about' })
    return /class="toast">([\s\S]*?)<\/div>/.exec((await mio.open('/about')).text)?.[1] ?? ''
  }
  expect(await undo()).toContain(`<a href="/settings/import/${id}">Open the import</a>`)
  await undoWhole(lists, 1, id)
  expect(await undo()).toContain('Undone')
})
