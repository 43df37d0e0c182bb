import { ApiError } from '../http/errors'
import { NotText, type RawValues } from '../http/request-values'
import { isBlank } from '../lib/white-space'
import { inEnglish } from '../messages/languages'
import { InvalidValue, type Value } from '../values/value'

/** A request parameter; `Absent` is the type of its value when it is not sent. */
export interface Param<T, Absent = unknown> extends Value<T> {
  readonly description: string
  readonly example: string | number | boolean
  readonly required: boolean
  readonly list?: true
  /** One of several that exclude each other, of which one is required besides other parameters. */
  readonly isAlternative?: true
  /** Whether a blank value means null (D32). */
  readonly clearable?: true
  readonly defaultValue?: Absent | undefined
}

export type Params = Readonly<Record<string, Param<unknown>>>

export type ParamValues<P extends Params> = {
  readonly [Name in keyof P]: P[Name] extends Param<infer T, infer Absent> ? T | Absent : never
}

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

export const required = <T>(param: Param<T, undefined>): Param<T, never> => ({ ...param, required: true })

export const alternative = <T>(param: Param<T, undefined>): Param<T, undefined> => ({
  ...param,
  isAlternative: true,
})

export const withDefault = <T>(param: Param<T>, value: T): Param<T, T> => ({
  ...param,
  defaultValue: value,
  description: `${param.description}; ${value} by default`,
})

/** A blank value clears, giving null (D32). */
export const clearable = <T, A>(param: Param<T, A>): Param<T | null, A> => ({
  ...param,
  clearable: true,
  description: `${param.description}; a blank value clears it`,
})

export const described = <T, A>(param: Param<T, A>, description: string): Param<T, A> => ({
  ...param,
  description,
})

/** A blank value is absent (D7). `now`: epoch milliseconds. Throws invalid_params, one violation per bad parameter. */
export function readParams<P extends Params>(declared: P, sent: RawValues, now: number): ParamValues<P> {
  const values: Record<string, unknown> = {}
  const violations: string[] = []
  for (const name of Object.keys(declared)) {
    const read = readParam(declared[name] as Param<unknown>, sent.get(name), now)
    if (read instanceof InvalidValue) violations.push(`${name} ${inEnglish(read.rule)}.`)
    else values[name] = read
  }
  violations.push(...bracketedNames(declared, sent))
  if (violations.length > 0) throw new ApiError('invalid_params', violations)
  return values as ParamValues<P>
}

/** Brackets after a name would be ignored, leaving a list unfiltered. */
const bracketedNames = (declared: Params, sent: RawValues): string[] =>
  [...sent.keys()].flatMap((key) => {
    const [name = '', ...rest] = key.split('[')
    return rest.length > 0 && name in declared ? [`${name} must be sent without brackets.`] : []
  })

/** Undefined or the default if absent, null if cleared. */
function readParam<T, Absent>(
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
