import { type SetSlip, setSlip } from './columns'
import { foot } from './foot'
import { cutTo, escapeText, letterCount } from './letters'
import { patternField } from './pattern-field'
import { d, rectangle, tops } from './shapes'
import type { Drawn, Sheet } from './sheet'
import { line, mincho } from './text-block'
import type { TitleParts } from './title-parts'

/** The title, set vertically on a slip (題簽) over the pattern. */
export function slip({ parts, choice, facts }: Sheet): Drawn | undefined {
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

function columnTexts({ columns, size }: SetSlip, box: Box, colour: string): string {
  const texts = columns.map((letters, at) => {
    const x = box.x + box.width - 13 - size * 1.18 * (at + 0.5)
    return `${d`<text x="${x}"`} y="${tops(letters, box.y + 20 + at * box.drop, size * letterHeight)}">${escapeText(letters)}</text>`
  })
  return `<g fill="${colour}" font-weight="700"${mincho} writing-mode="vertical-rl" ${d`font-size="${size}"`}>${texts.join('')}</g>`
}
