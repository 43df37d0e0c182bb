import { createGiveWay } from './file/input-file'
import { limits } from './file/limits'
import { RefusedFile } from './file/refused-file'
import type { Row } from './row'

/** The rows, while there are not too many; other requests have their turn in between. */
export async function* counted(rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  const giveWay = createGiveWay()
  const countPlay = createPlayCount()
  let count = 0
  for await (const row of rows) {
    if (++count > limits.rows) throw new RefusedFile('too_large', 'rows')
    countPlay(row.plays?.length ?? 0)
    yield row
    await giveWay()
  }
}

/** Throws a `RefusedFile` once there are too many plays. */
export function createPlayCount(): (more?: number) => void {
  let count = 0
  return (more = 1) => {
    count += more
    if (count > limits.plays) throw new RefusedFile('too_large', 'plays')
  }
}
