import { seriesName } from './series-name'
import type { WorkIds } from './work-ids'
import type { Work } from './works'

export interface SeriesLine {
  type: 'series'
  key: string
  name: string
}

/** TMDB shows with two or more works, in broadcast order. */
export function seriesLines(works: Part[]): SeriesLine[] {
  const shows = Map.groupBy(works, ({ ids }) => seriesKey(ids))
  return [...shows].flatMap(([key, parts]) =>
    key && parts.length > 1
      ? [
          {
            type: 'series',
            key,
            name: seriesName(parts.map(({ title, item }) => ({ title, type: item?.type }))),
          },
        ]
      : [],
  )
}

type Part = Pick<Work, 'title' | 'item' | 'ids'>

/** The key of the TMDB show, also for one of its seasons or episodes; not every show becomes a series. */
export function seriesKey({ tmdb = '' }: WorkIds): string | undefined {
  const show = /^tv\/\d+/.exec(tmdb)?.[0]
  return show && `tmdb:${show}`
}
