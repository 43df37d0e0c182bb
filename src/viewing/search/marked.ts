import { fold, withoutMarks } from '../../lib/fold'
import { html, type Markup } from '../../pages/html'

/** Finds a typed text in other texts, comparing like `filter_title` (D17). */
export interface Marker {
  isIn(text: string): boolean
  /** The text with `<mark>` around each occurrence of the typed one. */
  mark(text: string): Markup
}

export function markerOf(typed: string): Marker {
  const sought = withoutMarks(fold(typed))
  const placesIn = (text: string) => (sought === '' ? [] : placesOf(sought, text))
  return {
    isIn: (text) => placesIn(text).length > 0,
    mark: (text) => markPlaces(text, placesIn(text)),
  }
}

/** Two UTF-16 indexes; `to` is exclusive. */
type Place = readonly [from: number, to: number]

function placesOf(sought: string, text: string): readonly Place[] {
  const letters = lettersOf(text)
  const key = letters.map((letter) => letter.key).join('')
  const starts = letters.flatMap(({ key, from }) => Array.from(key, (unit) => repeated(from, unit)).flat())
  const ends = letters.flatMap(({ key, to }) => Array.from(key, (unit) => repeated(to, unit)).flat())
  const places: Place[] = []
  for (let at = key.indexOf(sought); at >= 0; at = key.indexOf(sought, at + sought.length))
    places.push([starts[at] ?? 0, ends[at + sought.length - 1] ?? text.length])
  return joined(places)
}

interface Letter {
  /** Folded; '' for a combining mark. */
  readonly key: string
  readonly from: number
  readonly to: number
}

/** Letters with their combining marks, including half-width voicing: `ガ` and `ｶﾞ` are one letter. */
const lettersOf = (text: string): readonly Letter[] =>
  [...text.matchAll(/[^\p{M}ﾞﾟ][\p{M}ﾞﾟ]*|[\p{M}ﾞﾟ]+/gu)].map(({ 0: letter, index }) => ({
    key: withoutMarks(fold(letter)),
    from: index,
    to: index + letter.length,
  }))

const repeated = (value: number, unit: string): number[] => Array<number>(unit.length).fill(value)

/** Drops overlaps: two occurrences may share a letter whose key is longer than itself, such as `㍿`. */
const joined = (places: readonly Place[]): readonly Place[] =>
  places.filter(([from], index) => from >= (places[index - 1]?.[1] ?? 0))

function markPlaces(text: string, places: readonly Place[]): Markup {
  const pieces = places.map(([from, to], index) => {
    const before = text.slice(places[index - 1]?.[1] ?? 0, from)
    return html`${before}<mark>${text.slice(from, to)}</mark>`
  })
  return html`${pieces}${text.slice(places.at(-1)?.[1] ?? 0)}`
}
