import type { ListRow, WorkRef } from '../row'
import type { KnownWork } from './known-work'

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

const checkReasons = [
  'several_works',
  'title_without_year',
  'title_differs',
  'episode_count_differs',
  'numbering',
] as const
export type CheckReason = (typeof checkReasons)[number]

export interface Match {
  /** The part of the file's row that is about this work, with this work's episode numbers. */
  readonly row: ListRow
  /** Null if no such work is known. With a reason to check, the work that accepting the row would use. */
  readonly workId: number | null
  readonly matchedBy: MatchWay | null
  readonly reason: CheckReason | null
  /** At most five, best first. */
  readonly proposals: readonly number[]
  /** How many episodes an estimated or unknown list must be extended to (D62); null if it need not grow. */
  readonly growsTo: number | null
  /** What was added to the file's episode numbers: by the user, or as proposed for a row to check. */
  readonly offset?: number
}

/**
 * The works that a row of a file is about, by first broadcast: one, unless the row is a series that is several works
 * here or an id stands for several. Only reads. `choices` are the user's earlier ones.
 */
export type Matcher = (row: ListRow) => Promise<readonly Match[]>

/** Finds out whether an id's works cannot be meant: the row to be checked, or undefined without doubts. */
export type Doubt = (works: readonly KnownWork[], site: WorkRef['site']) => Promise<Match | undefined>
