import { seriesName } from './series-name'
import type { WorkIds } from './work-ids'
import type { Work } from './works'

export interface SeriesLine {
  type: 'series'
  key: string
  name: string
}

/** A series is a show on TMDB that two works or more are parts of. Items come in the order they were broadcast. */
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

/** The key of the show a work is part of, be it a season or an episode of it; not every show is a series. */
export function seriesKey({ tmdb = '' }: WorkIds): string | undefined {
  const show = /^tv\/\d+/.exec(tmdb)?.[0]
  return show && `tmdb:${show}`
}
