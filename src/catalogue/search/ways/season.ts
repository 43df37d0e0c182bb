/** The number of a season, the final season, or a film or the like. */
export type SeasonMark = number | 'final' | 'movie' | 'ova'

export interface OfSeason {
  readonly base: string
  readonly season: SeasonMark
  /** Whether it is a part (cour) of a season. */
  readonly isPart: boolean
}

/** Parses 2期, S2, II, 第2シーズン, 2nd season, final, 続, movie. Undefined without a season or without a rest. */
export function seasonIn(text: string): OfSeason | undefined {
  const plain = text.normalize('NFKC').toLowerCase()
  for (const { pattern, season, isPart = false } of forms) {
    const found = pattern.exec(plain)
    if (found === null) continue
    const base = `${plain.slice(0, found.index)} ${plain.slice(found.index + found[0].length)}`.trim()
    const meant = season ?? numberOf(found.slice(1).find((group) => group !== undefined) ?? '')
    if (/[\p{L}\p{N}]/u.test(base) && meant !== undefined) return { base, season: meant, isPart }
  }
  return undefined
}

function numberOf(text: string): number | undefined {
  const number = numerals.get(text) ?? Number(text)
  return Number.isInteger(number) && number > 0 && number < 60 ? number : undefined
}

const counted = (words: string) => words.split(' ').map((word, at): [string, number] => [word, at + 1])

const numerals = new Map([
  ...counted('i ii iii iv v vi vii viii'),
  ...counted('first second third fourth fifth sixth'),
  ...counted('一 二 三 四 五 六 七 八 九 十'),
  ...counted('壱 弐 参'),
])

const number = '([0-9]{1,2}|[一二三四五六七八九十壱弐参]|viii|vii|vi|iv|iii|ii|v)'
const ordinal = '(?:([0-9])(?:st|nd|rd|th)|(first|second|third|fourth|fifth|sixth))'
const word = '(?:season|series|stage|シーズン|シリーズ|しーずん|しりーず|ステージ)'

/** Most specific first; `season` if no number gives it. */
const forms: readonly { pattern: RegExp; season?: SeasonMark; isPart?: true }[] = [
  { pattern: new RegExp(`[(\\s]*第?\\s*${number}\\s*(?:期|季|${word})\\)?`) },
  { pattern: new RegExp(`[(\\s]*${ordinal}\\s*${word}?\\)?`) },
  { pattern: new RegExp(`[(\\s]*${word}\\s*${number}\\)?`) },
  {
    pattern: /[(\s]*(?:the )?final(?: season| stage)?\)?$|[(\s]*ファイナル(?:シーズン)?\)?/,
    season: 'final',
  },
  { pattern: /[(\s]*(?:完結|最終)[編篇期章](?:シーズン)?\)?/, season: 'final' },
  { pattern: /(?<![a-z])s([0-9]{1,2})(?![0-9a-z])/ },
  {
    pattern: new RegExp(`[(\\s]*(?:第?\\s*${number}\\s*クール|(?:part|パート|cour)[.\\s]*${number})\\)?`),
    isPart: true,
  },
  { pattern: /(?<![a-z])(viii|vii|vi|iv|iii|ii)(?![a-z])/ },
  { pattern: new RegExp(`(?<![a-z0-9])${number}\\s*[)!.]*$`) },
  { pattern: /[\s(・]*続[編篇]?\)?$|^続[・\s]*/, season: 2 },
  {
    pattern: /(?:^|\s)(?:the )?(?:movie|劇場版|映画)(?:\s|$)|^(?:劇場版|映画|げきじょうばん|えいが)/,
    season: 'movie',
  },
  { pattern: /(?:^|\s)(?:ova|oad)(?:\s|$)/, season: 'ova' },
]
