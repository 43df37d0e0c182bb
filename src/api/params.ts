import { ApiError } from '../http/errors'
import { NotText, type RawValues } from '../http/request-values'
import { isBlank } from '../lib/white-space'
import { inEnglish } from '../messages/languages'
import { InvalidValue, type Value } from '../values/value'

/** One request parameter: what its value is, what is read where it is absent, and what the documentation says of it. */
export interface Param<T, Absent = unknown> extends Value<T> {
  readonly description: string
  readonly example: string | number | boolean
  readonly required: boolean
  /** Whether a JSON array of integers may be sent for it. */
  readonly list?: true
  /** Whether a blank is a value, null, instead of nothing (D32). */
  readonly clearable?: true
  /** The value of a blank one. */
  readonly defaultValue?: Absent | undefined
}

export type Params = Readonly<Record<string, Param<unknown>>>

/** What `readParams` returns: a value per parameter that always has one, a value or undefined per other one. */
export type Values<P extends Params> = {
  readonly [Name in keyof P]: P[Name] extends Param<infer T, infer Absent> ? T | Absent : never
}

/** A parameter that need not be sent. */
export const param = <T>(
  value: Value<T>,
  description: string,
  example: Param<T>['example'],
): Param<T, undefined> => ({
  ...value,
  description,
  example,
  required: false,
})

/** The same parameter, which must now be sent. */
export const required = <T>(param: Param<T, undefined>): Param<T, never> => ({ ...param, required: true })

/** The same parameter, which has a value also when it is not sent. */
export const withDefault = <T>(param: Param<T>, value: T): Param<T, T> => ({
  ...param,
  defaultValue: value,
  description: `${param.description}; ${value} unless said`,
})

/** The same parameter of an edit, where a blank clears the value: null (D32). */
export const clearable = <T, A>(param: Param<T, A>): Param<T | null, A> => ({
  ...param,
  clearable: true,
  description: `${param.description}; a blank clears it`,
})

/** A parameter with its own words for the documentation. */
export const described = <T, A>(param: Param<T, A>, description: string): Param<T, A> => ({
  ...param,
  description,
})

/** Reads every declared parameter; blank is absent (D7). `now` is what times are compared with, in epoch milliseconds. Throws invalid_params with one violation per bad one. */
export function readParams<P extends Params>(declared: P, sent: RawValues, now: number): Values<P> {
  const values: Record<string, unknown> = {}
  const violations: string[] = []
  for (const name of Object.keys(declared)) {
    const read = readParam(declared[name] as Param<unknown>, sent.get(name), now)
    if (read instanceof InvalidValue) violations.push(`${name} ${inEnglish(read.rule)}.`)
    else values[name] = read
  }
  violations.push(...misspelt(declared, sent))
  if (violations.length > 0) throw new ApiError('invalid_params', violations)
  return values as Values<P>
}

/** Parameters sent as an array or an object in brackets, which would else be ignored and leave a list whole. */
const misspelt = (declared: Params, sent: RawValues): string[] =>
  [...sent.keys()].flatMap((key) => {
    const [name = '', ...rest] = key.split('[')
    return rest.length > 0 && name in declared ? [`${name} must be sent without brackets.`] : []
  })

/** Reads one parameter: its value, undefined or its default where it was not sent, null where a blank clears it. */
export function readParam<T, Absent>(
  param: Param<T, Absent>,
  sent: string | NotText | undefined,
  now?: number,
): T | Absent | null | undefined | InvalidValue {
  if (sent instanceof NotText) {
    if (!param.list) return sent
    return sent.list === undefined ? new InvalidValue((t) => t.values.idArray) : param.read(sent.list, now)
  }
  if (sent === undefined || isBlank(sent)) {
    if (param.clearable && sent !== undefined) return null
    return param.required ? new InvalidValue((t) => t.values.required) : param.defaultValue
  }
  return param.read(sent, now)
}
