import type { Bytes } from '../http/bytes'
import { isTimeZone } from '../lib/local-time'
import type { Message } from '../messages/languages'
import { anyText, oneOf, textUpTo } from '../values/text'
import { InvalidValue, type Value } from '../values/value'

export interface FormField<T> {
  readonly label: Message
  readonly hint?: Message
  readonly control: Control
  read(text: string): T | InvalidValue
  /** For fields that accept a file; `read` refuses everything else. */
  readFile?(bytes: Bytes): T | InvalidValue
}

export type Control =
  | {
      readonly kind: 'text' | 'email' | 'password'
      readonly autocomplete: string
      readonly required: boolean
    }
  | { readonly kind: 'lines'; readonly required: boolean }
  | { readonly kind: 'checkbox' }
  | { readonly kind: 'choice'; readonly options: Readonly<Record<string, Message>> }
  | { readonly kind: 'segments'; readonly options: Readonly<Record<string, Message>> }
  | { readonly kind: 'zone' }
  | { readonly kind: 'radios'; readonly options: Readonly<Record<string, ExplainedOption>> }
  | { readonly kind: 'hidden' }
  /** `accept`: media types, separated by commas. */
  | { readonly kind: 'file'; readonly accept: string }

export interface ExplainedOption {
  readonly label: Message
  readonly hint: Message
  /** The hint's language, if it differs from the page's. */
  readonly lang?: string
}

export type FormFields = Readonly<Record<string, FormField<unknown>>>

export type ValuesOf<F extends FormFields> = {
  readonly [Name in keyof F]: Exclude<ReturnType<F[Name]['read']>, InvalidValue>
}

interface TextInput {
  readonly label: Message
  readonly hint?: Message
  readonly optional?: true
  readonly autocomplete?: string
  readonly value?: Value<unknown>
}

interface LimitedInput extends TextInput {
  /** In code points; by default the `maxLength` of the value's schema. */
  readonly limit?: number
}

export const textField = (input: LimitedInput, kind: 'text' | 'email' = 'text'): FormField<string> => ({
  ...labelAndHint(input),
  control: { kind, autocomplete: input.autocomplete ?? 'off', required: input.optional !== true },
  read: textReader(input, limited(input), (text) => text.trim()),
})

/** Trimmed, with LF line endings. */
export const linesField = (input: LimitedInput): FormField<string> => ({
  ...labelAndHint(input),
  control: { kind: 'lines', required: input.optional !== true },
  read: textReader(input, limited(input), (text) => text.replaceAll('\r\n', '\n').trim()),
})

/** Not trimmed. `newPassword` checks its strength. */
export const passwordField = (
  input: TextInput & { readonly autocomplete: 'current-password' | 'new-password' },
): FormField<string> => ({
  ...labelAndHint(input),
  control: { kind: 'password', autocomplete: input.autocomplete, required: input.optional !== true },
  read: textReader(input, anyText, (text) => text),
})

export const checkbox = (input: { label: Message; hint?: Message }): FormField<boolean> => ({
  ...labelAndHint(input),
  control: { kind: 'checkbox' },
  // Programs send these for off, browsers send nothing.
  read: (text) => !['', '0', 'false', 'off'].includes(text),
})

/** If none is sent, the value is the first option. */
interface Offer<Option extends string, Shown> {
  readonly label: Message
  readonly hint?: Message
  readonly options: Readonly<Record<Option, Shown>>
}

export const choice = <const Option extends string>(input: Offer<Option, Message>): FormField<Option> =>
  offering(input, { kind: 'choice', options: input.options })

/** Up to three short values side by side. */
export const segments = <const Option extends string>(input: Offer<Option, Message>): FormField<Option> =>
  offering(input, { kind: 'segments', options: input.options })

export const radios = <const Option extends string>(
  input: Offer<Option, ExplainedOption>,
): FormField<Option> => offering(input, { kind: 'radios', options: input.options })

/** An IANA name; null for the browser's zone. */
export const zoneField = (input: { label: Message; hint?: Message }): FormField<string | null> => ({
  ...labelAndHint(input),
  control: { kind: 'zone' },
  read: (text) => {
    if (text === '') return null
    return isTimeZone(text) ? text : new InvalidValue((t) => t.form.notOffered)
  },
})

/** The form checks the content: browsers send an empty file if none was chosen. */
export const fileField = (input: { label: Message; hint?: Message; accept: string }): FormField<Bytes> => ({
  ...labelAndHint(input),
  control: { kind: 'file', accept: input.accept },
  read: () => new InvalidValue((t) => t.form.missing),
  readFile: (bytes) => (bytes.length === 0 ? new InvalidValue((t) => t.form.emptyFile) : bytes),
})

/** The value may be forged. */
export const hiddenField = (): FormField<string> => ({
  label: () => '',
  control: { kind: 'hidden' },
  read: (text) => text,
})

function offering<Option extends string>(input: Offer<Option, unknown>, control: Control): FormField<Option> {
  const names = Object.keys(input.options) as Option[]
  const value = oneOf(names, (t) => t.form.notOffered)
  return { ...labelAndHint(input), control, read: (text) => value.read(text || (names[0] ?? '')) }
}

const labelAndHint = ({ label, hint }: { label: Message; hint?: Message }) =>
  hint === undefined ? { label } : { label, hint }

function limited({ limit, value = anyText }: LimitedInput): Value<string> {
  const most = limit ?? ('maxLength' in value.schema ? Number(value.schema.maxLength) : undefined)
  return most === undefined ? anyText : textUpTo(most, (t) => t.form.tooLong(most))
}

function textReader(
  { optional, value = anyText }: TextInput,
  lengthRule: Value<string>,
  clean: (text: string) => string,
) {
  return (sent: string) => {
    const text = lengthRule.read(clean(sent))
    if (text instanceof InvalidValue || (text === '' && optional)) return text
    const read = text === '' ? new InvalidValue((t) => t.form.missing) : value.read(text)
    return read instanceof InvalidValue ? read : text
  }
}
