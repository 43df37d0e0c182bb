import { afterAll, beforeAll, expect, test } from 'bun:test'
import { moves } from '../../../src/catalogue/import/merge/moves'
import { refreshTwins } from '../../../src/catalogue/twins'
import { createInstance, type Instance } from '../../support/instance'
import { seedLibrary } from '../../support/seed-library'
import { createMember, createVisitor, type Visitor } from '../../support/visitor'

let kiroku: Instance
let editor: Visitor
beforeAll(async () => {
  kiroku = await createInstance({ seed: seedLibrary })
  const { handle } = kiroku.store
  handle.run("update users set is_editor = 1 where username = 'mio'")
  handle.run("update works set title = 'こちら', title_en = '' where id = 1")
  handle.run(
    "update works set title = 'あちら', title_en = 'Over there', season_year = 1999, season = null where id = 2",
  )
  editor = await createMember(kiroku, 'mio')
})
afterAll(() => kiroku.close())

const row = (sql: string) => kiroku.store.handle.query<Record<string, unknown>, []>(sql).get()
const rows = (sql: string) => kiroku.store.handle.query(sql).values()
const idIn = (location: string) => Number(/\/catalogue\/changes\/(\d+)$/.exec(location)?.[1])

test('D93 merging, splitting and twins are for editors', async () => {
  const member = await createMember(kiroku, 'azusa')
  for (const path of ['/works/1/merge', '/works/1/split', '/catalogue/twins', '/catalogue/people/1/merge']) {
    expect([path, (await member.open(path)).status]).toEqual([path, 403])
    expect([path, (await createVisitor(kiroku).open(path)).status]).toEqual([path, 303])
    expect([path, (await editor.post(path, { csrf: 'x' })).status]).toEqual([
      path,
      path === '/catalogue/twins' ? 405 : 403,
    ])
  }
})

test('D97 the preview tells what moves, in numbers, and what makes it doubtful', async () => {
  const { text } = await editor.open('/works/2/merge?into=1')
  const shown = [...text.matchAll(/data-moves="(\w+)" data-count="(\d+)"/g)].map(([, name, count]) => [
    name,
    Number(count),
  ])
  for (const [name, count] of shown)
    expect([name, row(`select count(*) as n from ${name} where work_id = 2`)?.n]).toEqual([name, count])
  expect(shown.map(([name]) => name)).toEqual(expect.arrayContaining(['records', 'statuses', 'reviews']))
  expect(text).toContain('Are they really the same?')
  expect(text).toContain('href="/works/1/merge?into=2"')
  expect(text).toMatch(/name="take_title_en"|class="choice chosen">Over there/)
})

/** Moved with what is counted, or so many that a number says nothing. */
const silent = [
  'activities library_entries laps work_aliases search_names series_works streams removed_parts program_slots',
  'former_images cover_fetches',
]

test('D97 every table that a merge moves is counted in the preview, or goes with one that is', async () => {
  const { text } = await editor.open('/works/1/merge?into=2')
  const { handle } = kiroku.store
  const counted = [...text.matchAll(/data-moves="(\w+)"/g)].map(([, name]) => name)
  const words = silent.join(' ').split(' ')
  for (const { table } of moves.work ?? []) {
    const isThere = handle.query(`select 1 from ${table} where work_id in (1, 2) limit 1`).values().length > 0
    if (isThere && !words.includes(table)) expect(counted).toContain(table)
  }
})

test('the other one is named by its number or an address, else asked for', async () => {
  expect((await editor.open('/works/2/merge')).text).toContain('name="into"')
  for (const into of ['1', 'http://localhost:3000/works/1-x', '/works/1'])
    expect((await editor.open(`/works/2/merge?into=${encodeURIComponent(into)}`)).text).toContain(
      'data-act="merge"',
    )
  for (const into of ['2', '999', 'x', 'mal:999999'])
    expect((await editor.open(`/works/2/merge?into=${into}`)).text).toContain('There is no other one')
})

test('D97 a merge is made by its form, leads to its change, and is undone there', async () => {
  const before = rows('select id, work_id, episode_id from records order by 1')
  const sent = await editor.submit(
    '/works/2/merge?into=1',
    { take_title: 'other', reason: '二重' },
    '/works/2/merge',
  )
  expect(sent.status).toBe(303)
  const change = idIn(sent.location)
  expect(row('select title, title_en from works where id = 1')).toEqual({
    title: 'あちら',
    title_en: 'Over there',
  })
  expect(rows("select title from work_aliases where work_id = 1 and title = 'こちら'")).toEqual([['こちら']])
  expect(rows('select 1 from records where work_id = 2')).toEqual([])
  expect((await editor.open('/works/2')).location).toBe('/works/1')
  const page = await editor.open(sent.location)
  expect(page.text).toContain('data-merge="moved"')
  expect(page.text).toContain('二重')
  const list = await editor.open('/works/1/history?by=merge')
  expect(list.text).toContain(`data-change="${change}"`)
  const undone = await editor.submit(sent.location, {}, `${sent.location}/undo`)
  expect(undone.status).toBe(303)
  expect((await editor.open(sent.location)).text).toContain('data-merge="parted"')
  expect(rows('select id, work_id, episode_id from records order by 1')).toEqual(before)
  expect(row('select title, title_en from works where id = 1')).toEqual({ title: 'こちら', title_en: '' })
  const token = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  expect((await editor.post(`${sent.location}/undo`, { csrf: token })).status).toBe(409)
})

test('what is refused keeps what was typed', async () => {
  const { text } = await editor.open('/works/2/merge?into=1')
  const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
  const refused = await editor.post('/works/2/merge', {
    csrf,
    into: '1',
    reason: `a${'\u202e'}b`,
    take_title: 'other',
  })
  expect(refused.status).toBe(422)
  expect(refused.text).toMatch(/name="take_title" value="other" checked/)
  expect((await editor.post('/works/2/merge', { csrf, into: '999' })).status).toBe(404)
})

test('D97 people are merged like works', async () => {
  const sent = await editor.submit('/catalogue/people/2/merge?into=1', {}, '/catalogue/people/2/merge')
  expect(sent.status).toBe(303)
  expect(row("select to_id from redirects where kind = 'person' and from_id = 2")).toEqual({ to_id: 1 })
  await editor.submit(sent.location, {}, `${sent.location}/undo`)
  expect(rows("select to_id from redirects where kind = 'person' and from_id = 2")).toEqual([])
})

test('D97 ticked episodes go to a new work, which is taken away again with its undo', async () => {
  const [[episode] = []] = rows('select min(id) from episodes where work_id = 1 and hidden = 0') as number[][]
  expect((await editor.submit('/works/1/split', { title: 'x' })).status).toBe(422)
  expect((await editor.submit('/works/1/split', { [`episode_${episode}`]: '1' })).status).toBe(422)
  const sent = await editor.submit('/works/1/split', { [`episode_${episode}`]: '1', title: '続き' })
  expect(sent.status).toBe(303)
  const made = row("select id, media, hidden from works where title = '続き'")
  expect(row(`select work_id from episodes where id = ${episode}`)).toEqual({ work_id: made?.id })
  await editor.submit(sent.location, {}, `${sent.location}/undo`)
  expect(row(`select work_id from episodes where id = ${episode}`)).toEqual({ work_id: 1 })
  expect(row(`select hidden from works where id = ${made?.id}`)).toEqual({ hidden: 1 })
})

const deps = () => kiroku.deps
const twins = async () => {
  const { text } = await editor.open('/catalogue/twins')
  return [...text.matchAll(/data-twin="(\d+-\d+)"/g)].map(([, pair]) => pair)
}

test('twins are found when a title changes, and those that are not the same stay so', async () => {
  expect(await twins()).toEqual([])
  const of = "update works set season_year = 2020, season = 'spring', media = 'tv'"
  kiroku.store.handle.run(`${of}, title = 'ふたご 第2期' where id = 1`)
  kiroku.store.handle.run(`${of}, title = '双子' where id = 2`)
  await editor.submit('/works/2/edit', { title: 'フタゴ 2nd season' })
  await refreshTwins(deps())
  expect(await twins()).toEqual(['1-2'])
  const page = await editor.open('/catalogue/twins')
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  expect((await editor.post('/catalogue/twins/deny', { csrf, work_id: '1', other_id: '2' })).status).toBe(303)
  expect(await twins()).toEqual([])
  await editor.submit('/works/2/edit', { title: 'ふたご 二期' })
  await refreshTwins(deps())
  expect(await twins()).toEqual([])
  expect(row('select is_denied, denied_by from twin_works')).toEqual({ is_denied: 1, denied_by: 1 })
})
