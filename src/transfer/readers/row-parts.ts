import type { ListRow, Score, WorkRef } from '../row'
import { idIn, scoreIn, textIn } from './fields'

export function scoreOf(value: unknown, scale: Score['scale']): Score | undefined {
  const score = scoreIn(value)
  return score === undefined ? undefined : { value: score, scale }
}

/** A work's id at a site, as a list; empty if it is not a valid id. */
export function refAt(site: WorkRef['site'], id: unknown, season?: number): readonly WorkRef[] {
  const known = idIn(id)
  return known === undefined ? [] : [{ site, id: known, season }]
}

/** The same for a film or a series at TMDB. */
export const refAtTmdb = (isMovie: boolean, id: unknown, season?: number): readonly WorkRef[] =>
  refAt('tmdb', id, season).map((ref) => ({ ...ref, id: `${isMovie ? 'movie' : 'tv'}/${ref.id}` }))

/** For entries that the source identifies by the work's id at a site. */
export const calledBy = (site: WorkRef['site'], id: unknown): Pick<ListRow, 'sourceId' | 'refs'> => ({
  sourceId: textIn(id),
  refs: refAt(site, id),
})

/** Joins texts with blank lines, leaving out empty ones. */
export const paragraphs = (...texts: readonly string[]): string =>
  texts.filter((text) => text !== '').join('\n\n')
