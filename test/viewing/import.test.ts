import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { rowsOf } from '../support/counted'
import { list, previewOf, untilSettled } from '../support/imports'
import { createInstance, type Instance } from '../support/instance'
import { createMember, type Visitor } from '../support/visitor'

let kiroku: Instance
let mio: Visitor
beforeEach(async () => {
  kiroku = await createInstance()
  mio = await createMember(kiroku, 'mio')
  kiroku.store.handle.run('delete from statuses; delete from records; delete from reviews')
})
afterEach(() => kiroku.close())

const path = '/settings/import'
const records = () => rowsOf(kiroku.store.handle, 'records').length
const csrfIn = ({ text }: { text: string }) => /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
const imports = () => rowsOf(kiroku.store.handle, 'list_imports').map(({ state }) => state)

describe('a preview', () => {
  let preview: string
  beforeEach(async () => {
    preview = await previewOf(mio, list)
  })
  const decide = (row: number, values: Record<string, string>, query = '') =>
    mio.submit(`${preview}?row=${row}${query}`, values, `${preview}/rows/${row}`)

  test('says in one sentence what can be imported, and changes nothing', async () => {
    const { text } = await mio.open(preview)
    expect(text).toContain(
      '<b>2 of 5</b> entries can be imported: 1\u00a0episode, 2\u00a0statuses, 2\u00a0ratings and reviews.',
    )
    expect(text).toContain('Import 2 entries</button>')
    expect(records()).toBe(0)
  })

  test('has a link to each state, with its count and only its rows', async () => {
    const { text } = await mio.open(preview)
    for (const [state, count] of [
      ['new', 2],
      ['check', 1],
      ['not_found', 1],
      ['error', 1],
    ] as const) {
      expect(text).toMatch(new RegExp(`href="${preview}\\?state=${state}"[\\s\\S]{0,700}"figure">${count}<`))
      const shown = (await mio.open(`${preview}?state=${state}`)).text
      expect([state, shown.match(/id="row-/g)?.length]).toEqual([state, count])
    }
    expect((await mio.open(`${preview}?state=skipped`)).text).toContain('No entries of this kind')
    expect((await mio.open(`${preview}?state=error`)).text).toContain('cannot be read: status')
  })

  test('shows for a row what the file says, which work it is and what is added', async () => {
    const { text } = await mio.open(preview)
    const [, row = ''] = /id="row-1"([\s\S]*?)<\/li>/.exec(text) ?? []
    for (const part of [
      '星降る庭',
      'Watching',
      '/works/1"',
      'Garden of Falling Stars',
      'same id',
      'Good',
      'To add',
    ])
      expect(row).toContain(part)
  })

  test('proposes works for a row to check, and searches for others', async () => {
    const proposed = (await mio.open(`${preview}?state=check`)).text
    expect(proposed).toContain('name="work_id" value="5" checked')
    const found = (await mio.open(`${preview}?row=4&q=${encodeURIComponent('海のＡＢＣ')}`)).text
    expect(found).toContain('name="work_id" value="3" checked')
    expect((await mio.open(`${preview}?row=4&q=zzzzzz`)).text).toContain('Nothing found')
  })

  test('accepts a chosen work, and leads to the next row of the same state, or back to the row', async () => {
    const chosen = await decide(4, { work_id: '3' })
    expect([chosen.status, chosen.location]).toEqual([303, `${preview}#row-4`])
    const [, row = ''] = /id="row-4"([\s\S]*?)<\/li>/.exec((await mio.open(preview)).text) ?? []
    expect([row.includes('your choice'), row.includes('To add')]).toEqual([true, true])
    const filtered = await mio.submit(`${preview}?state=check`, { decision: 'skip' }, `${preview}/rows/3`)
    expect(filtered.location).toBe(`${preview}?state=check`)
    expect((await mio.open(preview)).text).toContain('you left it out')
  })

  test('refuses an unknown work, and says so', async () => {
    const odd = await decide(4, { work_id: '999' })
    expect([odd.status, odd.location]).toEqual([303, preview])
    expect((await mio.open(preview)).text).toContain('Nothing was done')
    expect((await mio.post(`${preview}/rows/0`, { csrf: 'x' })).status).toBe(403)
  })

  test('accepts the probable rows at once', async () => {
    expect((await mio.open(preview)).text).toContain(`href="${preview}?accept=probable">Accept the 1<`)
    const { text } = await mio.open(`${preview}?accept=probable`)
    expect(text).toContain('Import 3 entries</button>')
    await mio.submit(`${preview}?accept=probable`, {}, `${preview}/apply`)
    await untilSettled(kiroku)
    expect((await mio.open(preview)).text).toContain('2 entries were not imported')
  })

  test("stores the user's answers, and keeps the other options unchanged", async () => {
    const answer = await mio.submit(preview, { conflict: 'file' }, `${preview}/options`)
    expect([answer.status, answer.location]).toEqual([303, preview])
    expect((await mio.open(preview)).text).toContain('value="file" aria-describedby="means-file" checked')
  })

  test('is nobody else’s: none of its addresses exist for them', async () => {
    const azusa = await createMember(kiroku, 'azusa')
    for (const target of [preview, `${preview}/rest.csv`, `${path}/99`, `${path}/x`])
      expect([target, (await azusa.open(target)).status]).toEqual([target, 404])
    const csrf = csrfIn(await azusa.open(path))
    for (const act of ['options', 'apply', 'undo', 'delete', 'rows/1'])
      expect([act, (await azusa.post(`${preview}/${act}`, { csrf })).status]).toEqual([act, 404])
    expect(imports()).toEqual(['preview'])
    expect((await azusa.open(path)).text).toContain('You have not imported anything yet')
  })

  test('can be discarded', async () => {
    const gone = await mio.submit(path, {}, `${preview}/delete`)
    expect([gone.status, gone.location]).toEqual([303, path])
    expect((await mio.open(preview)).status).toBe(404)
  })
})

test('promises nothing where what differs is kept, and what it adds is what it says', async () => {
  const file = (status: string, progress: number) =>
    `work_id,title,status,progress\n1,星降る庭,${status},${progress}\n4,無題,${status},`
  await mio.submit(await previewOf(mio, file('watching', 1)), {}, `${path}/1/apply`)
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

describe('an import', () => {
  let page: string
  beforeEach(async () => {
    page = await previewOf(mio, list)
    expect((await mio.submit(page, {}, `${page}/apply`)).location).toBe(page)
    await untilSettled(kiroku)
  })

  test('reports what it did, with links to the works and to the rest', async () => {
    const { text } = await mio.open(page)
    expect(text).toMatch(/Episodes<\/th><td class="number"><b>1</)
    expect(text).toContain('3 entries were not imported')
    expect(text).toContain('href="/works/1"')
    expect(text).not.toContain('/rows/')
    expect(records()).toBe(1)
  })

  test('offers the rest as a table that can be imported, without formulas', async () => {
    const rest = await mio.open(`${page}/rest.csv`)
    expect(rest.headers.get('content-disposition')).toBe('attachment; filename="rest.csv"')
    expect(rest.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(rest.text).toContain('Nobody knows this')
    expect(rest.text).not.toContain('星降る庭')
    const again = await previewOf(mio, rest.text.replace('"Nobody knows this",', '"Nobody knows this",4'))
    expect((await mio.open(again)).text).toContain('<b>1 of 3</b>')
  })

  test('is undone from its page and from the history, and deleted from there', async () => {
    expect((await mio.submit(path, {}, `${page}/undo`)).location).toBe(page)
    await untilSettled(kiroku)
    expect(records()).toBe(0)
    const { text } = await mio.open(page)
    expect(text).toContain('<h1>Import undone</h1>')
    expect((await mio.open(path)).text).toContain('Undone')
    await mio.submit(page, {}, `${page}/delete`)
    expect((await mio.open(path)).text).toContain('You have not imported anything yet')
  })

  test('that has moved on is not changed by an outdated page, which says so', async () => {
    const csrf = csrfIn(await mio.open(page))
    for (const act of ['options', 'rows/1']) {
      const answer = await mio.post(`${page}/${act}`, { csrf, conflict: 'file', decision: 'skip' })
      expect([answer.status, answer.location]).toEqual([303, page])
      expect((await mio.open(page)).text).toContain('the state of the import has changed')
    }
  })

  test('lists what an undo left', async () => {
    const [record] = rowsOf(kiroku.store.handle, 'records')
    const body = new URLSearchParams({ comment: 'Mine' })
    expect((await kiroku.get(`/v1/me/records/${record?.id}`, { method: 'PATCH', body })).status).toBe(200)
    await mio.submit(page, {}, `${page}/undo`)
    await untilSettled(kiroku)
    const { text } = await mio.open(page)
    expect(text).toMatch(/Not undone[\s\S]*href="\/works\/1"[\s\S]*Record · changed since/)
  })
})

describe('while it is running', () => {
  const stateOf = async (columns: string) => {
    const page = await previewOf(mio, list)
    kiroku.store.handle.run(`update list_imports set ${columns}`)
    return (await mio.open(page)).text
  }

  test('an import shows its progress, updates with script and without, and can be stopped', async () => {
    const text = await stateOf("state = 'applying', done = 2, total = 5")
    expect(text).toContain('role="progressbar"')
    expect(text).toContain('aria-valuetext="2 of 5"')
    expect(text).toContain('<noscript><meta http-equiv="refresh" content="3" /></noscript>')
    expect(text).toContain('data-poll="2"')
    expect(text).toContain('action="/settings/import/1/undo"')
    expect((await mio.open(path)).text).not.toContain('/settings/import/1/delete')
  })

  test.each([
    ["state = 'undoing', done = 1, total = 5", 'Undoing the import'],
    ["state = 'reading'", 'Reading the file'],
    ["state = 'failed', error = 'Out of luck'", 'This import failed'],
    ["state = 'expired'", 'This preview has expired'],
  ])('%s has a page of its own', async (columns, title) => {
    const text = await stateOf(columns)
    expect(text).toContain(title)
    expect(text.includes('/undo"')).toBe(title === 'This import failed')
  })
})

test('an unknown scale is asked for before anything can be applied', async () => {
  const page = await previewOf(mio, 'work_id,title,status,rating\n1,星降る庭,watched,4\n4,無題,watched,5')
  const asked = (await mio.open(page)).text
  expect(asked).toContain('Choose the scale')
  expect(asked).not.toContain(`action="${page}/apply"`)
  await mio.submit(page, { conflict: 'keep', score_format: 'POINT_5' }, `${page}/options`)
  expect((await mio.open(page)).text).toContain('Import 2 entries</button>')
})

test('a decision leads to the next row that needs one', async () => {
  const page = await previewOf(
    mio,
    'title,status\n100%の恋,watched\n星降る庭,watched\nNobody,watched\n海のＡＢＣ,watched',
  )
  const decide = (row: number) =>
    mio.submit(`${page}?state=check&row=${row}`, { decision: 'skip' }, `${page}/rows/${row}`)
  expect((await decide(1)).location).toBe(`${page}?state=check&row=2#row-2`)
  expect((await decide(4)).location).toBe(`${page}?state=check&row=2#row-2`)
  expect((await decide(2)).location).toBe(`${page}?state=check`)
})

test('rows have pages of 50', async () => {
  const rows = Array.from({ length: 60 }, (_, n) => `,Unknown ${n},2001,watched,,,`)
  const page = await previewOf(mio, [list.split('\n')[0], ...rows].join('\n'))
  const [first, second] = [(await mio.open(page)).text, (await mio.open(`${page}?page=2`)).text]
  expect([first.match(/id="row-/g)?.length, second.match(/id="row-/g)?.length]).toEqual([50, 10])
  expect(first).toContain(`href="${page}?page=2"`)
})
