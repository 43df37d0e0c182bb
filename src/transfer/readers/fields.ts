import { instantOf } from '../../lib/instant'
import type { PartialDate } from '../row'

/** A JSON object whose fields are checked one by one; anything else is read as an object without fields. */
export type Fields = Readonly<Record<string, unknown>>

export const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {})

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const objectsIn = (value: unknown): readonly Fields[] => listOf(value).map(fieldsOf)

/** Strings and numbers as text; '' for anything else. */
export const textIn = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

/** An entry of the table, but not inherited properties such as `constructor`. */
export const entryOf = <T>(table: Readonly<Record<string, T>>, name: unknown): T | undefined =>
  Object.hasOwn(table, textIn(name)) ? table[textIn(name)] : undefined

/** A whole number from 0; undefined for anything else. */
export function countIn(value: unknown): number | undefined {
  const text = textIn(value).trim()
  return /^\d{1,9}(?:\.0+)?$/.test(text) ? Number.parseInt(text, 10) : undefined
}

/** A number above 0; undefined for 0, null and anything that is not a number. */
export function scoreIn(value: unknown): number | undefined {
  const text = textIn(value).trim()
  const score = /^\d{1,3}(?:\.\d+)?$/.test(text) ? Number(text) : 0
  return score > 0 ? score : undefined
}

/** An id of digits without leading zeros; undefined for 0 and anything else. */
export const idIn = (value: unknown): string | undefined => {
  const text = textIn(value).trim()
  return /^[1-9]\d{0,11}$/.test(text) ? text : undefined
}

/**
 * The day of a date or a date-time; undefined for `0000-00-00`, `2016-03-00` and anything that does not look like one.
 * Keeps an impossible day such as `2016-02-30`, which planning leaves out with a warning.
 */
export function dayIn(value: unknown): string | undefined {
  const [day = ''] = /^\d{4}-\d\d-\d\d/.exec(textIn(value).trim()) ?? []
  return isKnown(day) ? day : undefined
}

/** A day, a month (`2016-03`) or a year. */
export function partialDateIn(value: unknown): PartialDate | undefined {
  const text = textIn(value).trim()
  return /^\d{4}(?:-\d\d)?$/.test(text) && isKnown(text) ? text : dayIn(text)
}

/** Whether year, month and day are known, as far as they are given. */
const isKnown = (date: string) => date !== '' && !/^0000|-00/.test(date)

/** `{year, month, day}`; undefined if a part is missing. */
export function fuzzyDayIn(value: unknown): string | undefined {
  const { year, month, day } = fieldsOf(value)
  return dayIn(dashed(year, month, day))
}

/** `20160305` as a number or a text. */
export function compactDayIn(value: unknown): string | undefined {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(textIn(value)) ?? []
  return dayIn(dashed(year, month, day))
}

const dashed = (year: unknown, month: unknown, day: unknown) =>
  [textIn(year), textIn(month).padStart(2, '0'), textIn(day).padStart(2, '0')].join('-')

/** Epoch milliseconds of an instant with its offset; undefined for anything else. */
export const instantIn = (value: unknown): number | undefined => instantOf(textIn(value).trim())

/** Epoch milliseconds of epoch seconds; undefined for 0 and anything else. */
export function secondsIn(value: unknown): number | undefined {
  const text = textIn(value)
  return /^[1-9]\d{0,10}$/.test(text) ? Number(text) * 1000 : undefined
}
