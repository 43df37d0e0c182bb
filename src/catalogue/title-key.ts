export interface TitleKey {
  /** Folded letters without marks, spaces, kana script and the numbers below. */
  base: string
  /** Season and part in any notation (`第2期`, `2nd season`, `II`); 1 if there is none. */
  season: number
  part: number
}

export function titleKey(title: string): TitleKey {
  const plain = withoutNotes(title.normalize('NFKC').toLowerCase().replaceAll('×', 'x'))
  const season = numbered(plain, seasons)
  const part = numbered(season.rest, parts)
  return { base: letters(part.rest) || plain, season: season.number, part: part.number }
}

/** Equal for titles that differ only in notation. */
export function titleText(title: string): string {
  const { base, season, part } = titleKey(title)
  return `${base}#${season}#${part}`
}

/** Equal also for titles that differ in words for the medium, which Annict and others write at different places. */
export const bareTitle = (title: string) =>
  titleText(
    title
      .normalize('NFKC')
      .replace(/劇場版|映画|\b(?:the )?movie\b|ova|oad|スペシャル|オリジナルdvd(?:アニメ)?/giu, ' '),
  )

const withoutNotes = (title: string) =>
  title
    .replace(/^(?:tvアニメ|テレビアニメ|アニメ|ova|oad|劇場版|映画)\s*(?=[「『\s]|[^\s])/u, '')
    .replace(
      /\((?:映画|劇場版|ova|oad|tv|tvシリーズ|web|webアニメ|ショートアニメ|アニメ|\d{4}年?)版?\)/gu,
      '',
    )
    .replace(/\((第\d+(?:期|シリーズ))\)/gu, ' $1')
    .replace(/[「」『』]/gu, ' ')
    .trim()

function numbered(text: string, patterns: readonly RegExp[]): { rest: string; number: number } {
  for (const pattern of patterns) {
    const found = pattern.exec(text)
    const number = found && numberOf(found.slice(1).find((part) => part !== undefined) ?? '')
    if (!found || !number) continue
    return { rest: `${text.slice(0, found.index)} ${text.slice(found.index + found[0].length)}`, number }
  }
  return { rest: text, number: 1 }
}

const seasons = [
  /第\s?(\d+|[一二三四五六七八九十]+)\s?(?:期|シリーズ|シーズン)/u,
  /(\d+)\s?(?:st|nd|rd|th)[\s_-]?(?:season|シーズン)/u,
  /(first|second|third|fourth|fifth)\s?season/u,
  /season[\s.]?(\d+)/u,
  /シーズン\s?(\d+)/u,
  /(ファースト|セカンド|サード|フォース)\s?シーズン/u,
  /(\d+)期/u,
  /([一二三四五六七八九十])期(?=\s|$)/u,
  /\ss(\d+)$/u,
  /(?<![\d.])\s?([2-9])$/u,
  /(?<=[^a-z0-9])\s?(ii|iii|iv|v|vi|vii|viii|ix)(?=\s|$)/u,
]

const parts = [
  /第\s?(\d+|[一二三四五六七八九十]+)\s?(?:クール|部|章|幕|話)/u,
  /(\d+)(?:st|nd|rd|th)?\s?クール目?/u,
  /part[\s.]?(\d+)/u,
  /パート\s?(\d+)/u,
  /(後半|後編)クール/u,
]

const numberOf = (text: string) => Number(text) || words[text] || kanji(text)

const words: Record<string, number> = {
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  fifth: 5,
  ファースト: 1,
  セカンド: 2,
  サード: 3,
  フォース: 4,
  ii: 2,
  iii: 3,
  iv: 4,
  v: 5,
  vi: 6,
  vii: 7,
  viii: 8,
  ix: 9,
  後半: 2,
  後編: 2,
}

function kanji(text: string): number {
  const digit = (letter: string) => '〇一二三四五六七八九'.indexOf(letter)
  if (!text.includes('十')) return Math.max(0, digit(text))
  return 10 + Math.max(0, digit(text.replace('十', '')))
}

const letters = (text: string) =>
  text
    .replace(/[\p{P}\p{S}\p{Z}\p{C}]/gu, '')
    .replace(/[ァ-ヶ]/gu, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x60))
    .replace(/[ぁぃぅぇぉっゃゅょゎ]/gu, (letter) => large[letter] ?? letter)
    .replace(/[ゔづぢ]/gu, (letter) => large[letter] ?? letter)
    .replaceAll('ー', '')

const large: Record<string, string> = {
  ぁ: 'あ',
  ぃ: 'い',
  ぅ: 'う',
  ぇ: 'え',
  ぉ: 'お',
  っ: 'つ',
  ゃ: 'や',
  ゅ: 'ゆ',
  ょ: 'よ',
  ゎ: 'わ',
  ゔ: 'ぶ',
  づ: 'ず',
  ぢ: 'じ',
}
