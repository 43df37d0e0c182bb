import { createCounts } from '../counts'
import type { Play, Row } from '../row'
import { createPlays, type PlayList, type TimedPlay } from './plays'

export interface Title {
  row: Row
  addPlay(play: TimedPlay): void
}

/**
 * Titles and their plays, of a source that tells them one by one in any order; titles stand in the order of their first
 * mention. Throws a `RefusedFile` once there are too many.
 */
export function createHistory(counts = createCounts()) {
  const plays = createPlays(counts)
  const titles = new Map<string, Title & { readonly list: PlayList }>()
  const of = (key: string, rowOf: () => Row): Title => {
    const known = titles.get(key)
    if (known !== undefined) return known
    counts.add('titles')
    const list = plays.list()
    const title = { row: rowOf(), list, addPlay: (play: TimedPlay) => plays.add(list, play) }
    titles.set(key, title)
    return title
  }
  const rows = function* (): Generator<Row & { readonly plays: readonly Play[] }> {
    for (const { row, list } of titles.values()) yield { ...row, plays: plays.of(list) }
  }
  return { of, rows }
}
