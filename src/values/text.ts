import Type from 'typebox'
import { trimmed } from '../lib/white-space'
import type { Message } from '../messages/languages'
import { checked, InvalidValue, mapped, type Rule, type Value } from './value'

export const anyText = checked(Type.String(), (t) => t.values.text)

/** `max` is in code points. */
export const textUpTo = (max: number, rule: Rule): Value<string> =>
  checked(Type.String({ maxLength: max }), rule)

/** Trimmed; `max` is in code points (D13). */
export const prose = (max: number): Value<string> =>
  checked(Type.String({ maxLength: max }), (t) => t.values.atMost(max), trimmed)

export const nonBlank = matching('\\S', (t) => t.values.notEmpty)

/** A JSON Schema pattern, with no flag but `u`. */
export function matching(pattern: string, rule: Rule): Value<string> {
  return checked(Type.String({ pattern }), rule)
}

export function oneOf<const W extends string>(
  words: readonly W[],
  rule: Message = (t) => t.values.oneOf(words),
): Value<W> {
  return checked(Type.Unsafe<W>({ type: 'string', enum: [...words] }), rule)
}

export const either = <const W extends string>(words: readonly W[]): Value<W> =>
  oneOf(words, (t) => t.values.either(words))

export const trueOrFalse = checked(
  Type.Boolean(),
  (t) => t.values.trueOrFalse,
  (text) => booleans.get(text),
)

const booleans = new Map([
  ['true', true],
  ['false', false],
])

/** In a configuration file also a boolean. */
export const onOrOff = checked(
  Type.Boolean(),
  (t) => t.values.onOrOff,
  (text) => booleans.get(text.replace(/^on$/, 'true').replace(/^off$/, 'false')),
)

/** `subject` is how the rules name it, `limit` is in code points. At least one character must be visible. */
export const lineOfText = (limit: number, subject: Message): Value<string> =>
  checked(Type.String({ maxLength: limit, pattern: line }), (t, json) => {
    const text = String(json)
    if (!new RegExp(visible, 'u').test(text)) return t.rules.blank(subject(t))
    return [...text].length > limit
      ? t.rules.tooLong(subject(t), limit)
      : t.rules.controlCharacters(subject(t))
  })

/** The same for a parameter, whose name comes before the rule; trimmed. */
export const lineUpTo = (max: number): Value<string> =>
  mapped(prose(max), (text) => (aLine.test(text) ? text : new InvalidValue((t) => t.values.line)))

// Neither white space nor zero-width: format characters, variation selectors, fillers, blank Braille.
const visible = '[^\\s\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}\\u2800]'

// Control characters, lone surrogates, line and paragraph separators, bidirectional controls.
const invisible = '\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069'

const line = `^(?=.*${visible})[^${invisible}]*$`
const aLine = new RegExp(line, 'u')
