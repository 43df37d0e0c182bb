import { seeded } from './random'
import type { Asked } from './scenarios'

/** A record as `POST /v1/me/records` takes it. */
export interface NewRecord {
  readonly episode_id: number
  readonly comment: string
  readonly rating_state: string
}

/** A kind of writing: one more of these is one more line in the report. */
export interface WriteScenario {
  readonly name: string
  /** How many connections write at once, each its next record after the answer to the last. */
  readonly connections: number
  /** At least so many times the writes a second of raw grouped transactions. */
  readonly least?: number
  /** What one more connection reads meanwhile, one after the other; its answers are timed. */
  readonly reads?: readonly Asked[]
}

/** What a viewer's client asks for between writes. */
const reads: readonly Asked[] = [
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

/** Records on episodes from anywhere, one in two with a comment; the same in every run. */
export function newRecords(episodes: readonly number[]): readonly NewRecord[] {
  const random = seeded(1)
  return Array.from({ length: 2000 }, () => ({
    episode_id: episodes[random(episodes.length)] ?? 0,
    comment: random(2) === 0 ? '' : 'よかった。'.repeat(1 + random(20)),
    rating_state: ['bad', 'average', 'good', 'great'][random(4)] ?? 'good',
  }))
}
