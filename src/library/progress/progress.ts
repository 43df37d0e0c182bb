import type { Read } from '../../db/open'
import { type Airing, type AiringRow, airedEpisodes, airingOf } from './airing'
import { progressRows } from './progress-rows'

/** How far a user is in a work, in the current lap (D63). */
export interface Progress {
  readonly workId: number
  readonly lap: number
  /** Episodes with a record in this lap; `known` counts all that are listed. */
  readonly watched: number
  readonly known: number
  /** The first episode that is neither recorded nor skipped; undefined after the last known one. */
  readonly next: NextEpisode | undefined
  /** Episodes from the next one on that are known to have been broadcast. */
  readonly behind: number
  /** Those of them without a record in this lap, which need not have begun at the first episode. */
  readonly unseen: number
  /** No source has listed all episodes, so a member may add the next one (D62). */
  readonly mayGrow: boolean
}

export interface NextEpisode {
  readonly id: number
  readonly number: string | null
  readonly numberText: string
  readonly title: string
  readonly isEstimated: boolean
  /** Undefined if it is not known when it is or was broadcast. */
  readonly airing: Airing | undefined
  readonly hasAired: boolean
}

/** Of shown works, in any order. `now`: epoch milliseconds. */
export async function progressOf(
  read: Read,
  { userId, workIds, now }: { userId: number; workIds: readonly number[]; now: number },
): Promise<ReadonlyMap<number, Progress>> {
  const rows = await progressRows(read, { user: userId, works: JSON.stringify(workIds), now })
  return new Map(rows.map((row) => [row.work_id, progressFrom(row, now)]))
}

type Row = Awaited<ReturnType<typeof progressRows>>[number]

function progressFrom(row: Row, now: number): Progress {
  const { work_id, lap, watched, known } = row
  const next = nextFrom(row, now)
  const remaining = next === undefined ? 0 : known - row.position
  const aired = airedEpisodes(row, now)
  const behind = aired === undefined ? remaining : Math.min(remaining, aired - row.position)
  return {
    workId: work_id,
    lap,
    watched,
    known,
    next,
    behind: next?.hasAired ? Math.max(1, behind) : 0,
    // All episodes before the next one are recorded or skipped, so any further records are of later episodes.
    unseen: next?.hasAired ? Math.max(1, behind - Math.max(0, watched - row.position)) : 0,
    mayGrow: row.is_listed === 0 && row.no_episodes === 0,
  }
}

function nextFrom(row: Row & AiringRow, now: number): NextEpisode | undefined {
  const { episode_id, number, number_text, episode_title, episode_estimated } = row
  if (episode_id === null) return undefined
  const airing = airingOf(row)
  return {
    id: episode_id,
    number,
    numberText: number_text ?? '',
    title: episode_title ?? '',
    isEstimated: episode_estimated === 1,
    airing,
    hasAired: airing === undefined ? hasBegun(row, now) : airing.at <= now,
  }
}

/** For a work without broadcast dates, the season decides. */
const hasBegun = ({ season_begin }: Row, now: number): boolean => (season_begin ?? 0) <= now
