import { expect, test } from 'bun:test'
import { isSame } from '../../../src/catalogue/default/evidence'
import { bareTitle, titleText } from '../../../src/catalogue/title-key'
import { lines, workOf, works } from '../../support/built-catalogue'

test.each([
  ['魔法使いサリー 劇場版', '魔法使いサリー(映画)'],
  ['OVA とある科学の超電磁砲', 'とある科学の超電磁砲 OVA'],
  ['ONE PIECE the movie', 'ONE PIECE 劇場版'],
  ['ネギま!?夏', 'ネギま!?夏スペシャル!?'],
  ['いちご100% オリジナルDVD', 'いちご100%(オリジナルDVDアニメ)'],
])('%s and %s may be one work, if neither is on television', (one, other) => {
  expect(bareTitle(one)).toBe(bareTitle(other))
  expect(titleText(one)).not.toBe(titleText(other))
})

test('titles that differ only in words for the medium join within a season', () => {
  const film = {
    ...{ mal: false, arm: false, syobocal: false, numbers: false },
    ...({ title: 'name', media: 'near', bare: true } as const),
  }
  expect(isSame({ ...film, distance: 1 })).toBe(true)
  expect(isSame({ ...film, distance: 2 })).toBe(false)
  expect(isSame({ ...film, distance: null })).toBe(false)
})

test.each([
  [11630, 403045],
  [2651, 21065],
  [5674, 234771],
  [6812, 287049],
  [5965, 148098],
  [4872, 138180],
])('Annict %d is bangumi %d, whose former key is merged into it', (annict, bangumi) => {
  expect(workOf(annict)?.ids.bangumi).toBe(bangumi)
  expect(lines).toContainEqual({
    type: 'work',
    key: `bangumi:${bangumi}`,
    merged_into: `annict:${annict}`,
  })
})

test.each([[3806], [28712], [294137], [425211]])('bangumi %d is a work of its own', (bangumi) => {
  expect(works.find(({ ids }) => ids.bangumi === bangumi)?.ids.annict).toBeUndefined()
})

test('misspelt titles are corrected', () => {
  expect(workOf(4375)?.title_en).toBe('Prison School')
  expect(workOf(5495)?.title_en).toBe('ONE PUNCH MAN')
  expect(works.filter(({ aliases }) => aliases?.includes('ONE PANCH MAN'))).toEqual([])
})
