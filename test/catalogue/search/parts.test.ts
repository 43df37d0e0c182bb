import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { idIn } from '../../../src/catalogue/search/ways/by-address'
import { piecesIn } from '../../../src/catalogue/search/ways/pieces'
import { seasonIn } from '../../../src/catalogue/search/ways/season'
import { distanceToBeginning } from '../../../src/catalogue/search/ways/typos'

/** Textbook optimal string alignment: from a text to each prefix of another one. */
function byTheBook(text: string, other: string): number {
  const costs = [Array.from({ length: other.length + 1 }, (_, to) => to)]
  const at = (row: number, to: number) => costs[row]?.[to] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= text.length; row++) {
    costs.push([row])
    for (let to = 1; to <= other.length; to++) {
      const changed = at(row - 1, to - 1) + (text[row - 1] === other[to - 1] ? 0 : 1)
      const isSwap = text[row - 1] === other[to - 2] && text[row - 2] === other[to - 1]
      const swapped = isSwap ? at(row - 2, to - 2) + 1 : Number.POSITIVE_INFINITY
      costs[row]?.push(Math.min(changed, swapped, at(row - 1, to) + 1, at(row, to - 1) + 1))
    }
  }
  return Math.min(...(costs[text.length] ?? []))
}

test('edits are counted as in the textbook', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 })
  fc.assert(
    fc.property(text, text, fc.constantFrom(0, 1, 2), (one, other, most) => {
      expect(distanceToBeginning(one, other, most)).toBe(Math.min(most + 1, byTheBook(one, other)))
    }),
    { numRuns: 3000 },
  )
})

describe('seasons', () => {
  test.each([
    ['進撃の巨人 2期', '進撃の巨人', 2],
    ['進撃の巨人 第2シーズン', '進撃の巨人', 2],
    ['進撃の巨人 二期', '進撃の巨人', 2],
    ['attack on titan s3', 'attack on titan', 3],
    ['K-ON 2nd season', 'k-on', 2],
    ['K-ON second season', 'k-on', 2],
    ['K-ON Season 2', 'k-on', 2],
    ['ルパン三世 PART Ⅲ', 'ルパン三世', 3],
    ['デート・ア・ライブIV', 'デート・ア・ライブ', 4],
    ['ちはやふる2', 'ちはやふる', 2],
    ['進撃の巨人 The Final Season', '進撃の巨人', 'final'],
    ['フルーツバスケット 最終章', 'フルーツバスケット', 'final'],
    ['俺ガイル 続', '俺ガイル', 2],
    ['K-ON! The Movie', 'k-on!', 'movie'],
    ['劇場版 空の境界', '空の境界', 'movie'],
    ['ゆゆ式 OVA', 'ゆゆ式', 'ova'],
  ] as const)('%s is season %3$s of %s', (text, base, season) => {
    expect(seasonIn(text)).toMatchObject({ base, season })
  })

  test.each(['進撃の巨人', '2', 'II', '第2期', 'movie', 'モブサイコ100', '', 'sola'])(
    '%s names none',
    (text) => {
      expect(seasonIn(text)).toBeUndefined()
    },
  )

  test('a cour is part of a season', () => {
    expect(seasonIn('無職転生 第2クール')).toEqual({ base: '無職転生', season: 2, isPart: true })
  })

  test('whatever is sent, what remains is not longer and not a mark', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'第2期sS final続(!.IiI 漢') }), (text) => {
        const found = seasonIn(text)
        if (found === undefined) return
        expect(found.base.length).toBeLessThan(text.normalize('NFKC').length + 1)
        expect(found.base).toMatch(/[\p{L}\p{N}]/u)
      }),
    )
  })
})

describe('pieces', () => {
  test.each([
    ['まどまぎ', '魔法少女 まどか まぎか', 2],
    ['KONOSUBA', 'KONO SUBARASI SEKAI NI SYUKUHUKU O', 2],
    ['俺妹', '俺 の 妹 がこんなに 可愛 いわけがない', 2],
    ['えゔあq', 'えゔあんげりおん 新劇場版 q', 2],
    ['えゔあq', 'えゔあんげりおん 新劇場版 quiz', undefined],
    ['はるち', 'はる の ちいさな', undefined],
    ['まぎまど', '魔法少女 まどか まぎか', undefined],
  ] as const)('%s of %s', (key, words, pieces) => {
    expect(piecesIn(key, words.split(' '))).toBe(pieces as number)
  })
})

describe('ids and addresses', () => {
  test.each([
    ['mal:52991', 'mal', '52991'],
    ['MAL:52991', 'mal', '52991'],
    ['myanimelist:52991', 'mal', '52991'],
    ['https://myanimelist.net/anime/52991/Sousou_no_Frieren', 'mal', '52991'],
    ['anilist.co/anime/154587', 'anilist', '154587'],
    ['https://annict.com/works/10079', 'annict', '10079'],
    ['https://en.annict.com/works/10079?x=1', 'annict', '10079'],
    ['https://anidb.net/a17617', 'anidb', '17617'],
    ['https://anidb.net/anime/17617', 'anidb', '17617'],
    ['https://cal.syoboi.jp/tid/6776/time', 'syobocal', '6776'],
    ['https://bgm.tv/subject/400602', 'bangumi', '400602'],
    ['tmdb:tv/209867', 'tmdb', 'tv/209867'],
  ])('%s', (text, ns, id) => {
    expect(idIn(text)).toEqual({ ns, id })
  })

  test.each([
    '52991',
    'mal:',
    'mal:0',
    'mal:1234567890123456',
    'mal: 1',
    'https://example.com/anime/1',
    'nobody:1',
  ])('%s is none', (text) => {
    expect(idIn(text)).toBeUndefined()
  })
})
