import Type from 'typebox'
import type { Message } from '../messages/languages'
import { checked, InvalidValue, mapped, type Rule, type Value } from './value'

const numberOf = (form: RegExp) => (text: string) => (form.test(text) ? Number(text) : undefined)

/** From 1, below 10^15, without leading zeros. */
export const integerUpTo = (max: number, rule: Rule = (t) => t.values.integerUpTo(max)): Value<number> =>
  checked(Type.Integer({ minimum: 1, maximum: max }), rule, numberOf(/^[1-9][0-9]{0,14}$/))

/** Below 10^15 (D8). */
export const positiveInteger = integerUpTo(999_999_999_999_999, (t) => t.values.positiveInteger)

/** Inclusive bounds; accepts only digits. */
export function wholeNumber(
  least: number,
  most: number,
  rule: Rule = (t) => t.values.wholeNumber(least.toLocaleString('en'), most.toLocaleString('en')),
): Value<number> {
  return checked(Type.Integer({ minimum: least, maximum: most }), rule, numberOf(/^[0-9]{1,15}$/))
}

/** Inclusive bounds; without leading zeros (D8), which `wholeNumber` forgives people who type. */
export const integerBetween = (least: number, most: number): Value<number> =>
  checked(
    Type.Integer({ minimum: least, maximum: most }),
    (t) => t.values.wholeNumber(least.toLocaleString('en'), most.toLocaleString('en')),
    numberOf(/^(?:0|-?[1-9][0-9]{0,14})$/),
  )

/** The schema has no `multipleOf`: in binary floating point 0.3 is not a multiple of 0.1. */
export function decimal(max: number, step: number): Value<number> {
  const rule: Message = (t) => t.values.decimal(max, step)
  const isStep = (value: number) => Math.abs(value / step - Math.round(value / step)) < 1e-9
  const any = checked(
    Type.Number({ minimum: 0, maximum: max }),
    rule,
    numberOf(/^[0-9]{1,9}(?:\.[0-9]{1,9})?$/),
  )
  return mapped(any, (value) => (isStep(value) ? value : new InvalidValue(rule)))
}
