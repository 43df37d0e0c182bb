import { sql } from 'kysely'
import type { Read } from '../../db/open'
import { prepared, type SlotOf } from '../../db/prepared'
import type { EpisodeNumber } from '../parts/episode-name'

export interface MarkedEpisode extends EpisodeNumber {
  readonly id: number
  readonly estimated: number
  readonly isSeen: boolean
  readonly isSkipped: boolean
  readonly hasComment: boolean
  readonly wasSeen: boolean
}

/** A user's progress in the current lap of a work. */
export interface LapProgress {
  readonly episodes: readonly MarkedEpisode[]
  /** The index of the first episode that is neither seen nor skipped; -1 if there is none. */
  readonly nextAt: number
  readonly seenCount: number
  /** No source listed the last episode, or there is none: the list may grow (D62). */
  readonly isEstimated: boolean
  readonly numbers: ReadonlyMap<string, number>
}

interface ProgressQuery {
  readonly user: number
  readonly work: number
  readonly lap: number
}

export async function progressOf(read: Read, { user, work, lap }: ProgressQuery): Promise<LapProgress> {
  const rows = await marks(read, { user, work, lap })
  const episodes = rows.map(({ last_lap, commented, skipped, ...episode }) => ({
    ...episode,
    isSeen: last_lap !== null && last_lap >= lap,
    isSkipped: skipped === 1,
    hasComment: commented === 1,
    wasSeen: last_lap !== null,
  }))
  return {
    episodes,
    nextAt: episodes.findIndex(({ isSeen, isSkipped }) => !isSeen && !isSkipped),
    seenCount: episodes.filter(({ isSeen }) => isSeen).length,
    isEstimated: episodes.at(-1)?.estimated !== 0,
    numbers: countNumbers(episodes),
  }
}

function countNumbers(episodes: readonly EpisodeNumber[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { number } of episodes) if (number !== null) counts.set(number, (counts.get(number) ?? 0) + 1)
  return counts
}

/** What "up to here" would record: the indexes of all episodes up to this one that are neither seen nor skipped. */
export const openUpTo = ({ episodes }: LapProgress, at: number): number[] =>
  episodes.slice(0, at + 1).flatMap(({ isSeen, isSkipped }, place) => (isSeen || isSkipped ? [] : [place]))

const marks = prepared((read, slot: SlotOf<{ user: number; work: number; lap: number }>) =>
  read
    .selectFrom('episodes')
    // uses records_user_episode
    .leftJoin('records', (join) =>
      join.on('records.user_id', '=', slot('user')).onRef('records.episode_id', '=', 'episodes.id'),
    )
    .select(['episodes.id', 'episodes.number', 'episodes.number_text', 'episodes.estimated'])
    .select([
      sql<number | null>`max(records.lap)`.as('last_lap'),
      sql<number | null>`max(records.has_comment)`.as('commented'),
      sql<number>`exists (select 1 from skips where skips.user_id = ${slot('user')}
        and skips.episode_id = episodes.id and skips.lap = ${slot('lap')})`.as('skipped'),
    ])
    .where('episodes.work_id', '=', slot('work'))
    .where('episodes.hidden', '=', 0)
    // uses episodes_work
    .groupBy(['episodes.sort_number', 'episodes.id'])
    .orderBy('episodes.sort_number')
    .orderBy('episodes.id'),
)
