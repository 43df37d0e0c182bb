/** The languages of the pages (D5). */
export const languages = ['en', 'ja'] as const
/** One of them, as HTML names it. */
export type Language = (typeof languages)[number]

/** What a page says, in each language. */
export type Words = Readonly<Record<Language, string>>

/** The same text in English and in Japanese. */
export const words = (en: string, ja: string): Words => ({ en, ja })

/** Picks the words of one language. */
export type Say = (en: string, ja: string) => string

/** What picks the words of that language. */
export const sayIn =
  (language: Language): Say =>
  (en, ja) =>
    language === 'ja' ? ja : en

/** A rule or a message as a sentence of its own: with a capital and a full stop. */
export function sentence(text: Words): Words {
  const en = text.en.charAt(0).toUpperCase() + text.en.slice(1)
  return words(/[.?!]$/.test(en) ? en : `${en}.`, /[。？！]$/.test(text.ja) ? text.ja : `${text.ja}。`)
}

/** The language a browser asks for first among ours (RFC 9110 §12.5.4); English when it asks for neither. */
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
