import { cutTo, escapeText } from './letters'
import { breakable, hangOf } from './lines'
import { firstLines, type SetTitle, setTitle } from './setting'
import { d } from './shapes'
import type { TitleParts } from './title-parts'

export interface TextBlock {
  readonly height: number
  readonly title: SetTitle
  draw(x: number, top: number, colour: string, titleFont: string): string
}

export const mincho = ` font-family="'Hiragino Mincho ProN','Yu Mincho','Noto Serif JP','Noto Serif CJK JP',serif"`

const eyebrowHeight = 20
const subHeight = 19
const subGap = 6

/** The greatest height that leaves a strip of pattern in every layout; other text yields to the title. */
const room = 276

export function textBlock({ eyebrow, main, sub }: TitleParts, width: number): TextBlock {
  const title = setTitle(main, width)
  const titleHeight = title.lines.length * title.size * title.lineHeight
  const above = eyebrow === '' || titleHeight + eyebrowHeight > room ? 0 : eyebrowHeight
  const subRoom = Math.floor((room - above - titleHeight - subGap) / subHeight)
  const subLines = sub === '' || subRoom < 1 ? [] : subLinesOf(sub, width / 15, Math.min(3, subRoom))
  const below = subLines.length === 0 ? 0 : subGap + subLines.length * subHeight
  const draw = (x: number, top: number, colour: string, titleFont: string) => {
    const titleTop = top + above
    const subTop = titleTop + titleHeight + subGap + 13
    const pieces = [
      above === 0 ? '' : line(cutTo(eyebrow, width / 13), x, top + 13, 13, 500),
      `<g font-weight="700"${titleFont}${d` font-size="${title.size}"`}>${titleLines(title, x, titleTop)}</g>`,
      ...subLines.map((text, at) => line(text, x, subTop + at * subHeight, 15, 500)),
    ]
    return `<g fill="${colour}">${pieces.join('')}</g>`
  }
  return { height: above + titleHeight + below, title, draw }
}

function subLinesOf(sub: string, measure: number, most: number): readonly string[] {
  const text = breakable(Array.from(sub).slice(0, longestSub).join(''))
  return firstLines(text.breakTo(measure, true).lines, most, measure)
}

/** Longer than three lines of the narrowest letters. */
const longestSub = 160

const titleLines = ({ lines, size, lineHeight }: SetTitle, x: number, top: number) =>
  lines
    .map((text, at) => {
      const left = Math.max(0, x - hangOf(Array.from(text)[0]) * size)
      return `${d`<text x="${left}" y="${top + size * (0.88 + at * lineHeight)}">`}${escapeText(text)}</text>`
    })
    .join('')

export const line = (text: string, x: number, y: number, size: number, weight: number): string =>
  `<text ${d`x="${x}" y="${y}" font-size="${size}" font-weight="${weight}"`}>${escapeText(text)}</text>`
