import Type from 'typebox'
import { isRealDate } from '../../../lib/instant'
import { matching, oneOf, trueOrFalse } from '../../../values/text'
import { realDay, season } from '../../../values/time'
import { checked, InvalidValue, mapped, orBlank, orNumber, type Value } from '../../../values/value'

export type Cell = string | number | null

export const lineTextUpTo = (limit: number): Value<string> =>
  checked(Type.String({ maxLength: limit, pattern: '^[^\\0\\p{Cs}]*$' }), (t, json) => {
    if (typeof json !== 'string') return t.values.text
    return /[\0\p{Cs}]/u.test(json) ? t.values.printable : t.values.notLonger(limit)
  })

export const lineText = lineTextUpTo(1000)

const idText = lineTextUpTo(500)

/** http or https, or blank. */
export const webUrl = orBlank(
  mapped(lineTextUpTo(2000), (text) =>
    /^https?:\/\/\S+$/i.test(text) && URL.canParse(text) ? text : new InvalidValue((t) => t.values.httpUrl),
  ),
  '',
)

/** A day that exists, `YYYY-MM-DD`, or blank. */
export const dayOrBlank = orBlank(
  realDay((t) => t.values.realDay),
  '',
)

/** An ISO 8601 time with a time zone, as epoch milliseconds. */
export const instant = mapped(
  matching(
    '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d{1,9})?)?(?:Z|[+-]\\d\\d:\\d\\d)$',
    (t) => t.values.instant,
  ),
  (text) => {
    const time = isRealDate(text.slice(0, 10)) ? Date.parse(text) : Number.NaN
    return Number.isNaN(time) ? new InvalidValue((t) => t.values.instant) : time
  },
)

/** An ISO 8601 duration in days, weeks, months or years, or blank. */
export const interval = matching(
  '^(?:P(?=\\d)(?:\\d{1,4}Y)?(?:\\d{1,4}M)?(?:\\d{1,4}W)?(?:\\d{1,4}D)?)?$',
  (t) => t.values.interval,
)

export const bit = mapped(trueOrFalse, Number)

/** A text or a number; null if blank. */
export const episodeNumber = orNumber(orBlank(lineTextUpTo(50), null), Type.Number())

const seasonName = season('[1-9][0-9]{3}', (t, form) => t.values.seasonName(form))

export const seasonYear = orBlank(
  mapped(seasonName, ({ year }) => year),
  null,
)

export const seasonWord = orBlank(
  mapped(seasonName, ({ season }) => (season === 'all' ? null : season)),
  null,
)

/** A positive integer if the site numbers its rows, else any text. */
export const siteId = (namespace: string): Value<string> => (isCounted(namespace) ? countedId : namedId)

export const isCounted = (namespace: string): boolean => countingSites.has(namespace)

/** `namespace:id` */
export const key = mapped(idText, (text) =>
  /^[A-Za-z][\w-]{0,39}:\S/.test(text) ? text : new InvalidValue((t) => t.values.key),
)

const countedId = orNumber(
  matching('^[1-9][0-9]{0,14}$', (t) => t.values.countedId),
  Type.Number(),
)

const namedId = orNumber(
  mapped(idText, (text) => (text === '' ? new InvalidValue((t) => t.values.notBlank) : text)),
  Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
)

export const countingSites: ReadonlySet<string> = new Set([
  'annict',
  'syobocal',
  'bangumi',
  'mal',
  'anilist',
  'anidb',
  'kiroku',
])

const prefectures = (
  '北海道 青森県 岩手県 宮城県 秋田県 山形県 福島県 茨城県 栃木県 群馬県 埼玉県 千葉県 東京都 神奈川県 新潟県 富山県 石川県 福井県 ' +
  '山梨県 長野県 岐阜県 静岡県 愛知県 三重県 滋賀県 京都府 大阪府 兵庫県 奈良県 和歌山県 鳥取県 島根県 岡山県 広島県 山口県 徳島県 ' +
  '香川県 愛媛県 高知県 福岡県 佐賀県 長崎県 熊本県 大分県 宮崎県 鹿児島県 沖縄県'
).split(' ')

/** The JIS X 0401 number of a prefecture given by its Japanese name. */
export const prefecture = orBlank(
  mapped(
    oneOf(prefectures, (t) => t.values.prefecture),
    (name) => prefectures.indexOf(name) + 1,
  ),
  null,
)

export const prefectureName = (code: number): string => prefectures[code - 1] ?? ''
