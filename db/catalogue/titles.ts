import type { Item } from './sources'

/** The English title, and the other names a work is known by, without those that differ only in width or case. */
export function otherTitles({ title, titleTranslate }: Item): {
  english: string | undefined
  aliases: string[]
} {
  const english = titlesIn('en', titleTranslate)[0]
  const seen = new Set([title, english ?? title].map(folded))
  const aliases = languages
    .flatMap((language) => titlesIn(language, titleTranslate))
    .filter((alias) => {
      const isNew = !seen.has(folded(alias))
      seen.add(folded(alias))
      return isNew
    })
  return { english, aliases }
}

const languages = ['ja', 'en', 'zh-Hant', 'zh-Hans']

const titlesIn = (language: string, translations: Item['titleTranslate']) =>
  (translations[language] ?? []).filter((title) => title !== '')

const folded = (title: string) => title.normalize('NFKC').toLowerCase()
