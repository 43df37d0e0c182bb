import { matching } from '../../values/text'
import { mapped, type Value } from '../../values/value'

/** Months of the calendar, the last one too, each counted from year 0. */
export interface Period {
  readonly from: number
  readonly until: number
}

/** `month` counts from 1. */
export const monthNumber = (year: number, month: number): number => year * 12 + month - 1

export const yearPeriod = (year: number): Period => ({ from: year * 12, until: year * 12 + 11 })

/** `2025-04`, of which `monthText` is the reverse. */
export const monthText = (month: number): string =>
  `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`

/** From 1900 on, as times of watching are. */
export const monthOfYear: Value<number> = mapped(
  matching('^(19|[2-9][0-9])[0-9]{2}-(0[1-9]|1[0-2])$', (t) => t.values.monthOfYear),
  (text) => monthNumber(Number(text.slice(0, 4)), Number(text.slice(5))),
)

export const holdsMonth = ({ from, until }: Period, month: number): boolean => from <= month && month <= until

export const holdsYear = ({ from, until }: Period, year: number): boolean =>
  from <= year * 12 && year * 12 + 11 <= until

/** Of a partial date (D71), such as `2016-03`: whether all of it is in the period. */
export const holdsDate = (period: Period, date: string): boolean =>
  date.length === 4
    ? holdsYear(period, Number(date))
    : holdsMonth(period, monthNumber(Number(date.slice(0, 4)), Number(date.slice(5, 7))))
