import type { PageContext } from '../../pages/layout'

export interface EpisodeNumber {
  readonly number: string | null
  /** In Japanese: `第5話`, `特別編`. */
  readonly number_text: string
}

/** `第5話`, or `Episode 5`; in any language what the catalogue says of an episode without a number. */
export function episodeName(pageContext: PageContext, { number, number_text }: EpisodeNumber): string {
  const { t, language } = pageContext
  const isPlain = isPlainNumber(number)
  if (number_text !== '' && (language === 'ja' || !isPlain)) return number_text
  return isPlain ? t.strip.episode(number) : (number ?? t.strip.unnumbered)
}

/** What a cell of the strip has room for. */
export const shortNumber = ({ number, number_text }: EpisodeNumber): string =>
  number ?? (number_text === '' ? '–' : number_text)

export const isPlainNumber = (number: string | null): number is string =>
  number !== null && /^\d{1,5}(\.\d{1,3})?$/.test(number)
