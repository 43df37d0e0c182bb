import { hash32 } from '../../lib/hash'
import { scriptOf } from './letters'
import { type Palette, palettes } from './palettes'
import { type Pattern, patterns } from './patterns'
import type { TitleParts } from './title-parts'

/** Everything random about a cover: seasons of a series share all of it but the palette. */
export interface CoverChoice {
  readonly palette: Palette
  readonly pattern: Pattern
  readonly isLarge: boolean
  /** Taken modulo the number of layouts. */
  readonly layout: number
  readonly isOnPaper: boolean
  readonly slipPlace: 'left' | 'middle' | 'right'
  readonly isMincho: boolean
}

export function choose({ eyebrow, main, sub }: TitleParts): CoverChoice {
  const hash = hash32(main)
  return {
    palette: oneOf(palettes, hash32(`${main}/${sub}/${eyebrow}`)),
    pattern: oneOf(patterns, hash >>> 5),
    isLarge: ((hash >>> 11) & 1) === 1,
    layout: hash >>> 17,
    isOnPaper: ((hash >>> 23) & 1) === 1,
    slipPlace: oneOf(['left', 'left', 'middle', 'right'], hash >>> 28),
    isMincho: (hash >>> 27) % 3 !== 0 && suitsMincho(main),
  }
}

export function oneOf<T>(list: readonly [T, ...T[]] | readonly T[], number: number): T {
  const chosen = list[number % list.length]
  if (chosen === undefined) throw new Error('nothing to choose from')
  return chosen
}

function suitsMincho(title: string): boolean {
  const scripts = new Set(Array.from(title, scriptOf))
  return scripts.has('kanji') && !scripts.has('katakana') && !scripts.has('alphabet')
}
