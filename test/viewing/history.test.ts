import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { recordEpisode } from '../../src/library/acts/record-acts'
import { chooseStatus } from '../../src/library/acts/work-acts'
import { rowsOf } from '../support/counted'
import { list, previewOf, untilSettled } from '../support/imports'
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

describe('an import', () => {
  /** In the order of the page: `act-3`, `import-1`. */
  const entriesOf = (text: string) =>
    [...text.matchAll(/<li class="row act" id="([a-z]+-\d+)"/g)].map(([, id]) => id)
  const records = () => rowsOf(kiroku.store.handle, 'records').length

  beforeEach(() => kiroku.store.handle.run('delete from statuses; delete from records; delete from reviews'))

  async function applied(by: Visitor = mio, content = list): Promise<string> {
    const preview = await previewOf(by, content)
    await by.submit(preview, {}, `${preview}/apply`)
    await untilSettled(kiroku)
    return preview
  }

  test('is listed among what was done, once it has begun, and is undone there', async () => {
    const before = await chooseStatus(kiroku.deps, 1, { workId: 2, kind: 'watching' })
    kiroku.clock.now += 60_000
    const preview = await previewOf(mio, list)
    expect(entriesOf((await mio.open(path)).text)).toEqual([`act-${before.id}`])
    kiroku.clock.now += 60_000
    await mio.submit(preview, {}, `${preview}/apply`)
    await untilSettled(kiroku)
    kiroku.clock.now += 60_000
    const after = await chooseStatus(kiroku.deps, 1, { workId: 3, kind: 'watching' })
    const { text } = await mio.open(path)
    expect(entriesOf(text)).toEqual([`act-${after.id}`, 'import-1', `act-${before.id}`])
    expect(text).toContain(`href="${preview}">Imported 2 entries from CSV</a>`)
    expect(text).toContain('aria-label="Undo the import from CSV"')
    expect(records()).toBe(1)
    const undone = await mio.submit(path, {}, `${preview}/undo`)
    expect([undone.status, undone.location]).toEqual([303, preview])
    await untilSettled(kiroku)
    expect(records()).toBe(0)
    const then = (await mio.open(path)).text
    expect(then).toContain('<s>Imported 2 entries from CSV</s>')
    expect(then).not.toContain(`action="${preview}/undo"`)
  })

  test('that is being applied or undone says so', async () => {
    await applied()
    for (const [state, words] of [
      ['applying', 'Importing'],
      ['undoing', 'Being undone'],
    ]) {
      kiroku.store.handle.run('update list_imports set state = ?', [state ?? ''])
      const { text } = await mio.open(path)
      expect([state, text.includes(`>${words}</span>`), text.includes('/undo"')]).toEqual([
        state,
        true,
        false,
      ])
    }
    kiroku.store.handle.run("update list_imports set state = 'undone'")
  })

  test('of somebody else is not listed, nor one that has been deleted', async () => {
    const preview = await applied(await createMember(kiroku, 'azusa'))
    expect(entriesOf((await mio.open(path)).text)).toEqual([])
    const own = await applied()
    expect(entriesOf((await mio.open(path)).text)).toEqual([own.replace('/settings/import/', 'import-')])
    expect(own).not.toBe(preview)
    await mio.submit('/settings/import', {}, `${own}/delete`)
    expect(entriesOf((await mio.open(path)).text)).toEqual([])
  })

  test('of more than 30 days ago is found through a link, as it can still be undone', async () => {
    const link = '<a href="/settings/import">Earlier imports</a>'
    await applied()
    expect((await mio.open(path)).text).not.toContain(link)
    kiroku.clock.now += 30 * 86_400_000 + 1
    mio = await createMember(kiroku, 'mio')
    const { text } = await mio.open(path)
    expect([entriesOf(text), text.includes(link)]).toEqual([[], true])
  })

  test('is on one page only, wherever the acts around it are', async () => {
    const acts: string[] = []
    const act = async () => {
      const kind = acts.length % 2 === 0 ? 'watching' : 'watched'
      acts.unshift(`act-${(await chooseStatus(kiroku.deps, 1, { workId: 2, kind })).id}`)
      kiroku.clock.now += 1000
    }
    for (let n = 0; n < 30; n += 1) await act()
    const first = (await applied()).replace('/settings/import/', 'import-')
    kiroku.clock.now += 1000
    for (let n = 0; n < 40; n += 1) await act()
    const other = 'work_id,title,status\n3,海のＡＢＣ,watching'
    const second = (await applied(mio, other)).replace('/settings/import/', 'import-')
    const all = [second, ...acts.slice(0, 40), first, ...acts.slice(40)]
    const page = await mio.open(path)
    expect(entriesOf(page.text)).toEqual(all.slice(0, 50))
    const [, next = ''] = /href="(\/settings\/history\?[^"]+)"/.exec(page.text) ?? []
    expect(entriesOf((await mio.open(next.replaceAll('&#38;', '&'))).text)).toEqual(all.slice(50))
  })
})
