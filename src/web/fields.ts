import type { Message } from '../messages/languages'
import { anyText, oneOf, textUpTo } from '../values/text'
import { InvalidValue, type Value } from '../values/value'

/** One input of a form: how it is drawn, and how its text is read. */
export interface Field<T> {
  readonly label: Message
  readonly hint?: Message
  readonly control: Control
  /** The value of a text as the browser sent it, '' when it sent none. */
  read(text: string): T | InvalidValue
}

/** How an input looks and what a browser may fill in. */
export type Control =
  | {
      readonly kind: 'text' | 'email' | 'password'
      readonly autocomplete: string
      readonly required: boolean
    }
  | { readonly kind: 'lines'; readonly required: boolean }
  | { readonly kind: 'checkbox' }
  | { readonly kind: 'choice'; readonly options: Readonly<Record<string, Message>> }
  | { readonly kind: 'radios'; readonly options: Readonly<Record<string, ExplainedOption>> }
  | { readonly kind: 'hidden' }

/** An option and a sentence about it. */
export interface ExplainedOption {
  readonly label: Message
  readonly hint: Message
}

/** The inputs of a form by the names they are sent under, in their order. */
export type Fields = Readonly<Record<string, Field<unknown>>>

/** The values of a form by name. */
export type ValuesOf<F extends Fields> = {
  readonly [Name in keyof F]: Exclude<ReturnType<F[Name]['read']>, InvalidValue>
}

interface TextInput {
  readonly label: Message
  readonly hint?: Message
  readonly optional?: true
  /** As HTML names what a browser may fill in. */
  readonly autocomplete?: string
  /** What a text must be that is not blank. */
  readonly value?: Value<unknown>
}

interface LimitedInput extends TextInput {
  /** In code points; that of its value's schema unless said. */
  readonly limit?: number
}

/** One line of text, trimmed. */
export const textField = (input: LimitedInput, kind: 'text' | 'email' = 'text'): Field<string> => ({
  ...words(input),
  control: { kind, autocomplete: input.autocomplete ?? 'off', required: input.optional !== true },
  read: reader(input, limited(input), (text) => text.trim()),
})

/** Several lines of text, trimmed, with line feeds alone. */
export const linesField = (input: LimitedInput): Field<string> => ({
  ...words(input),
  control: { kind: 'lines', required: input.optional !== true },
  read: reader(input, limited(input), (text) => text.replaceAll('\r\n', '\n').trim()),
})

/** A password, taken as it is. What makes a good one is for `newPassword` to say. */
export const passwordField = (
  input: TextInput & { readonly autocomplete: 'current-password' | 'new-password' },
): Field<string> => ({
  ...words(input),
  control: { kind: 'password', autocomplete: input.autocomplete, required: input.optional !== true },
  read: reader(input, anyText, (text) => text),
})

/** Yes or no. */
export const checkbox = (input: { label: Message; hint?: Message }): Field<boolean> => ({
  ...words(input),
  control: { kind: 'checkbox' },
  // Programs that fill in forms send these for off, browsers nothing.
  read: (text) => !['', '0', 'false', 'off'].includes(text),
})

/** One of a few; the first when none is sent. */
export const choice = <const Option extends string>(input: {
  label: Message
  hint?: Message
  options: Readonly<Record<Option, Message>>
}): Field<Option> => ({
  ...words(input),
  control: { kind: 'choice', options: input.options },
  read: firstOr(input.options),
})

/** The same, with a sentence about each: all of them stand on the page. */
export const radios = <const Option extends string>(input: {
  label: Message
  options: Readonly<Record<Option, ExplainedOption>>
}): Field<Option> => ({
  ...words(input),
  control: { kind: 'radios', options: input.options },
  read: firstOr(input.options),
})

/** A value that a page hands on. Whoever reads it knows that anybody may have written it. */
export const hiddenField = (): Field<string> => ({
  label: () => '',
  control: { kind: 'hidden' },
  read: (text) => text,
})

function firstOr<Option extends string>(options: Readonly<Record<Option, unknown>>) {
  const names = Object.keys(options) as Option[]
  const value = oneOf(names, (t) => t.form.notOffered)
  return (text: string) => value.read(text === '' ? (names[0] ?? '') : text)
}

const words = ({ label, hint }: { label: Message; hint?: Message }) =>
  hint === undefined ? { label } : { label, hint }

function limited({ limit, value = anyText }: LimitedInput): Value<string> {
  const most = limit ?? ('maxLength' in value.schema ? Number(value.schema.maxLength) : undefined)
  return most === undefined ? anyText : textUpTo(most, (t) => t.form.tooLong(most))
}

function reader(
  { optional, value = anyText }: TextInput,
  short: Value<string>,
  clean: (text: string) => string,
) {
  return (sent: string) => {
    const text = short.read(clean(sent))
    if (text instanceof InvalidValue || (text === '' && optional)) return text
    const read = text === '' ? new InvalidValue((t) => t.form.missing) : value.read(text)
    return read instanceof InvalidValue ? read : text
  }
}
