import { instantOf, isRealDate, momentOf } from '../lib/instant'
import { isTimeZone } from '../lib/local-time'
import type { Messages } from '../messages/en'
import type { Message } from '../messages/languages'
import { anyText, matching } from './text'
import { InvalidValue, mapped, type Value } from './value'

/** D11, D119; epoch milliseconds. */
export const moment = mapped(anyText, (text) => momentOf(text) ?? new InvalidValue((t) => t.values.moment))

/** ISO 8601 with a zone, such as `2026-11-24T21:03:00.123Z`; epoch milliseconds. */
export const momentInZone: Value<number> = mapped(
  anyText,
  (text) => instantOf(text) ?? new InvalidValue((t) => t.values.momentInZone),
)

export const realDay = (rule: Message): Value<string> =>
  mapped(matching('^[0-9]{4}-[0-9]{2}-[0-9]{2}$', rule), (text) =>
    isRealDate(text) ? text : new InvalidValue(rule),
  )

/** `2016`, `2016-03` or `2016-03-05`, from 1900 on (D71). */
export const partialDate: Value<string> = mapped(
  matching('^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$', (t) => t.values.partialDate),
  (text) => {
    if (!isRealDate(`${text}-01-01`.slice(0, 10))) return new InvalidValue((t) => t.values.partialDate)
    return text < '1900' ? new InvalidValue((t) => t.values.before1900) : text
  },
)

export const timeZone = mapped(anyText, (name) =>
  isTimeZone(name) ? name : new InvalidValue((t) => t.values.timeZone),
)

/** `HH:MM`; minutes since midnight. */
export const clockTime: Value<number> = mapped(
  matching('^([01]?[0-9]|2[0-3]):[0-5][0-9]$', (t) => t.values.clockTime),
  (text) => Number(text.split(':')[0]) * 60 + Number(text.split(':')[1]),
)

/** Such as `30d`, up to 100 years; in milliseconds. */
export const duration = mapped(
  matching('^[1-9][0-9]{0,9}[smhd]$', (t) => t.values.duration),
  (text) => {
    const length = Number(text.slice(0, -1)) * (unitLengths.get(text.slice(-1)) ?? 0)
    return length > 36_525 * 86_400_000 ? new InvalidValue((t) => t.values.duration) : length
  },
)

const unitLengths = new Map([
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
])

/** A four-digit year and `winter`, `spring`, `summer`, `autumn`, or `all` for the whole year (D10). */
export const season = (
  year: string,
  rule: (t: Messages, form: string) => string,
): Value<{ year: number; season: string }> =>
  mapped(
    matching(`^${year}-(all|winter|spring|summer|autumn)$`, (t) => rule(t, '<year>-<season>')),
    (text) => ({
      year: Number(text.slice(0, 4)),
      season: text.slice(5),
    }),
  )
