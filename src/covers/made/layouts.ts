import type { CoverChoice } from './choice'
import { type SetSlip, setSlip } from './columns'
import { cutTo, escapeText, letterCount } from './letters'
import type { Palette } from './palettes'
import { patternField } from './pattern-field'
import { d, rectangle, tops } from './shapes'
import type { CoverFacts, Drawn, Layout, Sheet } from './sheet'
import { line, mincho, textBlock } from './text-block'
import type { TitleParts } from './title-parts'

/** Layouts that suit a title's length, repeated according to their frequency. */
export function layoutsFor(main: string): readonly Layout[] {
  if (setSlip(main) !== undefined) return [slip, slip, slip, mon, obi]
  const count = Array.from(main).length
  if (count <= 9) return [mon, obi, hem, obi, spine]
  return count <= 18 ? [obi, hem, obi, hem, spine] : [obi, hem]
}

/** The title, set vertically on a slip (題簽) over the pattern. */
function slip({ parts, choice, facts }: Sheet): Drawn | undefined {
  const set = fitting(setSlip(parts.main), parts)
  if (set === undefined) return undefined
  const { palette } = choice
  const small = smallPrint(parts)
  const footHeight = footOf(small)
  const box = boxOf(set, 360 - footHeight, choice.slipPlace)
  const band = rectangle(0, 360 - footHeight, 240, footHeight, palette.ground)
  const words = small === '' ? '' : line(cutTo(small, 206 / 14), 18, 323, 14, 500)
  const below = `${band}<g fill="${palette.titleOnGround}">${words}</g>${foot(facts, palette, palette.titleOnGround)}`
  const paper = rectangle(box.x, box.y, box.width, box.height, palette.paper)
  const frame = `<rect ${d`x="${box.x + 5}" y="${box.y + 5}" width="${box.width - 10}" height="${box.height - 10}"`} fill="none" stroke="${palette.titleOnPaper}" stroke-width="1.2"/>`
  const shapes = patternField + below + paper + frame + columnTexts(set, box, palette.titleOnPaper)
  return { shapes, pattern: { x: 0, y: 0 } }
}

const smallPrint = ({ eyebrow, sub }: TitleParts) => `${eyebrow} ${sub}`.trim()

const footOf = (small: string) => (small === '' ? 36 : 56)

/** Reduces the size if the foot takes room from a long column. */
function fitting(set: SetSlip | undefined, parts: TitleParts): SetSlip | undefined {
  if (set === undefined) return undefined
  const most = 360 - footOf(smallPrint(parts)) - 28 - padding
  const longest = Math.max(...set.columns.map(letterCount)) * letterHeight
  return { ...set, size: Math.min(set.size, most / longest) }
}

/** Padding of the slip, above and below together; height of a letter in a column, in em. */
const padding = 40
const letterHeight = 1.04

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly drop: number
}

function boxOf({ columns, size }: SetSlip, room: number, place: 'left' | 'middle' | 'right'): Box {
  const [first = 0, second = 0] = columns.map(letterCount)
  const width = columns.length * size * 1.18 + 26
  const drop =
    second === 0 ? 0 : Math.max(0, Math.min(0.6 * size, room - 28 - padding - second * size * letterHeight))
  const height = Math.max(first * size * letterHeight, second * size * letterHeight + drop) + padding
  const x = { left: 22, middle: (240 - width) / 2, right: 218 - width }[place]
  return { x, y: Math.min(30, Math.max(14, (room - height) / 2)), width, height, drop }
}

const mediaNames: Readonly<Record<string, string>> = { tv: 'TV', ova: 'OVA', movie: '映画', web: 'WEB' }
const seasonLetters: Readonly<Record<string, string>> = {
  winter: '冬',
  spring: '春',
  summer: '夏',
  autumn: '秋',
}

/** Year, medium and season's seal at the lower edge; unknown ones are left out. */
const foot = (facts: CoverFacts, palette: Palette, colour: string, x = 18): string =>
  imprint(facts, palette, colour, x, 330)

const head = (facts: CoverFacts, palette: Palette, colour: string): string =>
  imprint(facts, palette, colour, 18, 16)

function imprint(
  { media, seasonYear, season }: CoverFacts,
  palette: Palette,
  colour: string,
  x: number,
  y: number,
) {
  const text = [seasonYear ?? '', mediaNames[media] ?? ''].join(' ').trim()
  const words = text === '' ? '' : `<g fill="${colour}">${line(text, x, y + 17, 13, 500)}</g>`
  const letter = seasonLetters[season ?? '']
  if (letter === undefined) return words
  const seal = `<g fill="${palette.sealLetter}" text-anchor="middle">${line(letter, 210, y + 17.4, 15, 700)}</g>`
  return words + rectangle(198, y, 24, 24, palette.seal) + seal
}

function columnTexts({ columns, size }: SetSlip, box: Box, colour: string): string {
  const texts = columns.map((letters, at) => {
    const x = box.x + box.width - 13 - size * 1.18 * (at + 0.5)
    return `${d`<text x="${x}"`} y="${tops(letters, box.y + 20 + at * box.drop, size * letterHeight)}">${escapeText(letters)}</text>`
  })
  return `<g fill="${colour}" font-weight="700"${mincho} writing-mode="vertical-rl" ${d`font-size="${size}"`}>${texts.join('')}</g>`
}

const margin = 18
const fullWidth = 206

const titleFont = ({ isMincho }: CoverChoice) => (isMincho ? mincho : '')

const bandColours = ({ isOnPaper, palette }: CoverChoice) =>
  isOnPaper
    ? { band: palette.paper, title: palette.titleOnPaper }
    : { band: palette.ground, title: palette.titleOnGround }

/** A band at the bottom, as high as its text: suits every title. */
export function obi({ parts, choice, facts }: Sheet): Drawn {
  const block = textBlock(parts, fullWidth)
  const top = 360 - 18 - block.height - 42
  const { band, title } = bandColours(choice)
  const text = block.draw(margin, top + 18, title, titleFont(choice))
  const shapes =
    patternField + rectangle(0, top, 240, 360 - top, band) + text + foot(facts, choice.palette, title)
  return { shapes, pattern: { x: 0, y: top } }
}

/** A band at the top, with the pattern down to the lower edge. */
function hem({ parts, choice, facts }: Sheet): Drawn {
  const block = textBlock(parts, fullWidth)
  const height = 48 + block.height + 22
  const { band, title } = bandColours(choice)
  const text = block.draw(margin, 48, title, titleFont(choice))
  const shapes = patternField + rectangle(0, 0, 240, height, band) + text + head(facts, choice.palette, title)
  return { shapes, pattern: { x: 0, y: height } }
}

/** A disc of the pattern above the title. On a coloured ground, the two colours are swapped inside it. */
function mon({ parts, choice, facts }: Sheet): Drawn | undefined {
  const block = textBlock(parts, fullWidth)
  const top = 316 - block.height
  const radius = Math.min(94, (top - 14 - 16) / 2)
  if (radius < 48) return undefined
  const { band, title } = bandColours(choice)
  const y = 14 + (top - 14 - 16) / 2
  const ring = choice.isOnPaper ? '' : ` stroke="${choice.palette.figure}" stroke-width="3"`
  const disc = `<circle ${d`cx="120" cy="${y}" r="${radius}"`} fill="url(#p)"${ring}/>`
  const text = block.draw(margin, top, title, titleFont(choice))
  const shapes = rectangle(0, 0, 240, 360, band) + disc + text + foot(facts, choice.palette, title)
  return { shapes, pattern: { x: 120, y, isSwapped: !choice.isOnPaper } }
}

/** The pattern on the left, for titles of three or more lines. */
function spine({ parts, choice, facts }: Sheet): Drawn | undefined {
  const block = textBlock(parts, 148)
  if (block.title.lines.length < 3 || block.title.size < 24) return undefined
  const { ground, titleOnGround } = choice.palette
  const text = block.draw(76, margin, titleOnGround, titleFont(choice))
  const field = rectangle(60, 0, 180, 360, ground)
  return {
    shapes: patternField + field + text + foot(facts, choice.palette, titleOnGround, 76),
    pattern: { x: 60, y: 0 },
  }
}
