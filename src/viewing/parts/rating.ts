import { type RatingState, ratingStates, stateOfScore } from '../../library/ratings'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContext } from '../../pages/layout'
import type { RatingDisplay } from '../../values/preferences'

/** A word, a number from 1 to 100, both, or neither (D87). */
export interface Rated {
  readonly rating: string | null
  readonly score: number | null
}

/** Face with number or word; empty without a rating. `spriteIcon` needs `sprite('great', 'good', 'average', 'bad')`. */
export function ratingMark(pageContext: PageContext, rated: Rated, draw = icon): Markup {
  const word = wordOf(rated)
  if (word === undefined) return html``
  return html`<span class="rated">${draw(word, 16)}${ratingText(pageContext, rated)}</span>`
}

/** In the scale that the reader chose: `Good`, `★4½`, `8.5` or `85`. A word without a number is a word in each; '' for neither. */
export function ratingText({ t, preferences }: PageContext, rated: Rated): string {
  const [word, display] = [wordOf(rated), preferences.ratingDisplay]
  if (rated.score !== null && display !== 'words') return numberIn(display, rated.score)
  return word === undefined ? '' : t.ratings[word]
}

/** The word that is kept, or else that of the number. */
export const wordOf = ({ rating, score }: Rated): RatingState | undefined =>
  ratingStates.find((state) => state === rating) ?? (score === null ? undefined : stateOfScore(score))

export type NumberDisplay = Exclude<RatingDisplay, 'words'>

export function numberIn(display: NumberDisplay, score: number): string {
  if (display === 'stars') return `★${starsText(halvesOf(score))}`
  return String(display === 'ten' ? score / 10 : score)
}

/** From 1 to 10. */
export const halvesOf = (score: number): number => Math.max(1, Math.round(score / 10))

/** `4½` */
export const starsText = (halves: number): string =>
  `${Math.floor(halves / 2) || ''}${halves % 2 === 1 ? '½' : ''}`
