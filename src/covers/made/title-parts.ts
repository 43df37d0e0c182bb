import { clean, isJapanese, letterCount } from './letters'

export interface TitleParts {
  /** The kind of work: 劇場版. */
  readonly eyebrow: string
  readonly main: string
  /** What tells works of a series apart: 第2期. */
  readonly sub: string
}

export function partsOf(title: string): TitleParts {
  const whole = clean(title)
  const [, eyebrow = '', afterEyebrow = ''] = eyebrowPattern.exec(whole) ?? []
  const rest = letterCount(afterEyebrow) >= 2 ? trimMarks(afterEyebrow) : whole
  const cut = Math.min(...cuts.map((find) => find(rest)))
  const main = trimMarks(rest.slice(0, cut))
  const sub = trimSub(rest.slice(cut))
  const parts =
    letterCount(main) >= 2 && sub !== '' ? { main, sub } : { main: trimMarks(rest) || rest, sub: '' }
  return { eyebrow: rest === whole ? '' : eyebrow, ...parts }
}

/** 映画 before kanji may be part of a phrase: 映画大好きポンポさん. */
const eyebrowPattern =
  /^((?:新)?劇場版(?=.)|総集編(?=[ 「『])|映画(?![\p{Script=Han}のをにはがと])|TVアニメ(?=.)|OVA(?![A-Za-z]))[ :：]*(.+)$/u

const marks = '[\\s:：〜～~\\-‐-―−－]'
const trimMarks = (text: string) =>
  text.replace(new RegExp(`^${marks}+`, 'u'), '').replace(new RegExp(`${marks}+$`, 'u'), '')

/** Where `sub` begins according to each rule; Infinity if a rule finds nothing. */
const cuts: readonly ((title: string) => number)[] = [
  firstSpace,
  (title) => placeOf(title, /[〜～][^〜～]+[〜～]/u),
  (title) => placeOf(title, / [-‐-―−－]|[-‐-―−－][^-‐-―−－]{2,}[-‐-―−－]$|: |：/u),
  (title) => placeOf(title, /(?<=.{3})[〜～](?=.{3})/u),
  (title) => placeOf(title, /[(（][^()（）]{1,12}[)）]$/u),
  (title) => placeOf(title, seasonPattern),
]

/** In a Japanese title, but not between two Latin words: THE IDOLM@STER シンデレラガールズ. */
function firstSpace(title: string): number {
  if (!isJapanese(title)) return Infinity
  for (const { index } of title.matchAll(/ /g)) {
    const before = title.slice(0, index)
    const next = title.slice(index + 1).split(/ |(?<=.)[「『（(【]/)[0] ?? ''
    if (isWithinBrackets(title, index)) continue
    if (letterCount(before) >= 2 && (isJapanese(before) || isJapanese(next))) return index
  }
  return Infinity
}

const placeOf = (title: string, pattern: RegExp): number => {
  const places = [...title.matchAll(new RegExp(pattern, `${pattern.flags}g`))]
  return places.find(({ index }) => !isWithinBrackets(title, index))?.index ?? Infinity
}

/** No part may begin inside brackets, which would separate the pair. */
const isWithinBrackets = (title: string, at: number): boolean =>
  brackets.some(([open, close]) => {
    const from = at === 0 ? -1 : title.lastIndexOf(open, at - 1)
    return from >= 0 && title.indexOf(close, from) >= at
  })

const brackets = ['「」', '『』', '（）', '()', '【】', '“”'].map(
  (pair) => Array.from(pair) as [string, string],
)

const number = '[0-9０-９一二三四五六七八九十]+'
const seasonPattern = new RegExp(
  `(?:${[
    `第${number}(?:期|クール|シリーズ|部|シーズン)`,
    '[0-9０-９]+(?:期|クール)',
    '(?<![A-Za-z])(?:The )?(?:Final )?Season ?(?:[0-9]+|I{1,3}|IV)?',
    '[0-9]+(?:st|nd|rd|th) ?(?:Season|シーズン)',
    '(?<= )(?:OVA|OAD)',
    '(?<= )(?:II|III|IV|V|VI)',
    '(?<![A-Za-z])Part ?[0-9]+',
  ].join('|')})(?: ?(?:Part ?[0-9]+|第${number}クール|OVA))*$`,
  'iu',
)

const trimSub = (sub: string) => {
  const text = trimMarks(sub.replace(/^([〜～])([^〜～]+)[〜～]/u, '$2 ')).replace(/ +/g, ' ')
  return text.replace(/^[(（]([^()（）]*)[)）]$/u, '$1').trim()
}
