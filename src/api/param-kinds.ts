import { idList, wordList } from '../values/list'
import { positiveInteger } from '../values/number'
import { anyText, oneOf, trueOrFalse } from '../values/text'
import { moment } from '../values/time'
import { type Param, param } from './params'

export const idParam = (description: string, example: number) => param(positiveInteger, description, example)

export const textParam = (description: string, example: string) => param(anyText, description, example)

/** In JSON, an array as well (D6). */
export const idsParam = (description: string): Param<readonly number[], undefined> => ({
  ...param(idList, `${description}, separated by commas; at most 500`, '1,2'),
  list: true,
})

export const flagParam = (description: string) => param(trueOrFalse, description, true)

export const wordParam = <const W extends string>(words: readonly W[], description: string) =>
  param(oneOf(words), description, words[0] ?? '')

export const wordsParam = <const W extends string>(words: readonly W[], description: string) =>
  param(
    wordList(words),
    `${description}, separated by commas: ${words.join(', ')}`,
    words.slice(0, 2).join(','),
  )

export const momentParam = (description: string) =>
  param(
    moment,
    `${description}; \`YYYY/MM/DD HH:MM[:SS]\`, ISO 8601 or a date, in UTC if there is no zone`,
    '2026/04/01 12:00',
  )
