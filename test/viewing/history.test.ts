import { afterEach, beforeEach, expect, test } from 'bun:test'
import { recordEpisode } from '../../src/library/acts/record-acts'
import { chooseStatus } from '../../src/library/acts/work-acts'
import { createInstance, type Instance } from '../support/instance'
import { createMember, createVisitor, type Visitor } from '../support/visitor'

let kiroku: Instance
let mio: Visitor
beforeEach(async () => {
  kiroku = await createInstance()
  mio = await createMember(kiroku, 'mio')
})
afterEach(() => kiroku.close())

const path = '/settings/history'
const idsOf = (text: string) =>
  [...text.matchAll(/<li class="row act" id="act-(\d+)"/g)].map(([, id]) => Number(id))

test('the history is shown neither to visitors nor to anybody else', async () => {
  expect((await createVisitor(kiroku).open(path)).location).toBe('/sign_in?return_to=%2Fsettings%2Fhistory')
  await chooseStatus(kiroku.deps, 2, { workId: 1, kind: 'watching' })
  const { text } = await mio.open(path)
  expect(text).toContain('Nothing to undo')
  expect(idsOf(text)).toEqual([])
})

test('lists what was done, newest first, and undoes it there', async () => {
  const status = await chooseStatus(kiroku.deps, 1, { workId: 1, kind: 'watching' })
  const record = await recordEpisode(kiroku.deps, 1, { episodeId: 1 })
  const listed = await mio.open(path)
  expect(idsOf(listed.text)).toEqual([record.id, status.id])
  expect(listed.text).toContain('aria-label="Undo: Recorded episode 1 of Garden of Falling Stars"')
  // Each row names its work once.
  expect(listed.text).toContain('>Recorded episode 1 of Garden of Falling Stars</a>')
  expect(listed.text.match(/>[^<]*Garden of Falling Stars/g)).toHaveLength(2)
  const undone = await mio.submit(path, { act_id: String(record.id) }, '/undo')
  expect([undone.status, undone.location]).toEqual([303, path])
  const after = (await mio.open(path)).text
  expect(after).toContain('<s>Recorded episode 1 of Garden of Falling Stars</s>')
  expect(after).not.toContain(`name="act_id" value="${record.id}" data-focus="undo-${record.id}"`)
  expect((await mio.open('/settings')).text).toContain(`href="${path}"`)
})

test('has 50 entries per page and nothing older than 30 days', async () => {
  await chooseStatus(kiroku.deps, 1, { workId: 1, kind: 'on_hold' })
  kiroku.clock.now += 30 * 86_400_000 + 1
  mio = await createMember(kiroku, 'mio')
  expect(idsOf((await mio.open(path)).text)).toEqual([])
  const ids: number[] = []
  for (let n = 0; n < 51; n += 1)
    ids.unshift(
      (await chooseStatus(kiroku.deps, 1, { workId: 1, kind: n % 2 === 0 ? 'watching' : 'watched' })).id,
    )
  const first = await mio.open(path)
  expect(idsOf(first.text)).toEqual(ids.slice(0, 50))
  const [, next = ''] = /href="(\/settings\/history\?before=\d+)"/.exec(first.text) ?? []
  const second = idsOf((await mio.open(next)).text)
  expect(second).toEqual(ids.slice(50))
})
