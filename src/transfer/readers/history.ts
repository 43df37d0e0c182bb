import { createCounts } from '../counts'
import type { ListRow, Play } from '../row'
import { noPlays, type PlayList, Plays, type TimedPlay } from './plays'

export interface TitleHistory {
  row: ListRow
  readonly plays: PlayList
}

type PlayedRow = ListRow & { readonly plays: readonly Play[] }

export type History = ReturnType<typeof createHistory>

/**
 * Titles and their plays, from a source that lists plays in any order; titles are in order of first mention. Throws a
 * `RefusedFile` once there are too many.
 */
export function createHistory(counts = createCounts()) {
  const plays = new Plays(counts)
  const titles = new Map<string, TitleHistory>()
  const of = (key: string, rowOf: () => ListRow): TitleHistory => {
    const known = titles.get(key)
    if (known !== undefined) return known
    counts.add('titles')
    const title = { row: rowOf(), plays: noPlays() }
    titles.set(key, title)
    return title
  }
  const entries = function* (): Generator<readonly [string, PlayedRow]> {
    for (const [key, title] of titles) yield [key, { ...title.row, plays: plays.of(title.plays) }]
  }
  const rows = () => entries().map(([, row]) => row)
  const addPlay = (title: TitleHistory, play: TimedPlay) => plays.add(title.plays, play)
  return { of, addPlay, entries, rows }
}
