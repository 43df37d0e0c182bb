import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { searchDrift } from '../../../src/catalogue/counters/search-drift'
import { indexRow, matches, searchTerm, unindexRow } from '../../../src/catalogue/search/contains'
import type { SearchKind } from '../../../src/catalogue/search/texts'
import { openStore, type Store } from '../../../src/db/open'
import { fold, withoutMarks } from '../../../src/lib/fold'
import { type CatalogueStore, catalogueStore, header, work } from '../../support/catalogue-store'
import { codePoint } from '../../support/code-point'

let store: CatalogueStore
let open: Store
beforeAll(async () => {
  store = await catalogueStore()
  open = openStore(store.directory, store.handle)
})
afterAll(() => open.close())

/** Ids of the works found on the reading connection, which may change nothing and trusts nothing. */
async function found(text: string): Promise<number[]> {
  const term = sql<string>`${searchTerm(text)}`
  const rows = await open.read
    .selectFrom('works')
    .select('id')
    .where(matches('works', term))
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

test('D17 folding a folded text changes nothing, for any character', () => {
  for (let code = 1; code < 0x30000; code++) {
    if (code >= 0xd800 && code < 0xe000) continue
    const folded = fold(String.fromCodePoint(code))
    if (fold(folded) !== folded) throw new Error(`U+${code.toString(16)}`)
  }
  fc.assert(fc.property(fc.string({ unit: codePoint }), (text) => fold(fold(text)) === fold(text)))
})

test('D17 case, width and kana make no difference', () => {
  expect(fold('ﾌﾘｰﾚﾝ')).toBe(fold('ふりーれん'))
  expect(fold('ＡＢＣ　ｱ')).toBe('abc あ')
  expect(fold('ヴァイオレット・エヴァーガーデン')).toBe(fold('ゔぁいおれっと・えゔぁーがーでん'))
  expect(fold('ΟΔΟΣ')).toBe(fold('οδος'))
})

test('D17 title, reading, English title and aliases are searched, the romanized title is not', async () => {
  await store.load('mine', [
    work('annict:1', {
      title: '葬送のフリーレン',
      title_kana: 'そうそうのふりーれん',
      title_en: 'Beyond Journey',
      title_ro: 'Sousou',
      aliases: ['葬送的芙莉莲'],
    }),
    work('annict:2', { title: '100%_\\ "quoted" OR x*' }),
    work('annict:3', { title: '🎌絵文字' }),
  ])
  expect(await found('Sousou')).toEqual([])
  expect(await found('')).toEqual([])
  expect(await found('x'.repeat(5000))).toEqual([])
  for (const text of [
    'フリーレン',
    'ﾌﾘｰﾚﾝ',
    'ふりー',
    '葬',
    'ン',
    'そうそう',
    'JOURNEY',
    'ey',
    '芙莉',
    '莲',
  ]) {
    expect(await found(text)).toEqual([1])
  }
})

test('D17 letters are compared without marks, spaces and the long mark; a text of nothing but marks is compared as it is', async () => {
  for (const text of ['フリ・レン', 'ふ り～れん', '葬送のフリレーン', 'beyondjourney'])
    expect(await found(text)).toEqual([1])
  await store.load('mine', [work('annict:4', { title: '〜序〜!!' }), work('annict:5', { title: '～破～!' })])
  for (const text of ['〜', '～', '∼']) expect(await found(text)).toEqual([4, 5])
  expect(await found('!!')).toEqual([4])
  expect(await found('～!!')).toEqual([4])
  expect(await found(' ')).toEqual([1, 2])
})

test('D17 every character stands for itself, and no match spans two texts', async () => {
  for (const text of ['%', '_', '0%_', '\\', '"', 'd" o', 'or', 'x*', '*'])
    expect(await found(text)).toEqual([2])
  for (const text of ['🎌', '🎌絵']) expect(await found(text)).toEqual([3])
  expect(await found('んそう')).toEqual([])
  expect(await found('フリーン')).toEqual([])
})

const asItIs = (text: string) => fold(text).replaceAll('〜', '~')

test('D17 a search finds what a plain substring test finds', async () => {
  const text = fc.string({
    unit: fc.constantFrom('あ', 'ア', 'a', 'B', '%', 'ー', '漢', '🎌', ' ', '～', '〜'),
    maxLength: 6,
  })
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 4 }), text, async (texts, sought) => {
      indexRow(store.handle, 'works', 1, texts)
      const form = withoutMarks(fold(sought)) === '' ? asItIs : (one: string) => withoutMarks(fold(one))
      const expected = sought !== '' && texts.some((one) => form(one).includes(form(sought)))
      expect((await found(sought)).includes(1)).toBe(expected)
    }),
    { numRuns: 300 },
  )
})

test('the check finds a row whose index is wrong or outdated', () => {
  indexRow(store.handle, 'works', 1, ['something else'])
  unindexRow(store.handle, 'works', 2)
  indexRow(store.handle, 'people', 99, ['nobody'])
  const wrong: { kind: SearchKind; id: number }[] = [
    { kind: 'works', id: 1 },
    { kind: 'works', id: 2 },
    { kind: 'people', id: 99 },
  ]
  expect(searchDrift(store.handle)).toEqual(wrong)
})

test('D42 the index still contains a hidden work, for users who have a status of it', async () => {
  await store.load(header('mine'), [{ type: 'work', key: 'annict:3', deleted: true }])
  expect(await found('絵文字')).toEqual([3])
})
