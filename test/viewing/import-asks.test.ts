import { afterEach, beforeEach, expect, test } from 'bun:test'
import { previewOf, untilSettled } from '../support/imports'
import { createInstance, type Instance } from '../support/instance'
import { createMember, type Visitor } from '../support/visitor'

let kiroku: Instance
let mio: Visitor
beforeEach(async () => {
  kiroku = await createInstance()
  mio = await createMember(kiroku, 'mio')
})
afterEach(() => kiroku.close())

test('a history of several people cannot be applied before one is chosen', async () => {
  const play = (user: string) =>
    `2024-02-01 21:00:00.0\t${user}\t${user}\tEpisode\t星降る庭 - s01e01 - x\tp\tc\td\t1420\n`
  const preview = await previewOf(mio, play('mio') + play('<b>'))
  const { text } = await mio.open(preview)
  expect(text).toContain('<a href="#options">The file has entries of several people.')
  expect(text).toContain('<option value="mio">mio</option><option value="&#60;b&#62;">&#60;b&#62;</option>')
  expect(text).not.toContain(`${preview}/apply`)
  await mio.submit(preview, { user: 'mio' }, `${preview}/options`)
  const chosen = (await mio.open(preview)).text
  expect(chosen).toContain('<option value="mio" selected>')
  expect(chosen).toContain('played by another user')
  expect(chosen).toContain(`${preview}/apply`)
})

test('finished works are completed only if that is ticked', async () => {
  const preview = await previewOf(
    mio,
    '名称,条目类型,地址,状态,完成度\n星降る庭,动画,https://bgm.tv/subject/1,看过,1 | 12\n',
  )
  const isTicked = async () => /name="complete_watched"[^>]* checked/.test((await mio.open(preview)).text)
  expect(await isTicked()).toBe(false)
  await mio.submit(preview, { asks_complete: '1', complete_watched: '1' }, `${preview}/options`)
  expect(await isTicked()).toBe(true)
  await mio.submit(preview, { asks_complete: '1' }, `${preview}/options`)
  expect(await isTicked()).toBe(false)
})

test('a single page of a list is distinguished from a complete one', async () => {
  const page = (hasNextChunk: boolean) =>
    JSON.stringify({
      data: { MediaListCollection: { hasNextChunk, lists: [{ entries: [{ mediaId: 1 }] }] } },
    })
  const textOf = async (list: string) => (await mio.open(await previewOf(mio, list))).text
  expect(await textOf(page(true))).toContain('This file is one page of your list.')
  expect(await textOf(page(false))).not.toContain('This file is one page of your list.')
})

test('promises nothing where what differs is kept, and what it adds is what it says', async () => {
  kiroku.store.handle.run('delete from statuses; delete from records; delete from reviews')
  const file = (status: string, progress: number) =>
    `work_id,title,status,progress\n1,星降る庭,${status},${progress}\n4,無題,${status},`
  await mio.submit(await previewOf(mio, file('watching', 1)), {}, '/settings/import/1/apply')
  await untilSettled(kiroku)
  const other = await previewOf(mio, file('watched', 1))
  const kept = (await mio.open(other)).text
  expect(kept).toContain('what is here is kept. To take over what differs, choose “Use the file”')
  expect(kept).not.toMatch(/Import \d+ entr/)
  expect(kept).toContain('<b>0 of 2</b> entries can be imported')
  await mio.submit(other, { conflict: 'file' }, `${other}/options`)
  expect((await mio.open(other)).text).toContain('Import 2 entries</button>')
  const more = await previewOf(mio, file('watched', 2))
  expect((await mio.open(more)).text).toContain('Import 1 entry</button>')
  await mio.submit(more, {}, `${more}/apply`)
  await untilSettled(kiroku)
  expect((await mio.open(more)).text).toMatch(/Works<\/th><td class="number"><b>1<\/b>/)
})

test('an import that takes nothing does not say that it imported', async () => {
  const preview = await previewOf(mio, 'work_id,title,status\n,100%の恋,wanna_watch')
  expect((await mio.open(preview)).text).toContain('Finish without importing')
  await mio.submit(preview, {}, `${preview}/apply`)
  await untilSettled(kiroku)
  const { text } = await mio.open(preview)
  expect(text).toContain('Nothing was imported</h1>')
  expect([text.includes('class="seen"'), text.includes('import-table')]).toEqual([false, false])
  expect(text).toContain('1 entry was not imported')
})

test('everything in a file is private if that is ticked, also what it calls so, and nobody is told (D72)', async () => {
  const { handle } = kiroku.store
  const file = 'work_id,title,status,episode,private\n1,星降る庭,watching,1,\n1,星降る庭,watching,2,yes\n'
  const reviewed = '4,無題,watched,,\n'
  const preview = await previewOf(mio, file + reviewed)
  const { text } = await mio.open(preview)
  expect(text).toContain('<b>2 of 3</b> entries can be imported')
  expect(text).toContain('<label for="all_private">Only me: everything in this file</label>')
  await mio.submit(
    preview,
    { asks_all_private: '1', all_private: '1', asks_private: '1' },
    `${preview}/options`,
  )
  expect((await mio.open(preview)).text).toMatch(/name="all_private"[^>]* checked/)
  await mio.submit(preview, {}, `${preview}/apply`)
  await untilSettled(kiroku)
  const marks = (table: string) =>
    handle.query(`select private, withheld from ${table} where user_id = 1`).values()
  expect(marks('records')).toEqual([
    [1, 2],
    [1, 2],
  ])
  expect(marks('statuses')).toEqual([
    [1, 2],
    [1, 2],
  ])
  const ritsu = await createMember(kiroku, 'Ritsu_T')
  expect((await ritsu.open('/@mio/library/all')).text).not.toContain('Garden of Falling Stars')
  expect((await mio.open('/@mio/library/all')).text).toContain('Garden of Falling Stars')
})
