import { en, type Messages } from './en'
import { ja } from './ja'

/** By BCP 47 tag (D5). */
const byLanguage = { en, ja } satisfies Readonly<Record<string, Messages>>

export type Language = keyof typeof byLanguage

export const languages = Object.keys(byLanguage) as readonly Language[]

export const messagesIn = (language: Language): Messages => byLanguage[language]

/** A message, to be shown in the reader's language: `(t) => t.signIn.title`. */
export type Message = (t: Messages) => string

/** For the command line and the log. */
export const inEnglish = (message: Message): string => message(en)

/** The preferred supported language of an Accept-Language header (RFC 9110 §12.5.4); else English. */
export function preferredLanguage(acceptLanguage: string | null): Language {
  const asked = (acceptLanguage ?? '').split(',').map((range) => {
    const [tag = '', ...parameters] = range
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/)
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
    return { tag, weight: Number(weight) || 0 }
  })
  const best = asked.filter(({ weight }) => weight > 0).sort((one, other) => other.weight - one.weight)
  const known = best.map(({ tag }) => languages.find((language) => tag.split('-')[0] === language))
  return known.find((language) => language !== undefined) ?? 'en'
}
