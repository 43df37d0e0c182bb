import type { PageContext } from '../../pages/layout'
import { workPath } from './cover'

export interface EpisodeNumber {
  readonly number: string | null
  /** In Japanese: `第5話`, `特別編`. */
  readonly number_text: string
}

/** `第5話` or `Episode 5`; for an episode without a number, the catalogue's text in any language. */
export const episodeName = (
  pageContext: Pick<PageContext, 't' | 'language'>,
  episode: EpisodeNumber,
): string => nameWith(pageContext, episode, pageContext.t.strip.episode)

/** For rows: `第5話`, or `Ep. 5`. */
export const shortEpisodeName = (
  pageContext: Pick<PageContext, 't' | 'language'>,
  episode: EpisodeNumber,
): string => nameWith(pageContext, episode, pageContext.t.strip.shortEpisode)

function nameWith(
  { t, language }: Pick<PageContext, 't' | 'language'>,
  { number, number_text }: EpisodeNumber,
  numbered: (number: string) => string,
): string {
  const isPlain = isPlainNumber(number)
  if (number_text !== '' && (language === 'ja' || !isPlain)) return number_text
  return isPlain ? numbered(number) : (number ?? t.strip.unnumbered)
}

/** Fits into a cell of the strip. */
export const shortNumber = ({ number, number_text }: EpisodeNumber): string =>
  number ?? (number_text === '' ? '–' : number_text)

export const isPlainNumber = (number: string | null): number is string =>
  number !== null && /^\d{1,5}(\.\d{1,3})?$/.test(number)

interface EpisodeAddress {
  readonly id: number
  readonly work_id: number
  readonly number: string | null
  /** 1 if no other episode of the work has its number. */
  readonly is_only: number
}

/** `/works/10079/episodes/5`; `id-2001` for an episode whose number is missing or not unique. */
export function episodePath(pageContext: Pick<PageContext, 'basePath'>, episode: EpisodeAddress): string {
  const { id, work_id, number, is_only } = episode
  const address = is_only === 1 && isPlainNumber(number) ? number : `id-${id}`
  return `${workPath(pageContext, work_id)}/episodes/${address}`
}
