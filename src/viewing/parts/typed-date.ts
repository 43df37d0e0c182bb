import type { LocalTime } from '../../lib/local-time'

/**
 * Converts what people type, such as `2016-3`, `2016/03/05`, `２０１６年３月`, `20160305` (the numeric keypads of
 * phones have no hyphen), `March 2016` or `先月`, to the format of `partialDate`; returns other text unchanged.
 */
export function typedDate(text: string, today?: LocalTime): string {
  const plain = text.normalize('NFKC').trim()
  const words = plain.toLowerCase()
  const spoken = today && spokenDates.get(words)?.(today)
  return spoken ?? numericDate(plain) ?? englishDate(words) ?? plain
}

/** Whether it names a decade, such as `2000s`, `90s` or `２０００年代`: less exact than any date that can be stored (D61). */
export const isDecade = (text: string): boolean =>
  /^['’]?\d{1,3}0 ?(?:s|年代)$/i.test(text.normalize('NFKC').trim())

const numericForm =
  /^(\d{4})(?:年|(?:\s*[-/.]\s*|\s+|年\s*)(\d{1,2})(?:月|(?:\s*[-/.]\s*|\s+|月\s*)(\d{1,2})日?)?)?$/
const digitsForm = /^(\d{4})(\d{2})(\d{2})?$/

function numericDate(plain: string): string | undefined {
  const [, year, month, date] = numericForm.exec(plain) ?? digitsForm.exec(plain) ?? []
  return year === undefined ? undefined : joined(year, month, date)
}

/** `march 2016`, `5 mar 2016`, `march 5, 2016` */
function englishDate(words: string): string | undefined {
  const {
    date,
    month = '',
    after,
    year,
  } = /^(?:(?<date>\d{1,2}) )?(?<month>[a-z]{3,9})\.?(?: (?<after>\d{1,2}))?,? (?<year>\d{4})$/.exec(words)
    ?.groups ?? {}
  const at = months.findIndex((name) => name.startsWith(month))
  if (year === undefined || at < 0 || (date !== undefined && after !== undefined)) return undefined
  return joined(year, String(at + 1), date ?? after)
}

const months = [
  ...['january', 'february', 'march', 'april', 'may', 'june'],
  ...['july', 'august', 'september', 'october', 'november', 'december'],
]

const joined = (year: string, month?: string, date?: string): string =>
  [year, month?.padStart(2, '0'), date?.padStart(2, '0')].filter((part) => part !== undefined).join('-')

const day = (dayNumber: number) => new Date(dayNumber * 86_400_000).toISOString().slice(0, 10)
const monthBefore = ({ year, month }: LocalTime, back: number) =>
  new Date(Date.UTC(year, month - 1 - back)).toISOString().slice(0, 7)

/** In both languages, whatever the page's language is. */
const spokenDates = new Map<string, (today: LocalTime) => string>(
  [
    [['today', '今日'], ({ dayNumber }: LocalTime) => day(dayNumber)] as const,
    [['yesterday', '昨日'], ({ dayNumber }: LocalTime) => day(dayNumber - 1)] as const,
    [['this month', '今月'], (today: LocalTime) => monthBefore(today, 0)] as const,
    [['last month', '先月'], (today: LocalTime) => monthBefore(today, 1)] as const,
    [['this year', '今年'], ({ year }: LocalTime) => String(year)] as const,
    [['last year', '去年', '昨年'], ({ year }: LocalTime) => String(year - 1)] as const,
  ].flatMap(([words, date]) => words.map((word) => [word, date])),
)
