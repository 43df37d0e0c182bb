import { afterEach, beforeEach, expect, test } from 'bun:test'
import { previewOf } from '../support/imports'
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
