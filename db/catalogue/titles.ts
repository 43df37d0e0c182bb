import type { Item } from './sources'

/** The English title and aliases, including the items' other titles, without duplicates in width or case. */
export function otherTitles(
  title: string,
  items: Pick<Item, 'title' | 'titleTranslate'>[],
): {
  english: string | undefined
  aliases: string[]
} {
  const titlesIn = (language: string) =>
    items.flatMap(({ titleTranslate }) =>
      (titleTranslate[language] ?? []).filter((one) => one !== '').map((one) => misspelt[one] ?? one),
    )
  const english = titlesIn('en')[0]
  const seen = new Set([title, english ?? title].map(folded))
  const aliases = [...items.map((item) => item.title), ...languages.flatMap(titlesIn)].filter((alias) => {
    const isNew = !seen.has(folded(alias))
    seen.add(folded(alias))
    return isNew
  })
  return { english, aliases }
}

const misspelt: Readonly<Record<string, string>> = {
  'Prison Schoo': 'Prison School',
  'ONE PANCH MAN': 'ONE PUNCH MAN',
}

const languages = ['ja', 'en', 'zh-Hant', 'zh-Hans']

const folded = (title: string) => title.normalize('NFKC').toLowerCase()
