import { createCounts } from '../counts'
import type { Play, Row } from '../row'
import { createPlays, noPlays, type PlayList, type TimedPlay } from './plays'

export interface Title {
  row: Row
  readonly plays: PlayList
}

/**
 * Titles and their plays, of a source that tells them one by one in any order; titles stand in the order of their first
 * mention. Throws a `RefusedFile` once there are too many.
 */
export function createHistory(counts = createCounts()) {
  const plays = createPlays(counts)
  const titles = new Map<string, Title>()
  const of = (key: string, rowOf: () => Row): Title => {
    const known = titles.get(key)
    if (known !== undefined) return known
    counts.add('titles')
    const title = { row: rowOf(), plays: noPlays() }
    titles.set(key, title)
    return title
  }
  const rows = function* (): Generator<Row & { readonly plays: readonly Play[] }> {
    for (const title of titles.values()) yield { ...title.row, plays: plays.of(title.plays) }
  }
  const addPlay = (title: Title, play: TimedPlay) => plays.add(title.plays, play)
  return { of, addPlay, rows }
}
