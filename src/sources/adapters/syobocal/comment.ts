import type { CastCredit, StaffCredit } from '../../credits'

export interface Comment {
  readonly officialSite: string | undefined
  readonly staff: readonly StaffCredit[]
  readonly casts: readonly CastCredit[]
}

/** `*heading`, `**subheading`, `:item:value`, `-entry` and `[[text url]]`; ignores any other line. */
export function readComment(comment: string): Comment {
  const sections = sectionsOf(comment)
  const itemsOf = (heading: string) =>
    (sections.get(heading) ?? []).flatMap((line) => {
      const [, item = '', value = ''] = /^:([^:]+):(.+)$/.exec(line) ?? []
      return item.trim() === '' ? [] : [{ item, value }]
    })
  return {
    officialSite: officialSiteIn(sections.get('リンク') ?? []),
    staff: itemsOf('スタッフ').flatMap(({ item, value }) => {
      const credit = { roles: partsOf(item, '・').map(plainName).filter(isName), names: namesIn(value) }
      return magazines.test(item) ? [] : [credit]
    }),
    casts: itemsOf('キャスト').map(({ item, value }) => ({
      characters: partsOf(item, '／/、').filter(isName),
      names: namesIn(value),
    })),
  }
}

/** Lines by the heading above them. A subheading continues its heading's section. */
function sectionsOf(comment: string): Map<string, string[]> {
  const sections = new Map<string, string[]>()
  let lines: string[] = []
  for (const line of comment.split(/\r?\n/)) {
    const [, heading] = /^\*(?!\*)(.*)$/.exec(line) ?? []
    if (heading === undefined) lines.push(line.trim())
    else {
      lines = sections.get(heading.trim()) ?? []
      sections.set(heading.trim(), lines)
    }
  }
  return sections
}

/** The address of a site that is gone begins with `archive://`. */
function officialSiteIn(lines: readonly string[]): string | undefined {
  const links = lines.flatMap((line) => [...line.matchAll(/\[\[([^[\]]*?)\s+(\S+?)\]\]/g)])
  const [, , url = ''] = links.find(([, text = '']) => official.test(text)) ?? []
  return /^https?:\/\//i.test(url) && url.length <= 2000 && URL.canParse(url) ? url : undefined
}

/** Excludes accounts at other sites, such as 公式Twitter. */
const official = /公式(?:サイト|ページ|ホームページ|HP)?$/i

/** People and companies, without their affiliation: 虚淵玄(ニトロプラス). */
const namesIn = (value: string) => [...new Set(partsOf(value, '、').map(plainName).filter(isName))]

/** Removes brackets, even unbalanced ones, and the title of a work that follows: きら「…」 */
const plainName = (text: string): string => {
  const plain = text.replaceAll(/\([^()]*\)|（[^（）]*）/g, ' ')
  return (/^[^()（）]*/.exec(plain)?.[0] ?? '')
    .replace(/(?<=.)「[^」]*」$/, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Splits at each of the marks, except inside brackets. */
function partsOf(text: string, marks: string): string[] {
  const parts = ['']
  let depth = 0
  for (const letter of text) {
    if ('(（「'.includes(letter)) depth++
    if (')）」'.includes(letter)) depth = Math.max(0, depth - 1)
    if (depth === 0 && marks.includes(letter)) parts.push('')
    else parts[parts.length - 1] += letter
  }
  return parts.map((part) => part.trim())
}

/** Longer texts are sentences. */
const isName = (text: string) => text !== '' && text.length <= 100

const magazines = /^(?:掲載|連載)/
