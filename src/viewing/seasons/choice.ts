import { type StatusKind, statusKinds } from '../../library/statuses'
import { queryText, type Visit } from '../../web/visit'
import { type Season, seasonText } from '../parts/season'

export const media = ['tv', 'movie', 'web', 'ova', 'other'] as const
const sorts = ['known', 'start', 'title'] as const

/** The filters and the view in the address; '' for all. */
export interface Choice {
  readonly media: (typeof media)[number] | ''
  readonly status: StatusKind | 'none' | ''
  readonly sort: (typeof sorts)[number]
  readonly view: 'grid' | 'list'
}

/** Unknown values are ignored. Visitors have no statuses. */
export function readChoice(visit: Visit): Choice {
  const text = (name: string) => queryText(visit, name)
  const statuses = visit.session === undefined ? [] : (['none', ...statusKinds] as const)
  return {
    media: media.find((one) => one === text('media')) ?? '',
    status: statuses.find((one) => one === text('status')) ?? '',
    sort: sorts.find((one) => one === text('sort')) ?? 'known',
    view: text('view') === 'list' ? 'list' : 'grid',
  }
}

/** `/seasons/2026-autumn?media=tv`: only what differs from the default. */
export function seasonPath(season: Season, choice: Choice, change: Partial<Choice> = {}): string {
  const { media, status, sort, view } = { ...choice, ...change }
  const query = new URLSearchParams({
    ...(media && { media }),
    ...(status && { status }),
    ...(sort !== 'known' && { sort }),
    ...(view !== 'grid' && { view }),
  })
  return `/seasons/${seasonText(season)}${query.size === 0 ? '' : `?${query}`}`
}
