import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findDrift } from '../../../src/catalogue/counters/recount'
import type { ListImport } from '../../../src/transfer/batch/list-import'
import type { Lists } from '../../../src/transfer/batch/lists'
import { listsOf } from '../../../src/transfer/batch/lists-of'
import { isBuilt } from '../../support/default-catalogue'
import { createInstance, type Instance } from '../../support/instance'
import { dumpOf, listedCatalogue, listsFolder } from './support'

const mio = 1

let kiroku: Instance
let lists: Lists
beforeAll(async () => {
  if (!isBuilt) return
  kiroku = await createInstance({ seed: listedCatalogue })
  lists = listsOf(kiroku.deps)
}, 120_000)
afterAll(async () => {
  await lists?.close()
  await kiroku?.close()
})

interface Expected {
  readonly source: string
  readonly file_error?: string
  readonly asks?: string
  readonly counts: Readonly<Record<string, number>>
  readonly rows: readonly ExpectedRow[]
}

type ExpectedRow = Readonly<Record<string, unknown>> & { readonly row: number; readonly state: string }

const expectations = [...new Bun.Glob('*/*.expected.json').scanSync(listsFolder)]
  .sort()
  .map((name): [string, Expected] => [
    name.replace('.expected.json', ''),
    JSON.parse(readFileSync(join(listsFolder, name), 'utf8')),
  ])
  .filter(([, { file_error }]) => file_error === undefined)

const readExample = (name: string) => lists.read(mio, { path: join(listsFolder, name), name }, {})

async function applied({ id }: ListImport): Promise<ListImport> {
  await lists.apply(mio, id, { acceptsProbable: false })
  await lists.settled(id)
  return await lists.find(mio, id)
}

async function undone({ id }: ListImport): Promise<ListImport> {
  await lists.undo(mio, id)
  await lists.settled(id)
  return await lists.find(mio, id)
}

test.skipIf(!isBuilt).each(expectations)(
  'an example is previewed, applied, unchanged the second time, undone and applied again: %s',
  async (name, expected) => {
    const before = dumpOf(kiroku.store.handle)
    const preview = await readExample(name)
    expect(preview).toMatchObject({ source: expected.source, state: 'preview', counts: expected.counts })
    expect(dumpOf(kiroku.store.handle)).toEqual(before)
    if (expected.asks === 'score_format') {
      expect(preview.asks.map((ask) => ask.name)).toContain('score_format')
      await expect(lists.apply(mio, preview.id, { acceptsProbable: false })).rejects.toThrow('score_format')
      await lists.setOptions(mio, preview.id, { scoreFormat: 'POINT_3' })
    }
    const first = await applied(preview)
    expect(first).toMatchObject({ state: 'applied', counts: expected.counts })
    expect(first.progress.done).toBe(first.progress.total)
    const after = dumpOf(kiroku.store.handle)

    const second = await readExample(name)
    if (expected.asks === 'score_format') await lists.setOptions(mio, second.id, { scoreFormat: 'POINT_3' })
    const again = await lists.find(mio, second.id)
    expect(again.counts.new).toBe(0)
    expect(again.sums).toEqual({ records: 0, statuses: 0, reviews: 0, listed: 0 })
    expect((await applied(again)).state).toBe('applied')
    expect(dumpOf(kiroku.store.handle)).toEqual(after)

    expect(await undone(again)).toMatchObject({ state: 'undone', left: [] })
    expect(await undone(first)).toMatchObject({ state: 'undone', left: [] })
    expect(dumpOf(kiroku.store.handle)).toEqual(before)

    const third = await readExample(name)
    if (expected.asks === 'score_format') await lists.setOptions(mio, third.id, { scoreFormat: 'POINT_3' })
    const { sums } = await applied(third)
    expect(sums).toEqual(first.sums)
    await undone(third)
    expect(dumpOf(kiroku.store.handle)).toEqual(before)
    for (const { id } of [first, second, third]) {
      await lists.remove(mio, id)
      await lists.settled(id)
    }
  },
  60_000,
)

test.skipIf(!isBuilt)('after all of them, every counter equals a count of the rows (D40)', () => {
  expect(findDrift(kiroku.store.handle)).toEqual([])
})
