import { inEnglish, type Message } from '../messages/languages'

/** One input of a form: how it is drawn, and how its text is read. */
export interface Field<T> {
  readonly label: Message
  readonly hint?: Message
  readonly control: Control
  /** The value of a text as the browser sent it, '' when it sent none. Throws `Unfit`, or a `FieldProblem`. */
  read(text: string): T
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
  | { readonly kind: 'radios'; readonly options: Readonly<Record<string, Explained>> }
  | { readonly kind: 'hidden' }

/** An option and a sentence about it. */
export interface Explained {
  readonly label: Message
  readonly hint: Message
}

/** A text that cannot be a field's value, and the rule it breaks. */
export class Unfit extends Error {
  constructor(readonly text: Message) {
    super(inEnglish(text))
  }
}

/** The inputs of a form by the names they are sent under, in their order. */
export type Fields = Readonly<Record<string, Field<unknown>>>

/** The values of a form by name. */
export type ValuesOf<F extends Fields> = { readonly [Name in keyof F]: ReturnType<F[Name]['read']> }

interface Said {
  readonly label: Message
  readonly hint?: Message
  /** In code points. */
  readonly limit: number
  readonly optional?: true
  /** As HTML names what a browser may fill in. */
  readonly autocomplete?: string
}

/** One line of text, trimmed. */
export const textField = (said: Said, kind: 'text' | 'email' = 'text'): Field<string> => ({
  ...described(said),
  control: { kind, autocomplete: said.autocomplete ?? 'off', required: said.optional !== true },
  read: (text) => limited(text.trim(), said),
})

/** Several lines of text, trimmed, with line feeds alone. */
export const linesField = (said: Said): Field<string> => ({
  ...described(said),
  control: { kind: 'lines', required: said.optional !== true },
  read: (text) => limited(text.replaceAll('\r\n', '\n').trim(), said),
})

/** A password, taken as it is. What makes a good one is for `checkNewPassword` to say. */
export const passwordField = (said: {
  label: Message
  hint?: Message
  autocomplete: 'current-password' | 'new-password'
  optional?: true
}): Field<string> => ({
  ...described(said),
  control: { kind: 'password', autocomplete: said.autocomplete, required: said.optional !== true },
  read: (text) => {
    if (text === '' && !said.optional) throw new Unfit(missing)
    return text
  },
})

/** Yes or no. */
export const checkbox = (said: { label: Message; hint?: Message }): Field<boolean> => ({
  ...described(said),
  control: { kind: 'checkbox' },
  // Programs that fill in forms send these for off, browsers nothing.
  read: (text) => !['', '0', 'false', 'off'].includes(text),
})

/** One of a few; the first when none is sent. */
export const choice = <const Option extends string>(said: {
  label: Message
  hint?: Message
  options: Readonly<Record<Option, Message>>
}): Field<Option> => ({
  ...described(said),
  control: { kind: 'choice', options: said.options },
  read: (text) => chosenOf(said.options, text),
})

/** The same, with a sentence about each: all of them stand on the page. */
export const radios = <const Option extends string>(said: {
  label: Message
  options: Readonly<Record<Option, Explained>>
}): Field<Option> => ({
  ...described(said),
  control: { kind: 'radios', options: said.options },
  read: (text) => chosenOf(said.options, text),
})

/** A field whose value is checked by the rules of what it is for, which throw a `FieldProblem`. */
export const checked = <T>(field: Field<T>, check: (value: T) => unknown): Field<T> => ({
  ...field,
  read: (text) => {
    const value = field.read(text)
    check(value)
    return value
  },
})

/** A value that a page hands on. Whoever reads it knows that anybody may have written it. */
export const hiddenField = (): Field<string> => ({
  label: () => '',
  control: { kind: 'hidden' },
  read: (text) => text,
})

function chosenOf<Option extends string>(options: Readonly<Record<Option, unknown>>, text: string): Option {
  const names = Object.keys(options) as Option[]
  const chosen = text === '' ? names[0] : names.find((name) => name === text)
  if (chosen === undefined) throw new Unfit((t) => t.form.notOffered)
  return chosen
}

const described = ({ label, hint }: { label: Message; hint?: Message }) =>
  hint === undefined ? { label } : { label, hint }

function limited(text: string, { limit, optional }: Said): string {
  if (text === '' && !optional) throw new Unfit(missing)
  if ([...text].length > limit) throw new Unfit((t) => t.form.tooLong(limit))
  return text
}

const missing: Message = (t) => t.form.missing
