/** Called between pieces of a long work, so that others have their turn. */
export type Rest = () => void

export const noRest: Rest = () => {}

/**
 * A pause of 20 ms after every 40 ms of reading. SQLite begins its log anew only when nobody reads from it: a reader whose
 * next read follows at once would let the log of a busy server grow as if it were a single one.
 */
export function createRest(): Rest {
  let began = performance.now()
  return () => {
    if (performance.now() - began < 40) return
    Bun.sleepSync(20)
    began = performance.now()
  }
}
