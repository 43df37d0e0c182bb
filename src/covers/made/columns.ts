import { breakCosts, letterCount } from './letters'

/** The columns of a vertical title, from the right, and their font size. */
export interface SetSlip {
  readonly columns: readonly string[]
  readonly size: number
}

const isVertical = (title: string) =>
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー・、。]{1,12}$/u.test(title)

/** Undefined if a title should not be set vertically. */
export function setSlip(title: string): SetSlip | undefined {
  if (!isVertical(title)) return undefined
  const letters = Array.from(title)
  if (letters.length <= 5) return { columns: [title], size: 46 }
  const columns = inTwo(letters)
  if (columns !== undefined) return { columns, size: columns.some((one) => letterCount(one) === 6) ? 38 : 42 }
  return letters.length <= 7 ? { columns: [title], size: 36 } : undefined
}

/** Breaks after a phrase, into columns as even as possible. */
function inTwo(letters: readonly string[]): readonly [string, string] | undefined {
  const costs = breakCosts(letters)
  const places = letters.map((_, place) => place).filter((place) => isPhraseEnd(place))
  const unevenness = (place: number) => Math.abs(letters.length - 2 * place)
  const [place] = places.sort((a, b) => unevenness(a) - unevenness(b))
  if (place === undefined) return undefined
  return [letters.slice(0, place).join(''), letters.slice(place).join('')]

  function isPhraseEnd(place: number): boolean {
    return place >= 2 && place <= 6 && letters.length - place <= 6 && (costs[place] ?? dearest + 1) <= dearest
  }
}

/** The cost that `breakCosts` gives a break after a particle. */
const dearest = 1
