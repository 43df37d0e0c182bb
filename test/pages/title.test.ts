import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { defaultPreferences } from '../../src/pages/preferences'
import { chosenTitle, splitTitle, titleMarkup } from '../../src/pages/title'
import type { TitleLanguage } from '../../src/values/preferences'

describe('the season at the end of a title', () => {
  test.each([
    ['葬送のフリーレン 第2期', '葬送のフリーレン', '第2期'],
    ['葬送のフリーレン第2期', '葬送のフリーレン', '第2期'],
    ['FAIRY TAIL(第2期)', 'FAIRY TAIL', '第2期'],
    ['ゲゲゲの鬼太郎（第4シリーズ）', 'ゲゲゲの鬼太郎', '第4シリーズ'],
    ['MAJOR 第4シリーズ', 'MAJOR', '第4シリーズ'],
    ['カッコウの許嫁 Season2', 'カッコウの許嫁', 'Season2'],
    ['Re:ゼロから始める異世界生活 4th season', 'Re:ゼロから始める異世界生活', '4th season'],
    ['Witch Hat Atelier: Season 2', 'Witch Hat Atelier', 'Season 2'],
    ['ワンパンマン 第3期第2クール', 'ワンパンマン 第3期', '第2クール'],
    ['ダンジョン飯 Part 2', 'ダンジョン飯', 'Part 2'],
    ['宇宙よりも遠い場所', '宇宙よりも遠い場所', ''],
    ['第2期', '第2期', ''],
    ['あ 第2期', 'あ 第2期', ''],
    ['Apart 2', 'Apart 2', ''],
    ['NOVA', 'NOVA', ''],
    ['', '', ''],
  ])('%s', (title, main, season) => {
    expect(splitTitle(title)).toEqual({ main, season })
  })

  test('nothing of a title is lost except what joins its parts, and the season is short', () => {
    const pieces = fc.constantFrom(
      '第',
      '2',
      '期',
      ' ',
      '(',
      ')',
      'Season',
      'あ',
      '四',
      'OVA',
      '—',
      'シリーズ',
      '𠮷',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const title = parts.join('')
        const { main, season } = splitTitle(title)
        expect(title.startsWith(main)).toBe(true)
        if (season === '') return expect(main).toBe(title)
        const rest = title.slice(main.length).replace(season, '')
        expect(rest).toMatch(/^[\s(（:：~〜～–—-]*[)）]?$/)
        expect([...main].length).toBeGreaterThanOrEqual(2)
        expect(season.length).toBeLessThanOrEqual(10)
      }),
    )
  })
})

describe('a title is in the language that the reader chose', () => {
  const titles = { title: '宇宙よりも遠い場所', title_ro: 'Sora yori mo tōi basho', title_en: 'A Place' }
  const inLanguage = (titleLanguage: TitleLanguage) => ({
    preferences: { ...defaultPreferences('ja'), titleLanguage },
  })

  test.each([
    ['native', {}, 'ja', titles.title],
    ['romaji', {}, 'ja-Latn', titles.title_ro],
    ['english', {}, 'en', titles.title_en],
    ['english', { title_en: '' }, 'ja-Latn', titles.title_ro],
    ['romaji', { title_ro: '' }, 'ja', titles.title],
    ['english', { title_en: '', title_ro: '' }, 'ja', titles.title],
  ] as const)('%s, without %j: in %s', (titleLanguage, lacking, lang, text) => {
    const chosen = chosenTitle(inLanguage(titleLanguage), { ...titles, ...lacking })
    expect(chosen).toEqual({ text, lang })
  })

  test('and names that language, with the season separated', () => {
    const { text } = titleMarkup(inLanguage('native'), { title: 'A&B 第2期', title_en: '', title_ro: '' })
    expect(text).toBe(
      '<span class="title" lang="ja"><span class="main">A&#38;B</span> <span class="season">第2期</span></span>',
    )
  })
})
