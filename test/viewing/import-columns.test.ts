import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { uploadDirectory } from '../../src/http/upload/directory'
import { previewMs } from '../../src/transfer/batch/limits'
import { listsOf } from '../../src/transfer/batch/lists-of'
import { mostShapes } from '../../src/transfer/batch/tables'
import { limits } from '../../src/transfer/file/limits'
import { rowsOf } from '../support/counted'
import { sendList, untilSettled } from '../support/imports'
import { type Body, createInstance, type Instance } from '../support/instance'
import { createMember, type Visitor } from '../support/visitor'

let kiroku: Instance
let mio: Visitor
beforeEach(async () => {
  kiroku = await createInstance()
  mio = await createMember(kiroku, 'mio')
  kiroku.store.handle.run('delete from statuses; delete from records; delete from reviews')
})
afterEach(() => kiroku.close())

const path = '/settings/import/columns'
const table = (...rows: string[]) => ['No,さくひん,みた?,ほし', ...rows].join('\n')
const list = table('1,星降る庭,みたよ,4', '2,100%の恋,,')
const named = { column_2: 'title', column_4: 'rating', all: 'watched' }
const stored = (name: 'table_shapes' | 'waiting_tables') => rowsOf(kiroku.store.handle, name)
const statuses = () => rowsOf(kiroku.store.handle, 'statuses').map(({ work_id, kind }) => [work_id, kind])

describe('a table with unknown headers', () => {
  test('asks which column is which, with its first lines, and is read as answered', async () => {
    expect(await sendList(mio, list, { name: 'mine.csv' })).toMatchObject({ status: 303, location: path })
    const { text } = await mio.open(path)
    for (const part of [
      'さくひん',
      '星降る庭 · 100%の恋',
      'mine.csv',
      '<option value="title">Title</option>',
    ])
      expect(text).toContain(part)
    const { status, location } = await mio.submit(path, named, path)
    expect([status, location]).toEqual([303, '/settings/import/1'])
    expect(stored('waiting_tables')).toEqual([])
    expect(readdirSync(uploadDirectory(kiroku.deps))).toEqual([])
    await mio.submit(`${location}?accept=probable`, { score_format: 'POINT_5' }, `${location}/options`)
    await mio.submit(`${location}?accept=probable`, {}, `${location}/apply`)
    await untilSettled(kiroku)
    expect(statuses()).toContainEqual([1, 'watched'])
  })

  test('is read at once the next time, until its columns are forgotten', async () => {
    await sendList(mio, list)
    await mio.submit(path, named, path)
    expect((await sendList(mio, table('3,海のＡＢＣ,,5'))).location).toBe('/settings/import/2')
    expect((await sendList(mio, 'No,みた?,さくひん,ほし\n1,,a,5')).location).toBe(path)
    const azusa = await createMember(kiroku, 'azusa')
    expect((await sendList(azusa, list)).location).toBe(path)
    const { text } = await mio.open('/settings/import')
    expect(text).toContain('さくひん → Title, ほし → Rating')
    const [shape] = stored('table_shapes')
    const forget = `/settings/import/tables/${shape?.id}/forget`
    await azusa.submit('/settings/import', {}, forget).catch(() => undefined)
    expect(stored('table_shapes')).toHaveLength(1)
    await mio.submit('/settings/import', {}, forget)
    expect(stored('table_shapes')).toEqual([])
    expect((await sendList(mio, list)).location).toBe(path)
  })

  test('is asked again, with what was chosen, if that is not enough', async () => {
    await sendList(mio, list)
    for (const few of [{}, { column_2: 'title' }, { column_4: 'rating' }]) {
      const { status, text } = await mio.submit(path, few, path)
      expect([status, text]).toEqual([422, expect.stringContaining('Choose at least the title or an id')])
    }
    expect((await mio.submit(path, { column_2: 'title' }, path)).text).toContain(
      '<option value="title" selected>',
    )
    expect([stored('table_shapes'), stored('waiting_tables').length]).toEqual([[], 1])
  })

  test('can be one whose columns are known, if that is chosen', async () => {
    const known = 'title,status\n星降る庭,watched'
    expect((await sendList(mio, known)).location).toBe('/settings/import/1')
    expect((await sendList(mio, known, { source: 'columns' })).location).toBe(path)
    expect((await mio.open(path)).text).toContain('<option value="status" selected>')
  })
})

describe('what is kept', () => {
  test('is one table a person, of at most 4 MiB, for as long as a preview', async () => {
    await sendList(mio, list, { name: 'one.csv' })
    await sendList(mio, list, { name: 'two.csv' })
    expect(stored('waiting_tables').map(({ file_name }) => file_name)).toEqual(['two.csv'])
    const large = await sendList(mio, table(`1,a,b,${'c'.repeat(500_000)}\n`.repeat(9)))
    expect([large.status, large.text]).toEqual([400, expect.stringContaining('may have up to 4 MiB')])
    expect(limits.table).toBe(4 * 1024 * 1024)
    const lists = listsOf(kiroku.deps)
    await lists.resume()
    expect(stored('waiting_tables')).toHaveLength(1)
    kiroku.clock.now += previewMs + 1
    await lists.resume()
    expect(stored('waiting_tables')).toEqual([])
    mio = await createMember(kiroku, 'mio')
    expect((await mio.open(path)).location).toBe('/settings/import')
  })

  test('is at most so many shapes of tables, the newest', async () => {
    for (let n = 0; n < mostShapes + 2; n += 1) {
      await sendList(mio, `さくひん${n},ほし\na,4`)
      await mio.submit(path, { column_1: 'title', column_2: 'rating' }, path)
    }
    const headers = stored('table_shapes').map(({ header }) => JSON.parse(String(header))[0])
    expect(headers).toEqual(Array.from({ length: mostShapes }, (_, n) => `さくひん${n + 2}`))
  })
})

test('by the API, the refusal names the columns, and `columns` says which is which, for the next table too', async () => {
  const send = (more: Record<string, string> = {}) => {
    const form = new FormData()
    form.append('file', new File([list], 'mine.csv'))
    for (const [name, value] of Object.entries(more)) form.append(name, value)
    return kiroku.get('/v1/me/imports', { method: 'POST', body: form })
  }
  const refused = await send()
  const { errors }: Body = await refused.json()
  expect([refused.status, errors[0].developer_message]).toEqual([
    400,
    expect.stringMatching(/^unknown_columns: .*No, さくひん, みた\?, ほし.*columns, as in title=1/),
  ])
  expect((await send({ columns: 'title=2' })).status).toBe(400)
  expect((await send({ columns: 'title=さくひん,status=:watched,rating=4' })).status).toBe(201)
  expect((await send()).status).toBe(201)
})
