import type { Row, WorkRef } from '../row'

export const matchWays = [
  'choice',
  'work',
  'annict',
  'mal',
  'anilist',
  'anidb',
  'bangumi',
  'tmdb',
  'tvdb',
  'title',
] as const satisfies readonly ('choice' | 'title' | WorkRef['site'])[]
export type MatchWay = (typeof matchWays)[number]

export const checkReasons = [
  'several_works',
  'title_without_year',
  'title_differs',
  'episode_count_differs',
] as const
export type CheckReason = (typeof checkReasons)[number]

export interface Match {
  /** The part of the file's row that is about this work; numbers of episodes are this work's. */
  readonly row: Row
  /** Null: no such work is known here. For a reason to check, the work that accepting it takes. */
  readonly workId: number | null
  readonly matchedBy: MatchWay | null
  readonly reason: CheckReason | null
  /** At most five, the best first. */
  readonly proposals: readonly number[]
  /** Episodes that an estimated or unknown list must be extended to (D62); null: it need not grow. */
  readonly growsTo: number | null
}

/**
 * The works of a row of a file, in the order of their first broadcast: one, unless the row is a series that is several
 * works here, or an id stands for several. Reads only. `choices` are those that the user made before.
 */
export type Matcher = (row: Row) => Promise<readonly Match[]>
