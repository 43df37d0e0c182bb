import { expect, test } from 'bun:test'
import { previewOf, untilSettled } from '../support/imports'
import { createInstance } from '../support/instance'
import { createMember } from '../support/visitor'

const ownFile = JSON.stringify({
  ...{ format: 'kiroku user', version: 2, exported_at: '', profile: { two_step_since: null } },
  works: [{ id: 1, title: '星降る庭', media: 'tv', ids: {} }],
  skips: [
    { episode: { work_id: 1, number: '2', sort_number: 20 }, lap: 1, created_at: '2026-01-01T00:00:00Z' },
  ],
  notes: [{ work: { id: 1, title: '星降る庭' }, text: '内緒', updated_at: '2026-01-01T00:00:00Z' }],
})

test("a preview says in the reader's language what is left out of a row", async () => {
  const kiroku = await createInstance()
  const list =
    'title,status,started_on,finished_on\n星降る庭,watched,2026-03-02,2026-03-01\n100点の恋,watched,2016-02-30,\n'
  const previewIn = async (language: 'en' | 'ja') => {
    const member = await createMember(kiroku, language === 'ja' ? 'Ritsu_T' : 'mio', { language })
    return (await member.open(await previewOf(member, list))).text
  }
  const [en, ja] = [await previewIn('en'), await previewIn('ja')]
  await kiroku.close()
  expect(en).toContain('finished on 2026-03-01, before it was started on 2026-03-02</small>')
  expect(ja).toContain('見終えた日 2026-03-01 が見始めた日 2026-03-02 より前です</small>')
  expect(ja).toContain('見始めた日 2016-02-30 は使えない日付です</small>')
})

test("a preview of kiroku's own file mentions skipped episodes and private notes, not their text", async () => {
  const kiroku = await createInstance()
  const mio = await createMember(kiroku, 'mio')
  const { text } = await mio.open(await previewOf(mio, ownFile))
  await kiroku.close()
  expect(text).toContain('skips 1 episode · private note')
  expect(text).not.toContain('内緒')
})

test('if existing values stay, a preview shows what fills their gaps, and so does the report', async () => {
  const kiroku = await createInstance()
  const mio = await createMember(kiroku, 'mio')
  kiroku.store.handle.run('delete from statuses; delete from records; delete from reviews')
  const rowsIn = (text: string) =>
    [...text.matchAll(/<div class="import-adds">([\s\S]*?)<\/div>/g)].map(([, row = '']) =>
      row.replace(/<[^>]*>/g, '').replace(/\s+/g, ' '),
    )
  const apply = async (list: string) => {
    const page = await previewOf(mio, list)
    const before = rowsIn((await mio.open(page)).text)
    await mio.submit(page, {}, `${page}/apply`)
    await untilSettled(kiroku)
    return { before, after: rowsIn((await mio.open(page)).text) }
  }
  const head = 'work_id,title,status,rating,comment'
  await apply(`${head}\n1,星降る庭,watching,,\n4,無題,wanna_watch,good,Fine\n`)
  const { before, after } = await apply(
    `${head}\n1,星降る庭,watched,great,Loved it\n4,無題,watched,bad,Meh\n`,
  )
  await kiroku.close()
  expect(before).toEqual(['here: Watching → Great · review', 'here: Plan to watch · Good · review → nothing'])
  expect(after).toEqual(before)
})
