import { breakCosts, never } from './breaks'
import { widthOf } from './letters'

export interface BrokenText {
  readonly lines: readonly string[]
  readonly cost: number
}

export interface Breakable {
  /** `measure`: available width in em; `isForced` breaks words wider than it. Infinite cost if it does not fit. */
  breakTo(measure: number, isForced?: boolean): BrokenText
  readonly width: number
}

export function breakable(text: string): Breakable {
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
export function hangOf(letter: string | undefined): number {
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
