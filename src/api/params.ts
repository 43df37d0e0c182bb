import Type, { type TSchema } from 'typebox'
import { ApiError } from '../http/errors'
import { type Sent, Unusable } from '../http/sent'
import { isBlank, trimmed } from '../lib/white-space'

/** One request parameter: how its text is read, and how the documentation describes it. */
export interface Param<T> {
  readonly schema: TSchema
  readonly description: string
  readonly example: string | number | boolean
  readonly required: boolean
  /** Reads non-blank text, or says which rule it breaks ("must be …"). */
  read(text: string, now: number): { readonly value: T } | { readonly rule: string }
  /** Whether a JSON array of integers may be sent for it. */
  readonly list?: boolean
  /** Whether a blank is a value, null, instead of nothing (D32). */
  readonly clearable?: boolean
  /** The value of a blank one. */
  readonly otherwise?: T
}

export type Params = Readonly<Record<string, Param<unknown>>>

/** What `readParams` returns: a value per parameter that always has one, a value or undefined per other one. */
export type Values<P extends Params> = {
  readonly [Name in keyof P]: P[Name] extends RequiredParam<infer T> | DefaultParam<infer T>
    ? T
    : P[Name] extends Param<infer T>
      ? T | undefined
      : never
}

interface RequiredParam<T> extends Param<T> {
  readonly required: true
}

interface DefaultParam<T> extends Param<T> {
  readonly otherwise: T
}

/** Reads every declared parameter; blank is absent (D7). `now` is what times are compared with, in epoch milliseconds. Throws invalid_params with one violation per bad one. */
export function readParams<P extends Params>(declared: P, sent: Sent, now: number): Values<P> {
  const values: Record<string, unknown> = {}
  const violations: string[] = []
  for (const name of Object.keys(declared)) {
    const param = declared[name] as Param<unknown>
    const read = readOne(param, sent.get(name), now)
    if ('rule' in read) violations.push(`${name} ${read.rule}.`)
    else values[name] = read.value
  }
  violations.push(...misspelt(declared, sent))
  if (violations.length > 0) throw new ApiError('invalid_params', violations)
  return values as Values<P>
}

/** Parameters sent as an array or an object in brackets, which would else be ignored and leave a list whole. */
const misspelt = (declared: Params, sent: Sent): string[] =>
  [...sent.keys()].flatMap((key) => {
    const [name = '', ...rest] = key.split('[')
    return rest.length > 0 && name in declared ? [`${name} must be sent without brackets.`] : []
  })

function readOne(param: Param<unknown>, sent: string | Unusable | undefined, now: number) {
  if (sent instanceof Unusable) {
    if (!param.list) return { rule: sent.rule }
    return sent.list === undefined
      ? { rule: 'must be an array of integers, or integers with commas between them' }
      : param.read(sent.list, now)
  }
  if (sent === undefined || isBlank(sent)) {
    if (param.clearable && sent !== undefined) return { value: null }
    return param.required ? { rule: 'is required' } : { value: param.otherwise }
  }
  return param.read(sent, now)
}

/** The same parameter, which must now be sent. */
export const required = <T>(param: Param<T>): RequiredParam<T> => ({ ...param, required: true })

/** The same parameter, which has a value also when it is not sent. */
export const withDefault = <T>(param: Param<T>, value: T): DefaultParam<T> => ({
  ...param,
  otherwise: value,
  description: `${param.description}; ${value} unless said`,
})

/** The same parameter of an edit, where a blank clears the value: null (D32). */
export const clearable = <T>(param: Param<T>): Param<T | null> => ({
  ...param,
  clearable: true,
  description: `${param.description}; a blank clears it`,
})

/** A parameter with its own words for the documentation. */
export const described = <T>(param: Param<T>, description: string, example = param.example): Param<T> => ({
  ...param,
  description,
  example,
})

/** A parameter that need not be sent. */
export const define = <T>(param: Omit<Param<T>, 'required'>): Param<T> => ({ ...param, required: false })

const matching = <T>(pattern: RegExp, rule: string, value: (text: string) => T) => {
  return (text: string) => (pattern.test(text) ? { value: value(text) } : { rule })
}

/** A positive integer below 10^15 (D8), at most `max`. */
export function integer(description: string, { max = 999_999_999_999_999, example = 1 } = {}): Param<number> {
  const rule =
    max < 1000 ? `must be an integer from 1 to ${max}` : 'must be a positive integer of at most 15 digits'
  return define({
    schema: Type.Integer({ minimum: 1, maximum: max }),
    description,
    example,
    read: (text) =>
      /^[1-9][0-9]{0,14}$/.test(text) && Number(text) <= max ? { value: Number(text) } : { rule },
  })
}

/**
 * A number from 0 to `max` in steps of `step`, written with digits and at most one point. The steps are said in words:
 * to `multipleOf: 0.1`, 0.3 is none, since it is no multiple of 0.1 in binary fractions.
 */
export function decimal(
  description: string,
  { max, step, example }: { max: number; step: number; example: number },
): Param<number> {
  const isStep = (value: number) => Math.abs(value / step - Math.round(value / step)) < 1e-9
  return define({
    schema: Type.Number({ minimum: 0, maximum: max }),
    description: `${description}; from 0 to ${max} in steps of ${step}`,
    example,
    read: (text) => {
      const value = /^[0-9]{1,9}(?:\.[0-9]{1,9})?$/.test(text) ? Number(text) : Number.NaN
      if (value <= max && isStep(value)) return { value }
      return { rule: `must be a number from 0 to ${max} in steps of ${step}` }
    },
  })
}

/** A comma-separated list of ids (D9): digits and commas, empty pieces tolerated, at most 500 ids. */
export function idList(description: string): Param<readonly number[]> {
  return define({
    schema: Type.String({ pattern: '^[0-9,]*$' }),
    description: `${description}, separated by commas; at most 500`,
    example: '1,2',
    list: true,
    read: (text) => {
      if (!/^[0-9,]+$/.test(text)) return { rule: 'must be ids separated by commas' }
      const ids = text.split(',').filter((piece) => piece !== '')
      if (ids.length > 500) return { rule: 'must hold at most 500 ids' }
      if (ids.some((id) => id.length > 15)) return { rule: 'must hold ids of at most 15 digits' }
      return { value: ids.map(Number) }
    },
  })
}

/** Exactly one of the given words. */
export function oneOf<const W extends string>(words: readonly W[], description: string): Param<W> {
  return define({
    schema: Type.String({ enum: [...words] }),
    description,
    example: words[0] ?? '',
    read: (text) => {
      const value = words.find((word) => word === text)
      return value === undefined ? { rule: `must be one of ${words.join(', ')}` } : { value }
    },
  })
}

/** `asc` or `desc` (D9). */
export const direction = (what: string) => oneOf(['asc', 'desc'], `Sorts by ${what}`)

/** `true` or `false` (D9). */
export const flag = (description: string): Param<boolean> =>
  define({
    schema: Type.Boolean(),
    description,
    example: true,
    read: matching(/^(true|false)$/, 'must be true or false', (text) => text === 'true'),
  })

/** A comma-separated list of some of the given words, as a list without repetition. */
export function wordList<const W extends string>(
  words: readonly W[],
  description: string,
): Param<readonly W[]> {
  return define({
    schema: Type.String(),
    description: `${description}, separated by commas: ${words.join(', ')}`,
    example: words.slice(0, 2).join(','),
    read: (sent) => {
      const pieces = [...new Set(sent.split(',').filter((piece) => piece !== ''))]
      const value = pieces.flatMap((piece) => words.filter((word) => word === piece))
      return value.length < pieces.length
        ? { rule: `must be words of ${words.join(', ')}, separated by commas` }
        : { value }
    },
  })
}

/** Text of a person, trimmed, of at most `max` code points (D13). */
export const prose = (description: string, max: number, example: string): Param<string> =>
  define({
    schema: Type.String({ maxLength: max }),
    description,
    example,
    read: (sent) => {
      const value = trimmed(sent)
      // Units are no fewer than code points, and counting those takes long.
      const isTooLong = value.length > max && [...value].length > max
      return isTooLong ? { rule: `must be at most ${max} characters long` } : { value }
    },
  })

/** Text that matches a pattern. */
export function pattern(regexp: RegExp, rule: string, description: string, example: string): Param<string> {
  return define({
    schema: Type.String({ pattern: regexp.source }),
    description,
    example,
    read: matching(regexp, rule, (text) => text),
  })
}

/** Any text. */
export const text = (description: string, example: string): Param<string> =>
  define({ schema: Type.String(), description, example, read: (value) => ({ value }) })

/** `<year>-<season>` or `<year>-all` (D10). */
export const season: Param<{ year: number; season: string }> = define({
  schema: Type.String({ pattern: '^[0-9]{4}-(all|winter|spring|summer|autumn)$' }),
  description: 'Works of a season, `<year>-<season>`; `<year>-all` is the whole year',
  example: '2023-autumn',
  read: matching(
    /^[0-9]{4}-(all|winter|spring|summer|autumn)$/,
    'must be <year>-<season>, season being winter, spring, summer, autumn or all',
    (value) => ({ year: Number(value.slice(0, 4)), season: value.slice(5) }),
  ),
})
