import { expect, test } from 'bun:test'
import { previewOf } from '../support/imports'
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

test('a preview tells what is left out of a row', async () => {
  const kiroku = await createInstance()
  const mio = await createMember(kiroku, 'mio')
  const list = 'title,status,started_on,finished_on\n星降る庭,watched,2026-03-02,2026-03-01\n'
  const { text } = await mio.open(await previewOf(mio, list))
  await kiroku.close()
  expect(text).toContain('lang="en">finished_on 2026-03-01 is before started_on 2026-03-02</small>')
})

test("a preview of kiroku's own file tells skipped episodes and private notes, not what they say", async () => {
  const kiroku = await createInstance()
  const mio = await createMember(kiroku, 'mio')
  const { text } = await mio.open(await previewOf(mio, ownFile))
  await kiroku.close()
  expect(text).toContain('skips 1 episode · private note')
  expect(text).not.toContain('内緒')
})
