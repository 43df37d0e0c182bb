import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createToken } from '../../src/accounts/token'
import { deleteRecord } from '../../src/library/acts/own-record-acts'
import { chooseStatus } from '../../src/library/acts/work-acts'
import { contentOf } from '../support/acts'
import { grant } from '../support/apps'
import { rowsOf } from '../support/counted'
import { createInstance, type Instance, types, withToken } from '../support/instance'
import { registerClient } from '../support/oauth'
import { seedLibrary } from '../support/seed-library'
import { createMember, type Visitor } from '../support/visitor'

const path = '/settings/history'
const mio = 1
let kiroku: Instance
let member: Visitor
let token: string
beforeEach(async () => {
  kiroku = await createInstance({ seed: seedLibrary })
  member = await createMember(kiroku, 'mio')
  const client = await registerClient(kiroku, { name: 'Anime Clock' })
  token = await grant(kiroku, client.id, mio, { scope: 'read write' })
})
afterEach(() => kiroku.close())

async function send(target: string, body: object, by = token): Promise<void> {
  kiroku.clock.now += 1000
  const sent = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': types.json } }
  expect((await kiroku.ask(target, withToken(by, sent))).status).toBeLessThan(300)
}

const content = () => ({
  ...contentOf(kiroku.store.handle),
  library_entries: rowsOf(kiroku.store.handle, 'library_entries').map(({ work_id }) => String(work_id)),
})
const plain = (text: string) => text.replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' ')

/** What the history lists of applications, newest first, as it reads. */
async function listed(query = ''): Promise<{ id: string; text: string }[]> {
  const { text } = await member.open(path + query)
  return [...text.matchAll(/<li class="row act" id="written-(\d+)">(.*?)<\/li>/gs)].map(
    ([, id = '', row = '']) => ({
      id,
      text: plain(/<div class="text">(.*?)<\/div>/s.exec(row)?.[1] ?? ''),
    }),
  )
}

async function undo(id: string, visitor = member) {
  const csrf = /name="csrf" value="([^"]+)"/.exec((await visitor.open('/settings')).text)?.[1] ?? ''
  return await visitor.post('/undo/written', { csrf, activity_id: id, return_to: path })
}

async function undoAct(id: number): Promise<string> {
  const csrf = /name="csrf" value="([^"]+)"/.exec((await member.open('/settings')).text)?.[1] ?? ''
  await member.post('/undo', { csrf, act_id: String(id), return_to: path })
  return await toast()
}

const toast = async () =>
  plain(/class="toast">([\s\S]*?)<\/div>/.exec((await member.open('/about')).text)?.[1] ?? '')

const query = `mutation { createRecord(input: { episodeId: "${btoa('Episode-2')}" }) { record { databaseId: annictId } } }`

test.each([
  ['/v1/me/records', { episode_id: 2, comment: '🍥' }, 'Recorded episode 2 of Garden of Falling Stars'],
  [
    '/v1/me/records/bulk',
    { episode_ids: [2, 3] },
    'Recorded 2 episodes, up to episode 2.5 of Garden of Falling Stars',
  ],
  ['/v1/me/reviews', { work_id: 1, body: '本文' }, 'Reviewed Garden of Falling Stars'],
  ['/v1/me/viewings', { work_id: 3 }, 'Recorded 海のＡＢＣ'],
  ['/v1/me/statuses', { work_id: 1, kind: 'on_hold' }, 'Garden of Falling Stars: On hold'],
  ['/v1/me/statuses', { work_id: 8, kind: 'watched' }, 'axb: Watched'],
  ['/graphql', { query }, 'Recorded episode 2 of Garden of Falling Stars'],
])(
  'D122: what an application writes by %s %o is in the history with its name, and is undone there',
  async (target, body, text) => {
    const before = content()
    await send(target, body)
    const [written] = await listed()
    expect(written?.text).toStartWith(`${text}Anime Clock · `)
    expect(rowsOf(kiroku.store.handle, 'acts')).toEqual([])
    expect([(await undo(written?.id ?? '')).location, await toast()]).toEqual([
      path,
      expect.stringContaining('Undone'),
    ])
    expect(await listed()).toEqual([])
    expect(content()).toEqual(before)
  },
)

test('D122: a personal token is named by its description; nobody is named once access has ended, but the application', async () => {
  const own = await createToken(kiroku.deps, { userId: mio, description: '<b>夜の', scope: 'read write' })
  await send('/v1/me/records', { episode_id: 2 }, own.token)
  await send('/v1/me/records', { episode_id: 3 })
  const names = async () => (await listed()).map(({ text }) => /(?:Stars)(.*) · /.exec(text)?.[1])
  expect(await names()).toEqual(['Anime Clock', '&#60;b&#62;夜の'])
  kiroku.store.handle.run('delete from tokens')
  expect(await names()).toEqual(['Anime Clock', 'An application without access'])
})

describe('D122: an undo of what an application wrote is refused', () => {
  test('for what was written on a page, what is somebody else’s, and what is older than 30 days, which is not listed', async () => {
    await chooseStatus(kiroku.deps, mio, { workId: 2, kind: 'on_hold' })
    const onPage = String(rowsOf(kiroku.store.handle, 'activities').at(-1)?.id)
    expect((await undo(onPage)).status).toBe(404)
    await send('/v1/me/records', { episode_id: 2 })
    const [{ id } = { id: '' }] = await listed()
    expect((await undo(id, await createMember(kiroku, 'azusa'))).status).toBe(404)
    kiroku.clock.now += 30 * 86_400_000 + 1
    member = await createMember(kiroku, 'mio')
    expect(await listed()).toEqual([])
    await undo(id)
    expect(await toast()).toContain('This is older than 30 days')
    expect(rowsOf(kiroku.store.handle, 'records').at(-1)).toMatchObject({ episode_id: 2 })
  })

  test('while something later stands, which is named and can be undone first', async () => {
    const before = content()
    const status = (kind: string) => send('/v1/me/statuses', { work_id: 2, kind })
    const page = await chooseStatus(kiroku.deps, mio, { workId: 2, kind: 'on_hold' })
    await status('watching')
    await status('watched')
    const [second, first] = await listed()
    for (const said of [await undoAct(page.id), (await undo(first?.id ?? '')) && (await toast())])
      expect(said).toContain(
        'Anime Clock has changed this since. Undo that first: “The Glass Train: Watched”',
      )
    for (const one of [second, first]) await undo(one?.id ?? '')
    await undoAct(page.id)
    expect(content()).toEqual(before)
  })

  test('for dates that were set on a page since, but not for records of which one was deleted', async () => {
    await send('/v1/me/statuses', { work_id: 1, kind: 'watched' })
    kiroku.clock.now += 1000
    await chooseStatus(kiroku.deps, mio, { workId: 1, kind: 'watched', startedOn: '2016' })
    const [{ id } = { id: '' }] = await listed()
    await undo(id)
    expect(await toast()).toContain('Undo it first: “Garden of Falling Stars: Watched”')
    await send('/v1/me/records/bulk', { episode_ids: [2, 3] })
    const record = rowsOf(kiroku.store.handle, 'records').at(-1)?.id
    await deleteRecord(kiroku.deps, mio, { recordId: Number(record) })
    const [both] = await listed()
    await undo(both?.id ?? '')
    expect(await toast()).toContain('Undone')
    // It comes back with the undo of that, as what the application wrote.
    await undoAct(Number(rowsOf(kiroku.store.handle, 'acts').at(-1)?.id))
    expect((await listed())[0]?.text).toStartWith(
      'Recorded episode 2.5 of Garden of Falling StarsAnime Clock',
    )
  })
})

test('acts and what applications wrote are one list, newest first, 50 on a page', async () => {
  const made: string[] = []
  for (let n = 0; n < 60; n += 1) {
    kiroku.clock.now += 1000
    const kind = n % 2 === 0 ? 'watching' : 'watched'
    if (n % 3 === 0) made.unshift(`act-${(await chooseStatus(kiroku.deps, mio, { workId: 2, kind })).id}`)
    else {
      await send('/v1/me/statuses', { work_id: 2, kind })
      made.unshift(`written-${rowsOf(kiroku.store.handle, 'activities').at(-1)?.id}`)
    }
  }
  const pages: string[] = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const { text } = await member.open(next)
    pages.push(...[...text.matchAll(/<li class="row act" id="([a-z]+-\d+)"/g)].map(([, id = '']) => id))
    next = /href="(\/settings\/history\?[^"]+)"/.exec(text)?.[1]?.replaceAll('&#38;', '&')
  }
  expect(pages).toEqual(made)
})
