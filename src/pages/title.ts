import { html, type Markup } from './html'
import type { PageContext } from './layout'
import type { Preferences } from './preferences'

/** A work's titles as in the database: '' if there is none. */
export interface Titles {
  readonly title: string
  readonly title_en: string
  readonly title_ro: string
}

export interface ChosenTitle {
  readonly text: string
  readonly lang: 'ja' | 'ja-Latn' | 'en'
}

/**
 * In the reader's title language; romaji if there is no English title. The native title if there is neither. Isolated from
 * the sentence around it if it runs from right to left.
 */
export function chosenTitle(
  { preferences }: { readonly preferences: Pick<Preferences, 'titleLanguage'> },
  titles: Titles,
): ChosenTitle {
  const native = { text: titles.title, lang: 'ja' } as const
  const romaji = { text: titles.title_ro, lang: 'ja-Latn' } as const
  const english = { text: titles.title_en, lang: 'en' } as const
  const order = {
    native: [native],
    romaji: [romaji],
    english: [english, romaji],
  }
  const { text, lang } = order[preferences.titleLanguage].find((one) => one.text !== '') ?? native
  return { text: isolated(text), lang }
}

/** Between FSI and PDI (UAX #9), where a sentence has no element for it. */
const isolated = (title: string): string => (turns.test(title) ? `\u2068${title}\u2069` : title)

/** Letters written from right to left, and characters that change the direction. */
const turns =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\u202a-\u202e\u2066-\u2069]/u

/** On one line: only the main part is cut if it does not fit, never the season after it (`.title` in components.css). */
export function titleMarkup(pageContext: Pick<PageContext, 'preferences'>, titles: Titles): Markup {
  const { text, lang } = chosenTitle(pageContext, titles)
  const { main, season } = splitTitle(text)
  const after = season === '' ? '' : html` <span class="season">${season}</span>`
  return html`<span class="title" lang="${lang}"><span class="main">${main}</span>${after}</span>`
}

export interface SplitTitle {
  readonly main: string
  /** '' if there is none; at most 6 em wide. */
  readonly season: string
}

/** The season or part at the end of a title, with or without a space or brackets before it. */
export function splitTitle(title: string): SplitTitle {
  const whole = { main: title, season: '' }
  const [, season = '', inBrackets = ''] = marks.exec(title.slice(-longestMark)) ?? []
  const mark = season === '' ? inBrackets : season
  const at = title.lastIndexOf(mark)
  if (mark === '' || widthOf(mark) > 6) return whole
  const main = title.slice(0, at).replace(/[\s(（:：~〜～–—-]{1,4}$/u, '')
  return [...main].length < 2 ? whole : { main, season: mark }
}

/** In characters, including brackets and spaces. */
const longestMark = 24

const number = '(?:[0-9０-９]{1,3}|[一二三四五六七八九十]{1,3})'
const mark = [
  `第${number}(?:期|シリーズ|部|クール|シーズン|章)`,
  '[0-9０-９]{1,3}期',
  `シーズン ?${number}`,
  '(?<![A-Za-z])(?:Season|Part|Cour) ?[0-9]{1,3}',
  '(?<![A-Za-z0-9])[0-9]{1,3}(?:st|nd|rd|th) (?:Season|Cour)',
  '(?<![A-Za-z])(?:OVA|OAD)',
].join('|')

const marks = new RegExp(`(${mark})$|[(（](${mark})[)）]$`, 'iu')

/** Estimated in em, without font files: a CJK character is 1. */
const widthOf = (text: string): number =>
  [...text].reduce((width, character) => width + (/[ -~]/.test(character) ? 0.6 : 1), 0)
