import { afterAll, beforeAll, expect, test } from 'bun:test'
import { kinds } from '../../../src/catalogue/import/kinds/kinds'
import { createInstance, type Instance } from '../../support/instance'
import { seedLibrary } from '../../support/seed-library'
import { createMember, createVisitor, type Visitor } from '../../support/visitor'

let kiroku: Instance
let editor: Visitor
beforeAll(async () => {
  kiroku = await createInstance({ seed: seedLibrary })
  kiroku.store.handle.run("update users set is_editor = 1 where username = 'mio'")
  kiroku.store.handle.run("insert into sources (id, name, priority) values (40, 'bangumi-data', 40)")
  // What a seed writes is the administrator's.
  for (const { table } of kinds) kiroku.store.handle.run(`update ${table} set source_id = 40`)
  for (const table of ['work_aliases', 'series_works', 'streams'])
    kiroku.store.handle.run(`update ${table} set source_id = 40`)
  kiroku.store.handle.run("update works set title_en = 'Wrong' where id = 1")
  editor = await createMember(kiroku, 'mio')
})
afterAll(() => kiroku.close())

const path = '/catalogue/corrections'

test('D98: the file of corrections is for editors', async () => {
  expect((await createVisitor(kiroku).open(path)).location).toStartWith('/sign_in?')
  const member = await createMember(kiroku, 'azusa')
  expect((await member.open(path)).status).toBe(403)
  expect((await member.post(path, { since: '' })).status).toBe(403)
})

test('D98: an editor gets what was set by hand, with why, and since a day', async () => {
  await editor.submit('/works/1/edit', {
    ...{ title_en: 'Right', reason: 'see the site', source_url: 'https://a.example/work' },
  })
  expect((await editor.open('/catalogue/changes')).text).toContain(`href="${path}"`)
  const file = await editor.submit(path, { since: '' })
  expect(file.headers.get('content-disposition')).toMatch(
    /^attachment; filename="corrections-\d{4}-\d\d-\d\d\.jsonl"$/,
  )
  const [head, ...lines] = file.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(head).toMatchObject({ type: 'catalogue', version: 1 })
  expect(head.name).toStartWith('corrections/')
  expect(lines).toMatchObject([
    {
      ...{ type: 'work', title_en: 'Right', was: { title_en: 'Wrong' } },
      ...{ reason: 'see the site', evidence: ['https://a.example/work'] },
    },
  ])
  expect(file.text).not.toContain('mio')
  const day = new Date(kiroku.deps.now() + 86_400_000).toISOString().slice(0, 10)
  expect((await editor.submit(path, { since: day })).text.trimEnd().split('\n')).toHaveLength(1)
})

test('D98: a day that does not exist is shown again with the rule', async () => {
  const refused = await editor.submit(path, { since: '2026-02-30' })
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('value="2026-02-30"')
})
