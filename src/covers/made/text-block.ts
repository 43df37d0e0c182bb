import { breakCosts, cutTo, escapeText, never, widthOf } from './letters'
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

interface SetTitle {
  readonly lines: readonly string[]
  readonly size: number
  readonly lineHeight: number
}

interface Size {
  readonly size: number
  readonly lineHeight: number
  readonly mostLines: number
  readonly mostCost: number
}

const display: Size = { size: 76, lineHeight: 1.1, mostLines: 1, mostCost: 9 }
const sizes: readonly Size[] = [
  { size: 48, lineHeight: 1.18, mostLines: 3, mostCost: 9 },
  { size: 34, lineHeight: 1.26, mostLines: 4, mostCost: 22 },
  { size: 24, lineHeight: 1.28, mostLines: 8, mostCost: 48 },
]
const smallest: Size = { size: 20, lineHeight: 1.3, mostLines: 10, mostCost: Infinity }

/** The largest size at which the title breaks well into lines of `width` units. */
export function setTitle(title: string, width: number): SetTitle {
  const text = breakable(Array.from(title).slice(0, longest).join(''))
  if (text.width <= 2.5) return { lines: [title], size: display.size, lineHeight: display.lineHeight }
  for (const size of sizes) {
    const { lines, cost } = bestOf(text, width / size.size)
    if (cost < size.mostCost && lines.length <= size.mostLines) return { ...size, lines }
  }
  const measure = width / smallest.size
  const { lines } = text.breakTo(measure, true)
  return { ...smallest, lines: firstLines(lines, smallest.mostLines, measure) }
}

interface BrokenText {
  readonly lines: readonly string[]
  readonly cost: number
}

interface Breakable {
  /** `measure`: available width in em; `isForced` breaks words wider than it. Infinite cost if it does not fit. */
  breakTo(measure: number, isForced?: boolean): BrokenText
  readonly width: number
}

function breakable(text: string): Breakable {
  const letters = Array.from(text)
  const costs = breakCosts(letters)
  const ends = [0]
  for (const letter of letters) ends.push((ends.at(-1) ?? 0) + widthOf(letter))
  const setting = { letters, costs, ends }
  return {
    width: ends.at(-1) ?? 0,
    breakTo: (measure, isForced = false) => breakAll(setting, measure, isForced),
  }
}

interface Setting {
  readonly letters: readonly string[]
  readonly costs: readonly number[]
  readonly ends: readonly number[]
}

/** Dynamic programming: the cheapest lines up to each letter, from those up to earlier letters. */
function breakAll({ letters, costs, ends }: Setting, measure: number, isForced: boolean): BrokenText {
  const count = letters.length
  const total = ends[count] ?? 0
  const best = [0]
  const from = [0]
  for (let end = 1; end <= count; end++) {
    best[end] = never
    const breakCost = end === count ? 0 : priceOf(costs[end] ?? never, isForced)
    if (breakCost === never) continue
    for (let start = end - 1; start >= 0; start--) {
      const width = (ends[end] ?? 0) - (ends[start] ?? 0) - spaceAt(letters, end) - hangOf(letters[start])
      if (width > measure) break
      const cost = (best[start] ?? never) + breakCost + lineCost(width, measure, total)
      if (cost > (best[end] ?? never) || cost === never) continue
      best[end] = cost
      from[end] = start
    }
  }
  return { lines: linesOf(letters, from), cost: best[count] ?? never }
}

/** A forced break costs more than all others together, so that it is only made where nothing else helps. */
const priceOf = (cost: number, isForced: boolean) => (cost === never && isForced ? 1000 : cost)

const spaceAt = (letters: readonly string[], end: number) => (letters[end - 1] === ' ' ? widthOf(' ') : 0)

/** A title of one line has no ragged edge. */
function lineCost(width: number, measure: number, total: number): number {
  if (width >= total) return 1.5
  return 22 * ((measure - width) / measure) ** 2 + 1.5 + (width < 1.6 ? 14 : 0)
}

/** How far brackets at the start of a line hang out to the left, in em. */
function hangOf(letter: string | undefined): number {
  if (letter === undefined) return 0
  if (/[「『【〈《（]/.test(letter)) return 0.46
  return /[(“]/.test(letter) ? 0.2 : 0
}

function linesOf(letters: readonly string[], from: readonly number[]): string[] {
  const lines: string[] = []
  for (let end = letters.length; end > 0; end = from[end] ?? 0)
    lines.unshift(
      letters
        .slice(from[end] ?? 0, end)
        .join('')
        .trim(),
    )
  return lines
}

/** Ten lines of the narrowest letters hold no more. */
const longest = 360

/** Two lines need not be as long as possible: 君の / 名は。 looks good in much less than the full width. */
function bestOf(text: Breakable, width: number): BrokenText {
  const measures = [1, 0.85, 0.7, 0.55].map((part) => part * width)
  return measures
    .map((measure) => text.breakTo(measure))
    .filter(({ lines }, at) => at === 0 || lines.length === 2)
    .reduce((best, broken) => (broken.cost < best.cost ? broken : best))
}

function firstLines(lines: readonly string[], most: number, measure: number): readonly string[] {
  if (lines.length <= most) return lines
  return [...lines.slice(0, most - 1), cutTo(`${lines[most - 1]}…`, measure)]
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
