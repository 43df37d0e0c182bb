import { webUrl } from '../../../catalogue/import/kinds/cells'
import { InvalidValue } from '../../../values/value'

export interface Property {
  readonly name: string
  /** A namespace of ids, or a field of a work's line. */
  readonly gives: string
  /** The value for the line; undefined if the text has another shape. */
  read(text: string): string | number | undefined
}

const numbered = (text: string) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined)

const prefixed = (prefix: string) => (text: string) =>
  numbered(text) === undefined ? undefined : `${prefix}/${text}`

const matching = (pattern: RegExp) => (text: string) => (pattern.test(text) ? text : undefined)

/** In the order in which a line lists them. TMDB and TheTVDB number films and series separately. */
export const idProperties: readonly Property[] = [
  { name: 'P4086', gives: 'mal', read: numbered },
  { name: 'P8729', gives: 'anilist', read: numbered },
  { name: 'P5646', gives: 'anidb', read: numbered },
  { name: 'P5732', gives: 'bangumi', read: numbered },
  { name: 'P11495', gives: 'kitsu', read: numbered },
  { name: 'P1985', gives: 'ann', read: numbered },
  { name: 'P345', gives: 'imdb', read: matching(/^tt\d{7,10}$/) },
  { name: 'P4835', gives: 'tvdb', read: numbered },
  { name: 'P12196', gives: 'tvdb', read: prefixed('movie') },
  { name: 'P4983', gives: 'tmdb', read: prefixed('tv') },
  { name: 'P4947', gives: 'tmdb', read: prefixed('movie') },
]

export const textProperties: readonly Property[] = [
  { name: 'P1814', gives: 'title_kana', read: kana },
  { name: 'P856', gives: 'official_site_url', read: address },
  { name: 'P2002', gives: 'twitter_username', read: matching(/^\w{1,15}$/) },
]

/** An item's other titles, in Japanese and English. */
export const labels: Property = { name: 'labels', gives: 'aliases', read: title }

export const properties: readonly Property[] = [...idProperties, ...textProperties, labels]

const hasKana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u

function kana(text: string): string | undefined {
  return hasKana.test(text) && !/\p{Script=Han}/u.test(text) ? title(text) : undefined
}

function address(text: string): string | undefined {
  return text === '' || webUrl.take(text) instanceof InvalidValue ? undefined : text
}

function title(text: string): string | undefined {
  return text.trim() === '' || text.length > 1000 || /[\0\p{Cs}]/u.test(text) ? undefined : text
}
