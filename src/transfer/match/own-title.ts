import type { SeriesGroup } from './place-episode'
import type { TitleIndex } from './title-index'

export interface LaterWork {
  /** From this work on. */
  readonly group: SeriesGroup
  /** Whether a season of the source is counted from it: none, the first, or that which it is in the series. */
  means(season: number | undefined): boolean
}

/** The later work of a series whose very title the name is, where servers count from 1 again; undefined for none. */
export function laterWorkCalled(
  { works, seasons, series }: SeriesGroup,
  { worksCalled }: TitleIndex,
  name: string,
): LaterWork | undefined {
  const titled = new Set(worksCalled(name).flatMap(({ id, rank }) => (rank === 0 ? [id] : [])))
  const [work, another] = works.filter(({ id }) => titled.has(id))
  if (work === undefined || another !== undefined || work === works[0]) return undefined
  const tag = seasons.get(work.id)
  return {
    group: { series, works: works.slice(works.indexOf(work)), seasons: new Map() },
    means: (season) => season === undefined || season === 1 || season === tag,
  }
}

/** The series from the only work on that has the name, its titles before its other names. */
export function fromWorkCalled(
  { works, series }: SeriesGroup,
  { worksCalled }: TitleIndex,
  name: string,
): SeriesGroup | undefined {
  const called = worksCalled(name).filter(({ id }) => works.some((work) => work.id === id))
  const titled = called.filter(({ rank }) => rank < 2)
  const [only, another] = titled.length > 0 ? titled : called
  if (only === undefined || another !== undefined) return undefined
  return { series, works: works.slice(works.findIndex(({ id }) => id === only.id)), seasons: new Map() }
}
