import type { Row, Score, WorkRef } from '../row'
import { idIn, scoreIn, textIn } from './fields'

export function scoreOf(value: unknown, scale: Score['scale']): Score | undefined {
  const score = scoreIn(value)
  return score === undefined ? undefined : { value: score, scale }
}

/** What a site calls a work by, in a list; an empty one for what is no id. */
export function refAt(site: WorkRef['site'], id: unknown, season?: number): readonly WorkRef[] {
  const known = idIn(id)
  return known === undefined ? [] : [{ site, id: known, season }]
}

/** The same of a film or a series at TMDB. */
export const refAtTmdb = (isMovie: boolean, id: unknown, season?: number): readonly WorkRef[] =>
  refAt('tmdb', id, season).map((ref) => ({ ...ref, id: `${isMovie ? 'movie' : 'tv'}/${ref.id}` }))

/** Of an entry that the source calls by the id of its work at a site. */
export const calledBy = (site: WorkRef['site'], id: unknown): Pick<Row, 'sourceId' | 'refs'> => ({
  sourceId: textIn(id),
  refs: refAt(site, id),
})

/** One below the other, what is empty left out. */
export const paragraphs = (...texts: readonly string[]): string =>
  texts.filter((text) => text !== '').join('\n\n')
