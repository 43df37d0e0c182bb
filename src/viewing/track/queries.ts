import { sql } from 'kysely'
import { type CoveredWork, coverColumns } from '../../catalogue/cover-path'
import { type BroadcastRule, isCounted } from '../../catalogue/estimate/broadcast-rule'
import { prepared, type SlotOf } from '../../db/prepared'
import { currentLap } from '../../library/laps'
import { isOnChannelsOf } from '../../library/programs'
import type { StatusKind } from '../../library/statuses'
import type { Titles } from '../../pages/title'

export interface TrackedWork extends CoveredWork, Titles, BroadcastRule {
  readonly no_episodes: number
  readonly kind: 'wanna_watch' | 'watching'
  /** 1 if only the reader sees its status. */
  readonly private: number
}

/** The works a user is watching or wants to watch. Uses statuses_kind. */
export const trackedWorks = prepared<TrackedWork, { user: number }>((read, slot) =>
  read
    .selectFrom('statuses')
    .innerJoin('works', 'works.id', 'statuses.work_id')
    .select(['works.id', 'title', 'title_en', 'title_ro', 'no_episodes', 'statuses.private'])
    .select(['broadcast_begin', 'broadcast_end', 'broadcast_interval', 'released_on'])
    .select(sql.raw<number>(isCounted).as('is_counted'))
    .select(coverColumns(slot('user')))
    .select(sql<TrackedWork['kind']>`kind`.as('kind'))
    .where('statuses.user_id', '=', slot('user'))
    .where('kind', 'in', tracked)
    .where('hidden', '=', 0),
)

const tracked: StatusKind[] = ['watching', 'wanna_watch']

/** Works of the last 500 records, most recent first. Uses records_user. */
export const recentWorks = prepared((read, slot: SlotOf<{ user: number }>) =>
  read
    .selectFrom(
      read
        .selectFrom('records')
        .select(['id', 'work_id'])
        .where('user_id', '=', slot('user'))
        .orderBy('id', 'desc')
        .limit(500)
        .as('latest'),
    )
    .select('work_id')
    .groupBy('work_id')
    .orderBy(sql`max(id)`, 'desc'),
)

interface Broadcast {
  readonly work_id: number
  readonly started_at: number
  readonly channel: string
  readonly estimated: number
  readonly episode_id: number | null
  readonly number: string | null
  readonly number_text: string | null
  /** 1 if the user has a record of the episode, in any lap. */
  readonly recorded: number
}

/** On the channels the user chose, or on any if none is chosen (D39). Uses programs_started. */
export const broadcasts = prepared<Broadcast, { user: number; works: string; from: number; until: number }>(
  (read, slot) =>
    read
      .selectFrom('programs')
      .innerJoin('channels', 'channels.id', 'programs.channel_id')
      .leftJoin('episodes', 'episodes.id', 'programs.episode_id')
      .select(['programs.work_id', 'started_at', 'channels.name as channel', 'programs.estimated'])
      .select(['programs.episode_id', 'number', 'number_text'])
      .select(
        sql<number>`exists (select 1 from records
          where user_id = ${slot('user')} and records.episode_id = programs.episode_id)`.as('recorded'),
      )
      .where('started_at', '>=', slot('from'))
      .where('started_at', '<', slot('until'))
      .where('programs.hidden', '=', 0)
      .where('channels.hidden', '=', 0)
      .where(sql<boolean>`programs.work_id in (select value from json_each(${slot('works')}))`)
      .where(isOnChannelsOf(slot('user'), sql.ref('programs.channel_id')))
      .orderBy('started_at')
      .orderBy('programs.id'),
)

interface EpisodeAt {
  readonly number: string | null
  readonly number_text: string
  readonly recorded: number
}

/** The shown episode of a work at a position, counted from 0. Uses episodes_work. */
export const episodeAt = prepared<EpisodeAt, { user: number; work: number; position: number }>((read, slot) =>
  read
    .selectFrom('episodes')
    .select(['number', 'number_text'])
    .select(
      sql<number>`exists (select 1 from records
        where user_id = ${slot('user')} and records.episode_id = episodes.id)`.as('recorded'),
    )
    .where('work_id', '=', slot('work'))
    .where('hidden', '=', 0)
    .orderBy('sort_number')
    .orderBy('id')
    .limit(1)
    .offset(slot('position')),
)

/** Uses programs_work. */
export const firstBroadcasts = prepared<{ work_id: number; started_at: number }, { works: string }>(
  (read, slot) =>
    read
      .selectFrom(sql<{ value: number }>`json_each(${slot('works')})`.as('asked'))
      .innerJoin('programs', 'programs.work_id', 'asked.value')
      .select('programs.work_id')
      .select(({ fn }) => fn.min('started_at').as('started_at'))
      .where('programs.hidden', '=', 0)
      .groupBy('programs.work_id'),
)

/** JSON of `[id, number, number_text]` of up to eleven episodes after one that comes next, which are not done either. */
interface EpisodesAfter {
  readonly episode_id: number
  readonly after: string
}

/** `episodes`: JSON array of ids. Uses episodes_work, records_user_episode and the index of skips' unique columns. */
export const episodesAfter = prepared<EpisodesAfter, { user: number; episodes: string }>((read, slot) => {
  const lap = currentLap(slot('user'), sql.ref('next.work_id'))
  return read
    .selectFrom('episodes as next')
    .select('next.id as episode_id')
    .select(
      sql<string>`(select json_group_array(json_array(id, number, number_text)) from (
        select id, number, number_text from episodes as later
        where work_id = next.work_id and hidden = 0 and (sort_number, id) > (next.sort_number, next.id)
          and not exists (select 1 from records
            where user_id = ${slot('user')} and episode_id = later.id and lap = ${lap})
          and not exists (select 1 from skips
            where user_id = ${slot('user')} and episode_id = later.id and lap = ${lap})
        order by sort_number, id limit 11))`.as('after'),
    )
    .where(sql<boolean>`next.id in (select value from json_each(${slot('episodes')}))`)
})
