import type { Write } from '../../../src/db/write'

/** Before the commit of a transaction, or after it. */
export type Moment = 'in' | 'after'

/** Calls `tell` at both moments of each transaction; the first has the number 1. */
export function atTransactions(write: Write, tell: (nth: number, moment: Moment) => void): Write {
  let count = 0
  return async (change) => {
    count += 1
    const nth = count
    const result = await write(async (tx) => {
      const changed = await change(tx)
      tell(nth, 'in')
      return changed
    })
    tell(nth, 'after')
    return result
  }
}
