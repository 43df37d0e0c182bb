import { choose, oneOf } from './choice'
import { layoutsFor, obi } from './layouts'
import { escapeText, scriptOf, widthOfText } from './letters'
import { drawPattern, patternField } from './pattern-field'
import { d, rectangle, tops } from './shapes'
import type { CoverFacts } from './sheet'
import { partsOf } from './title-parts'

export const gothic = "'Hiragino Sans','Yu Gothic UI','Noto Sans JP','Noto Sans CJK JP',sans-serif"

/** Below 96 px the mark replaces the title. The answer's Content-Security-Policy contains the hash of this style. */
export const markStyle = '@media(max-width:95px){#t{display:none}#m{display:inline}}'

/** The cover of a work without a picture: an SVG of 240 × 360, at most 4 KB, determined by the facts alone. */
export function madeCover(facts: CoverFacts): string {
  const parts = partsOf(facts.title)
  const choice = choose(parts)
  const sheet = { parts, choice, facts }
  const drawn = oneOf(layoutsFor(parts.main), choice.layout)(sheet) ?? obi(sheet)
  const { palette } = choice
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 360" width="240" height="360" xml:lang="ja" font-family="${gothic}"><style>${markStyle}</style>${drawPattern(choice, drawn)}<g id="t">${drawn.shapes}</g><g id="m" display="none">${patternField}${drawMark(markOf(parts.main), palette.paper, palette.titleOnPaper)}</g></svg>`
}

/** The letters that replace a title where it would be too small to read. */
export function markOf(main: string): string {
  const bare = main.replace(/[「」『』【】〈〉《》（）()[\]“”"]/gu, ' ').trim()
  const kanji = /^[おご]?(\p{Script=Han}+)/u.exec(bare)
  if (kanji?.[1] !== undefined) return ofKanji(kanji[0], kanji[1])
  const kana = /^(?:[\p{Script=Hiragana}]+ー*)+|^(?:[\p{Script=Katakana}]+ー*)+/u.exec(bare)
  if (kana !== null) return ofKana(Array.from(kana[0]))
  const letters = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Nd}]+/u.exec(bare)
  return letters === null ? otherMark(bare || main) : ofLatin(bare, letters[0])
}

function ofKanji(whole: string, kanji: string): string {
  const letters = Array.from(kanji)
  const lead = whole.slice(0, whole.length - kanji.length)
  return lead + (letters.length > 3 ? letters.slice(0, 2) : letters).join('')
}

function ofKana(letters: readonly string[]): string {
  if (letters.length <= 4) return letters.join('')
  const isTied = /[ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮー]/u.test(letters[3] ?? '')
  return letters.slice(0, isTied ? 2 : 3).join('')
}

function ofLatin(bare: string, word: string): string {
  if (Array.from(word).length <= 5) return word
  const words = bare.match(/[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Nd}]+/gu) ?? []
  return words
    .slice(0, 3)
    .map((one) => Array.from(one)[0] ?? '')
    .join('')
}

function otherMark(text: string): string {
  const known = /[\p{L}\p{N}]/u.exec(text)
  return known?.[0] ?? Array.from(text)[0] ?? ''
}

const slipSizes = [128, 112, 88, 72]

/** In the middle of the cover: on an upright slip, or on a band across. */
function drawMark(mark: string, paper: string, colour: string): string {
  if (mark === '') return ''
  const letters = Array.from(mark)
  return scriptOf(letters[0] ?? '') === 'alphabet'
    ? onBand(mark, paper, colour)
    : onSlip(letters, paper, colour)
}

function onBand(mark: string, paper: string, colour: string): string {
  const size = Math.min(128, 200 / widthOfText(mark))
  const height = size * 1.3
  return `${rectangle(0, 180 - height / 2, 240, height, paper)}<text ${d`x="120" y="${180 + size * 0.36}" font-size="${size}"`} font-weight="700" text-anchor="middle" fill="${colour}">${escapeText(mark)}</text>`
}

function onSlip(letters: readonly string[], paper: string, colour: string): string {
  const size = slipSizes[letters.length - 1] ?? 72
  const [width, height] = [size * 1.4, letters.length * size * 1.02 + size * 0.4]
  const top = 180 - height / 2
  return `${rectangle(120 - width / 2, top, width, height, paper)}<text x="120" y="${tops(letters.join(''), top + size * 0.2, size * 1.02)}" ${d`font-size="${size}"`} font-weight="700" writing-mode="vertical-rl" fill="${colour}">${escapeText(letters.join(''))}</text>`
}
