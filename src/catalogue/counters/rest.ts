export type Rest = () => void

export const noRest: Rest = () => {}

/** Pauses 20 ms after every 40 ms: SQLite restarts its write-ahead log only while nobody is reading from it. */
export function createRest(): Rest {
  let began = performance.now()
  return () => {
    if (performance.now() - began < 40) return
    Bun.sleepSync(20)
    began = performance.now()
  }
}
