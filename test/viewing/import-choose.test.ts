import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sourceNames, sources } from '../../src/transfer/sources'
import { rowsOf } from '../support/counted'
import { list, postList, previewOf, sendList } from '../support/imports'
import { createInstance, type Instance } from '../support/instance'
import { createMember, createVisitor, hiddenInputs, type Visitor } from '../support/visitor'
import { createWebSite } from '../support/web-site'

let kiroku: Instance
let mio: Visitor
beforeEach(async () => {
  kiroku = await createInstance()
  mio = await createMember(kiroku, 'mio')
  kiroku.store.handle.run('delete from statuses; delete from records; delete from reviews')
})
afterEach(() => kiroku.close())

const path = '/settings/import'
const kept = () => {
  const folder = join(kiroku.deps.config.data, 'uploads')
  return existsSync(folder) ? readdirSync(folder) : []
}
const imports = () => rowsOf(kiroku.store.handle, 'list_imports').map(({ state }) => state)

describe('choosing a file', () => {
  test('is for members, who come to it from the settings, their menu and the first run', async () => {
    expect((await createVisitor(kiroku).open(path)).location).toBe('/sign_in?return_to=%2Fsettings%2Fimport')
    for (const from of ['/settings', '/welcome', '/']) {
      expect((await mio.open(from)).text).toContain(`href="${path}"`)
    }
    const { text } = await mio.open(path)
    expect(text).toContain('<option value="" selected>Detect automatically</option>')
    for (const source of ['mal', 'anilist', 'annict', 'kitsu', 'simkl', 'trakt', 'yamtrack', 'bangumi'])
      expect(text).toContain(`<option value="${source}">`)
    expect(text).toContain('myanimelist.net → Settings → Export')
  })

  test('says of each source where to get its file', async () => {
    const { text } = await mio.open(path)
    const told = [...text.matchAll(/<dt>([^<]+)<\/dt><dd>[^<]{10,}<\/dd>/g)].map(([, name]) => name)
    const others = sources.filter((source) => !['anilist-gdpr', 'annict-backup'].includes(source))
    expect(told).toEqual(others.map((source) => sourceNames[source]))
    for (const mentioned of ['Settings → Account → Download', 'a backup made with annict-backup'])
      expect(text).toContain(mentioned)
  })

  test.each([
    ['<!doctype html><title>Sign in</title>', 'This is a web page'],
    ['', 'The file is empty'],
    ['{"a": [', 'The file is damaged'],
    ['Nothing that is known', 'No list was recognised in the file'],
  ])('%j is refused with a sentence, and what was chosen stays', async (content, sentence) => {
    const { status, text } = await sendList(mio, content, { name: 'export.html', source: '' })
    expect([status, text]).toEqual([400, expect.stringContaining(sentence)])
    expect(text).toContain('“export.html” was not read')
    expect([imports(), kept()]).toEqual([[], []])
  })

  test('a missing file is refused; the source stays chosen', async () => {
    const { status, text } = await sendList(mio, '', { name: '', source: 'mal' })
    expect([status, text]).toEqual([400, expect.stringContaining('Choose a file first')])
    expect(text).toContain('<option value="mal" selected>')
  })

  test('a file of more than 32 MiB is 413 with a message, and leaves nothing', async () => {
    const { status, text } = await sendList(mio, 'x'.repeat(32 * 1024 * 1024 + 1))
    expect([status, text]).toEqual([413, expect.stringContaining('larger than 32 MiB')])
    expect([imports(), kept()]).toEqual([[], []])
  })

  test('without its token, from another site or after signing out, nothing is read', async () => {
    const file = new File([list], 'list.csv')
    expect((await postList(mio, { csrf: 'x', file })).status).toBe(403)
    const { csrf = '' } = hiddenInputs((await mio.open(path)).text, path)
    const form = new FormData()
    form.append('csrf', csrf)
    form.append('file', file)
    const foreign = await mio.open(path, {
      method: 'POST',
      body: form,
      headers: { 'sec-fetch-site': 'cross-site' },
    })
    expect(foreign.status).toBe(403)
    const refused = kiroku.lines.filter(({ event }) => event === 'csrf_refused')
    expect(refused.map(({ facts }) => facts)).toEqual([
      expect.objectContaining({ path, user: 1, why: expect.stringContaining('signed in or out') }),
      expect.objectContaining({ path, user: 1, why: expect.stringContaining('another site') }),
    ])
    expect((await postList(createVisitor(kiroku), { csrf: 'x', file })).location).toStartWith('/sign_in')
    expect([imports(), kept()]).toEqual([[], []])
  })

  test('leads to a preview, and the file is deleted', async () => {
    const { status, location } = await sendList(mio, list)
    expect([status, location, kept()]).toEqual([303, `${path}/1`, []])
    expect((await mio.open(path)).text).toMatch(
      /href="\/settings\/import\/1">CSV<\/a>[\s\S]*Not imported yet/,
    )
  })
})

test('a sixth preview replaces the first, whose page says why', async () => {
  const first = await previewOf(mio, list)
  expect((await mio.open(first)).text).toContain('kept for 7 days, and the newest 5 at most')
  for (let n = 0; n < 5; n += 1) await previewOf(mio, list)
  expect(imports()).toEqual(['expired', 'preview', 'preview', 'preview', 'preview', 'preview'])
  expect((await mio.open(first)).text).toContain('Previews are kept for 7 days, and the newest 5 at most.')
})

describe('an account at Annict', () => {
  test('is read with a token; problems with it are shown on the form', async () => {
    const answer = await mio.submit(path, { token: 'no token!' }, `${path}/annict`)
    expect([answer.status, answer.text]).toEqual([
      422,
      expect.stringContaining('Annict does not accept this token'),
    ])
    expect(answer.text).toMatch(/<details class="fold-line" open><summary>From an Annict account/)
    expect((await mio.open(`${path}/annict`)).location).toBe(path)
    expect([imports(), kept()]).toEqual([[], []])
  })

  test('is read for a member once at a time', async () => {
    const answers = Promise.withResolvers<Response>()
    const asked = Promise.withResolvers<void>()
    const site = createWebSite(() => {
      asked.resolve()
      return answers.promise
    })
    const other = await createInstance({ config: { annictUrl: site.at('localhost', '') } })
    const member = await createMember(other, 'mio')
    const send = () => member.submit(path, { token: 'a-token' }, `${path}/annict`)
    const first = send()
    await asked.promise
    const second = await send()
    expect([second.status, second.text]).toEqual([
      422,
      expect.stringContaining('Your account is already being read.'),
    ])
    answers.resolve(new Response('', { status: 401 }))
    expect((await first).text).toContain('Annict does not accept this token')
    expect((await send()).text).toContain('Annict does not accept this token')
    await other.close()
    await site.stop()
  })
})

test('the history has pages of 20, newest first', async () => {
  for (let n = 0; n < 22; n += 1) {
    const page = await previewOf(mio, list)
    kiroku.store.handle.run("update list_imports set state = 'undone' where id = ?", [
      Number(page.split('/').at(-1)),
    ])
  }
  const ids = ({ text }: { text: string }) =>
    [...text.matchAll(/name" href="\/settings\/import\/(\d+)"/g)].map(([, id]) => Number(id))
  expect(ids(await mio.open(path))[0]).toBe(22)
  expect(ids(await mio.open(path))).toHaveLength(20)
  expect(ids(await mio.open(`${path}?page=2`))).toEqual([2, 1])
})
