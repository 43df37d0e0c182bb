import type { Database } from 'bun:sqlite'
export function applyEstimates(_handle: Database, _now: number) {
  return { episodes: 0, programs: 0 }
}
