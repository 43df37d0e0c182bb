import { sql } from 'kysely'
import { prepared, type SlotOf } from '../../db/prepared'
import type { Precision } from '../../library/watched'
import type { Visit } from '../../web/visit'
import type { ShownWork } from '../work/find-work'
import type { ShownEpisode } from './find-episode'

/** What several parts of an episode's page need. */
export interface EpisodeView {
  readonly visit: Visit
  readonly work: ShownWork
  readonly episode: ShownEpisode
  /** 0 for visitors. */
  readonly userId: number
  readonly lap: number
  readonly records: readonly OwnRecord[]
}

type OwnRecord = Awaited<ReturnType<typeof ownRecordsOf>>[number]

// uses records_user_episode
export const ownRecordsOf = prepared((read, slot: SlotOf<{ user: number; episode: number }>) =>
  read
    .selectFrom('records')
    .select(['id', 'lap', 'comment', 'rating_state', 'watched_at'])
    .select(sql<Precision>`watched_at_precision`.as('precision'))
    .where('user_id', '=', slot('user'))
    .where('episode_id', '=', slot('episode'))
    .orderBy(sql`+id`, 'desc')
    .limit(30),
)
