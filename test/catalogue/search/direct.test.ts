import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { rowAdder } from '../../../src/catalogue/search/index-row'
import { gramsOf, isSound } from '../../../src/catalogue/search/keys/grams'
import { keysOf, type SearchKey } from '../../../src/catalogue/search/keys/keys'
import { writtenKey } from '../../../src/catalogue/search/keys/written-key'
import type { RowTexts } from '../../../src/catalogue/search/texts'
import { findDirect, keysHolding, soundOf } from '../../../src/catalogue/search/ways/direct'
import { Hits, scores } from '../../../src/catalogue/search/ways/scores'
import { type CatalogueStore, catalogueStore } from '../../support/catalogue-store'

let store: CatalogueStore
beforeAll(async () => {
  store = await catalogueStore()
})
afterAll(() => store.close())

const kind = 'series'

function index(rows: readonly RowTexts[]): void {
  for (const index of ['series_search', 'series_key_search'])
    store.handle.run(`insert into ${index} (${index}) values ('delete-all')`)
  store.handle.run('delete from series_search_keys')
  const add = rowAdder(store.handle, kind)
  for (const row of rows) add(row)
}

const soughtIn = (text: string) =>
  [writtenKey(text), soundOf(text)].filter((sought) => gramsOf(sought).length > 0)

const isIn = (sought: string, { key, hasParts }: SearchKey) =>
  hasParts && isSound(key) === isSound(sought) && key.includes(sought)

/** Compares a key with the text letter by letter. */
function scoreInside(text: string, found: SearchKey): number {
  const less = (found.kind === 1 ? scores.name : 0) + (isSound(found.key) ? scores.sound : 0)
  const values = soughtIn(text)
    .filter((sought) => isIn(sought, found))
    .map((sought) => {
      const begun = new Set([0])
      let letters = 0
      for (const word of found.words.split(' ')) {
        letters += word.length
        begun.add(letters)
      }
      const at = found.key.indexOf(sought)
      const begins = begun.has(at) || /^[^ -~]/.test(sought)
      return (begins ? scores.inside : scores.insideWord) - less
    })
  return Math.max(0, ...values)
}

const word = fc.constantFrom('anime', 'an', 'アニメ', '旅', '2199')
const texts = fc
  .array(fc.tuple(word, fc.constantFrom('', '', ' ')), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.flat().join('').trim())
const rows = fc.array(
  fc.record({
    titles: fc.array(texts, { minLength: 1, maxLength: 3 }),
    others: fc.array(texts, { maxLength: 2 }),
    readings: fc.array(texts, { maxLength: 1 }),
  }),
  { maxLength: 8 },
)

test('within keys, a text is found as if comparing all keys one by one, whatever other names a row has', async () => {
  await fc.assert(
    fc.asyncProperty(rows, texts, fc.constantFrom(0, 5), async (some, text, less) => {
      const all = some.map((row, at) => ({ ...row, id: at + 1, site: '' }))
      index(all)
      const hits = new Hits()
      await findDirect(store.read, kind, text, hits, less)
      const scored = new Map(hits.from(0))
      for (const row of all) {
        const inside = Math.max(0, ...keysOf(row).map((key) => scoreInside(text, key)))
        const score = scored.get(row.id) ?? 0
        if (score < scores.beginning - scores.name - scores.sound - less)
          expect([text, row, score]).toEqual([text, row, Math.max(0, inside - less)])
      }
      for (const sought of soughtIn(text)) {
        const found = await keysHolding(store.read, kind, sought)
        const expected = all.filter((row) => keysOf(row).some((key) => isIn(sought, key)))
        expect(new Set(found.map(({ row }) => row))).toEqual(new Set(expected.map(({ id }) => id)))
      }
    }),
    {
      numRuns: 250,
      examples: [[[{ titles: ['旅ananime', 'an anime'], others: [], readings: [] }], 'anime', 0]],
    },
  )
})
