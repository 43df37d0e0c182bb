import { isRealDate } from '../../../lib/instant'

/** What a column holds. */
export type Cell = string | number | null

/** The rule a value breaks, as the end of a sentence that begins with the field's name. */
export class Flaw {
  constructor(readonly rule: string) {}
}

/** Turns a value of a catalogue line into what its column holds. */
export type Reader = (value: unknown) => Cell | Flaw

/** A text of at most `limit` characters. */
export const text = (limit = 1000): Reader => {
  // Not made before it is needed: the first number that is grouped takes 2 ms of every start.
  const tooLong = () => new Flaw(`must not be longer than ${limit.toLocaleString('en')} characters`)
  return (value) => {
    if (typeof value !== 'string') return new Flaw('must be a text')
    if (value.includes('\0') || !value.isWellFormed()) return unprintable
    // A code point is one unit or two, so they need counting only in between.
    if (value.length <= limit) return value
    return value.length > 2 * limit || [...value].length > limit ? tooLong() : value
  }
}

const longText = text(2000)
const idText = text(500)
const numberText = text(50)

/** An http or https address, or a blank. */
export const url: Reader = (value) => {
  const given = longText(value)
  if (typeof given !== 'string' || given === '') return given
  return /^https?:\/\/\S+$/i.test(given) && URL.canParse(given) ? given : notUrl
}

/** A day that exists, `YYYY-MM-DD`, or a blank. */
export const date: Reader = (value) => {
  if (value === '') return ''
  return typeof value === 'string' && isRealDate(value) ? value : notDate
}

/** A time of a day that exists, with its zone; epoch milliseconds. */
export const instant: Reader = (value) => {
  if (typeof value !== 'string') return notInstant
  const [, day = ''] = instantForm.exec(value) ?? []
  const time = isRealDate(day) ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? notInstant : time
}

/** An ISO 8601 duration in days, weeks, months or years, or a blank. */
export const interval: Reader = (value) =>
  typeof value === 'string' && /^(P(?=\d)(\d{1,4}Y)?(\d{1,4}M)?(\d{1,4}W)?(\d{1,4}D)?)?$/.test(value)
    ? value
    : new Flaw('must be an ISO 8601 duration such as "P7D"')

/** A whole number within bounds. */
export const integer = (least: number, most: number): Reader => {
  const flaw = () =>
    new Flaw(`must be a whole number from ${least.toLocaleString('en')} to ${most.toLocaleString('en')}`)
  return (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most ? value : flaw()
}

/** 1 for true, 0 for false. */
export const boolean: Reader = (value) =>
  typeof value === 'boolean' ? Number(value) : new Flaw('must be true or false')

/** One of some words. */
export const oneOf = (...words: readonly string[]): Reader => {
  const flaw = new Flaw(`must be one of ${words.filter((word) => word !== '').join(', ')}`)
  return (value) => (typeof value === 'string' && words.includes(value) ? value : flaw)
}

/** An episode's number: a text, or a number for those who write it as one; null when blank. */
export const episodeNumber: Reader = (value) => {
  const given = typeof value === 'number' && Number.isFinite(value) ? String(value) : numberText(value)
  return given === '' ? null : given
}

/** The year of `<year>-<season>` and `<year>-all`. */
export const seasonYear: Reader = (value) => {
  if (value === '') return null
  const [, year] = seasonForm.exec(typeof value === 'string' ? value : '') ?? []
  return year === undefined ? notSeason : Number(year)
}

/** The season of `<year>-<season>`; null where only the year is known. */
export const season: Reader = (value) => {
  if (value === '') return null
  const [, , word] = seasonForm.exec(typeof value === 'string' ? value : '') ?? []
  if (word === undefined) return notSeason
  return word === 'all' ? null : word
}

/** The number of a prefecture in JIS X 0401, from its Japanese name. */
export const prefecture: Reader = (value) => {
  if (value === '') return null
  const place = typeof value === 'string' ? prefectures.indexOf(value) : -1
  return place === -1 ? new Flaw('must be the Japanese name of a prefecture, such as 東京都') : place + 1
}

/** The Japanese name behind such a number; blank for one that is none. */
export const prefectureName = (code: number): string => prefectures[code - 1] ?? ''

/** An id at another site: a positive whole number where the site counts its rows, else any text. */
export const siteId = (namespace: string): Reader => (isCounted(namespace) ? countedId : namedId)

/** Whether a site's ids are numbers. */
export const isCounted = (namespace: string): boolean => countingSites.has(namespace)

/** `namespace:id`, as which a pack names a row. */
export const key: Reader = (value) => {
  const given = idText(value)
  if (given instanceof Flaw) return given
  return typeof given === 'string' && /^[A-Za-z][\w-]{0,39}:\S/.test(given) ? given : notKey
}

const countedId: Reader = (value) => {
  const digits = typeof value === 'number' ? String(value) : value
  return typeof digits === 'string' && /^[1-9][0-9]{0,14}$/.test(digits)
    ? digits
    : new Flaw('must be a positive whole number')
}

const namedId: Reader = (value) => {
  const given = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : idText(value)
  return given === '' ? new Flaw('must not be blank') : given
}

const countingSites = new Set(['annict', 'syobocal', 'bangumi', 'mal', 'anilist', 'anidb', 'kiroku'])
const instantForm = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/
const seasonForm = /^([1-9]\d{3})-(winter|spring|summer|autumn|all)$/
const unprintable = new Flaw('must not contain NUL characters or halves of characters')
const notUrl = new Flaw('must be an http or https URL')
const notDate = new Flaw('must be a day that exists, YYYY-MM-DD')
const notInstant = new Flaw('must be a time with its zone, such as 2024-01-05T15:30:00Z')
const notSeason = new Flaw('must be <year>-<season> with winter, spring, summer, autumn or all')
const notKey = new Flaw('must be a text such as "annict:4168"')

/** In the order of JIS X 0401. */
const prefectures = (
  '北海道 青森県 岩手県 宮城県 秋田県 山形県 福島県 茨城県 栃木県 群馬県 埼玉県 千葉県 東京都 神奈川県 新潟県 富山県 石川県 福井県 ' +
  '山梨県 長野県 岐阜県 静岡県 愛知県 三重県 滋賀県 京都府 大阪府 兵庫県 奈良県 和歌山県 鳥取県 島根県 岡山県 広島県 山口県 徳島県 ' +
  '香川県 愛媛県 高知県 福岡県 佐賀県 長崎県 熊本県 大分県 宮崎県 鹿児島県 沖縄県'
).split(' ')
