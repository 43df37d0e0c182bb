import { createGiveWay } from './file/input-file'
import { limits } from './file/limits'
import { RefusedFile } from './file/refused-file'
import type { ListRow } from './row'

/** The rows, as long as they are not too many; gives other requests their turn in between. */
export async function* counted(rows: AsyncIterable<ListRow>): AsyncGenerator<ListRow> {
  const [giveWay, counts] = [createGiveWay(), createCounts()]
  for await (const row of rows) {
    counts.add('rows')
    counts.add('plays', (row.plays?.length ?? 0) + (row.watched?.length ?? 0))
    yield row
    await giveWay()
  }
}

/** Counts what a reader holds in memory. Throws a `RefusedFile` once that is too much. */
export interface ReaderCounts {
  add(what: 'rows' | 'plays' | 'titles' | 'included' | 'joined', more?: number): void
  /** Counts a text and returns it. */
  kept(text: string): string
}

export function createCounts(): ReaderCounts {
  const counts = { rows: 0, plays: 0, titles: 0, included: 0, joined: 0 }
  const add: ReaderCounts['add'] = (what, more = 1) => {
    counts[what] += more
    if (counts[what] > limits[what]) throw new RefusedFile('too_large', what)
  }
  const kept = (text: string) => {
    add('joined', text.length)
    return text
  }
  return { add, kept }
}
