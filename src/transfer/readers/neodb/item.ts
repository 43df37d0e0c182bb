import type { StatusKind } from '../../../library/statuses'
import type { WorkRef } from '../../row'
import { countIn } from '../fields'

/** Addresses of an item at various sites, as work ids. */
export const refsOf = (links: readonly string[]): readonly WorkRef[] => links.flatMap(refIn)

function refIn(link: string): readonly WorkRef[] {
  const [, subject] = /(?:bgm|bangumi)\.tv\/subject\/(\d+)/.exec(link) ?? []
  if (subject !== undefined) return [{ site: 'bangumi', id: subject }]
  const [, kind, id, season] = /themoviedb\.org\/(tv|movie)\/(\d+)(?:\/season\/(\d+))?/.exec(link) ?? []
  return id === undefined ? [] : [{ site: 'tmdb', id: `${kind}/${id}`, season: countIn(season) }]
}

export const neodbStatuses: Readonly<Record<string, StatusKind>> = {
  wishlist: 'wanna_watch',
  progress: 'watching',
  complete: 'watched',
  dropped: 'stop_watching',
}
