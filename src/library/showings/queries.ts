import { sql } from 'kysely'
import { type BroadcastRule, isCounted, isGrowing } from '../../catalogue/estimate/broadcast-rule'
import { unknownStation } from '../../catalogue/estimate/listed-programs'
import { isOnlyOfItsNumber } from '../../catalogue/shown'
import { preparedSql } from '../../db/prepared'
import { currentLap } from '../laps'

/** A work whose showings are looked for. */
export interface TimedWork extends BroadcastRule {
  readonly id: number
  /** Null for somebody else's. */
  readonly kind: string | null
  readonly no_episodes: number
  /** How many episodes the list shows. */
  readonly known: number
  readonly episodes_estimate: number | null
  /** 1 if no source listed the last episode, so that the list may grow (D62). */
  readonly may_grow: number
}

/** Those that a person wants to watch or is watching (D39). Uses statuses_kind. */
export const trackedIds = preparedSql<{ id: number }, { user: number }>(
  (slot) => sql`
    select works.id from statuses join works on works.id = statuses.work_id
    where statuses.user_id = ${slot('user')} and statuses.kind in ('watching', 'wanna_watch') and works.hidden = 0`,
)

/** `works`: a JSON array of ids. */
export const timedWorks = preparedSql<TimedWork, { user: number; works: string }>(
  (slot) => sql`
    select works.id, statuses.kind, no_episodes, episodes_count as known, episodes_estimate, broadcast_begin,
      broadcast_end, broadcast_interval, released_on, ${sql.raw(isCounted)} as is_counted,
      no_episodes = 0 and ${sql.raw(isGrowing)} as may_grow
    from json_each(${slot('works')}) as asked join works on works.id = asked.value
      left join statuses on statuses.user_id = ${slot('user')} and statuses.work_id = works.id`,
)

/** Works with a programme in a span: of these seasons, or that somebody here watches. Uses programs_started. */
export const airingIds = preparedSql<{ id: number }, { from: number; until: number; seasons: string }>(
  (slot) => sql`
    select distinct works.id from programs join works on works.id = programs.work_id
    where programs.started_at >= ${slot('from')} and programs.started_at < ${slot('until')} and programs.hidden = 0
      and (works.watchers_count > 0 or works.season_rank in (select value from json_each(${slot('seasons')})))
    limit 2000`,
)

export interface EpisodeFacts {
  readonly episode_id: number | null
  readonly number: string | null
  readonly number_text: string | null
  readonly episode_title: string | null
  readonly is_only: number | null
  /** 1 if the person has a record of it in the current lap (D63). */
  readonly recorded: number
}

export interface ProgramRow {
  readonly id: number
  readonly work_id: number
  readonly episode_id: number | null
  readonly channel_id: number
  readonly channel: string
  readonly started_at: number
  readonly is_rebroadcast: number
  readonly estimated: number
  /** 1 for a channel that the person chose, a station nobody knows, and any channel if none is chosen (D81). */
  readonly is_chosen: number
}

interface ProgramValues {
  readonly user: number
  readonly works: string
  readonly episodes: string
  readonly from: number
  readonly until: number
}

/**
 * Programmes of works in a span, and all others of their episodes and of `episodes`, since one of those may be the first.
 * Also those of hidden episodes. Uses programs_work and programs_episode.
 */
export const programsOf = preparedSql<ProgramRow, { [Name in keyof ProgramValues]: ProgramValues[Name] }>(
  (slot) => sql`
    with near as materialized (
      select p.id, p.work_id, p.episode_id, p.channel_id, p.started_at, p.is_rebroadcast, p.estimated
      from json_each(${slot('works')}) as asked
      cross join programs as p on p.work_id = asked.value
        and p.started_at >= ${slot('from')} and p.started_at < ${slot('until')} and p.hidden = 0
    ), same as materialized (
      select episode_id from near where episode_id is not null
      union select value from json_each(${slot('episodes')})
    ), all_of as (
      select * from near
      union all
      select p.id, p.work_id, p.episode_id, p.channel_id, p.started_at, p.is_rebroadcast, p.estimated
      from same cross join programs as p on p.episode_id = same.episode_id and p.hidden = 0
      where p.started_at < ${slot('from')} or p.started_at >= ${slot('until')}
        or p.work_id not in (select value from json_each(${slot('works')}))
    ), chosen as materialized (
      select channel_id from user_channels join channels on channels.id = channel_id
      where user_id = ${slot('user')} and hidden = 0 and channels.id not in ${sql.raw(unknownStation)}
    ), heard as materialized (
      select id, name, (not exists (select 1 from chosen) or id in (select channel_id from chosen)
        or id in ${sql.raw(unknownStation)}) as is_chosen
      from channels where hidden = 0
    )
    select p.id, p.work_id, p.episode_id, p.channel_id, heard.name as channel, p.started_at, p.is_rebroadcast,
      p.estimated, heard.is_chosen
    from all_of as p join heard on heard.id = p.channel_id
    order by p.started_at, p.id`,
)

/** The episode of programmes. */
export interface ProgramEpisode extends EpisodeFacts {
  readonly episode_id: number
  /** Whether the list has no earlier, no later episode. */
  readonly is_first: number
  readonly is_last: number
}

/** Those that are shown. `episodes`: a JSON array of ids, each once. Uses episodes_work. */
export const programEpisodes = preparedSql<ProgramEpisode, { user: number; episodes: string }>((slot) => {
  const lap = currentLap(slot('user'), sql.ref('episodes.work_id'))
  const neighbour = (sign: string) => sql`not exists (
    select 1 from episodes as e where e.work_id = episodes.work_id and e.hidden = 0
      and (e.sort_number, e.id) ${sql.raw(sign)} (episodes.sort_number, episodes.id))`
  return sql`
    select episodes.id as episode_id, number, number_text, title as episode_title, ${isOnlyOfItsNumber} as is_only,
      ${neighbour('<')} as is_first, ${neighbour('>')} as is_last,
      exists (select 1 from records where records.user_id = ${slot('user')}
        and records.episode_id = episodes.id and records.lap = ${lap}) as recorded
    from json_each(${slot('episodes')}) as asked cross join episodes on episodes.id = asked.value
    where episodes.hidden = 0`
})

export interface EpisodeAtPosition extends EpisodeFacts {
  readonly work_id: number
  readonly position: number
}

/** `ranges`: a JSON array of `[work, first position, last position]`, counted from 0. Uses episodes_work. */
export const episodesAt = preparedSql<EpisodeAtPosition, { user: number; ranges: string }>(
  (slot) => sql`
    with asked as (
      select value ->> 0 as work, value ->> 1 as first, value ->> 2 as last from json_each(${slot('ranges')})
    ), placed as (
      select asked.first, asked.last, episodes.id, episodes.work_id,
        row_number() over (partition by episodes.work_id order by episodes.sort_number, episodes.id) - 1 as position
      from asked cross join episodes on episodes.work_id = asked.work and episodes.hidden = 0)
    select episodes.work_id, position, episodes.id as episode_id, number, number_text, title as episode_title,
      ${isOnlyOfItsNumber} as is_only,
      exists (select 1 from records where records.user_id = ${slot('user')} and records.episode_id = episodes.id
        and records.lap = ${currentLap(slot('user'), sql.ref('episodes.work_id'))}) as recorded
    from placed join episodes on episodes.id = placed.id
    where position between first and last`,
)
