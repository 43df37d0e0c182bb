import { cutTo } from './letters'
import { type Breakable, type BrokenText, breakable } from './lines'

export interface SetTitle {
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

export function firstLines(lines: readonly string[], most: number, measure: number): readonly string[] {
  if (lines.length <= most) return lines
  return [...lines.slice(0, most - 1), cutTo(`${lines[most - 1]}…`, measure)]
}
