import { seeded } from './random'
import type { BenchRequest } from './scenarios'

export interface NewRecord {
  readonly episode_id: number
  readonly comment: string
  readonly rating_state: string
}

export interface WriteScenario {
  readonly name: string
  /** Concurrent connections; each writes its next record once the previous answer has arrived. */
  readonly connections: number
  /** The minimum as a multiple of raw grouped transactions. */
  readonly least?: number
  /** Read by an additional connection in turn; its answers are timed. */
  readonly reads?: readonly BenchRequest[]
}

const reads: readonly BenchRequest[] = [
  { target: '/v1/me/works?per_page=25' },
  { target: '/v1/records?sort_id=desc&per_page=25' },
  { target: '/v1/works?per_page=25&sort_watchers_count=desc' },
  { target: '/v1/activities?sort_id=desc&per_page=25' },
]

export const writeScenarios: readonly WriteScenario[] = [
  { name: 'POST record, 1 connection', connections: 1 },
  { name: 'POST record, 8 connections', connections: 8 },
  { name: 'POST record, 64 connections', connections: 64, least: 0.5 },
  { name: 'POST record, 64 connections, read meanwhile', connections: 64, reads },
]

/** Deterministic; every other record has a comment. */
export function newRecords(episodes: readonly number[]): readonly NewRecord[] {
  const random = seeded(1)
  return Array.from({ length: 2000 }, () => ({
    episode_id: episodes[random(episodes.length)] ?? 0,
    comment: random(2) === 0 ? '' : 'よかった。'.repeat(1 + random(20)),
    rating_state: ['bad', 'average', 'good', 'great'][random(4)] ?? 'good',
  }))
}
