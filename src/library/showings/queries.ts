import { sql } from 'kysely'
import { type BroadcastRule, isCounted } from '../../catalogue/estimate/broadcast-rule'
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
      no_episodes = 0 and coalesce((
        select e.estimated from episodes as e where e.work_id = works.id
        order by e.sort_number desc, e.id desc limit 1), 1) as may_grow
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

export interface ProgramRow extends EpisodeFacts {
  readonly id: number
  readonly work_id: number
  readonly channel_id: number
  readonly channel: string
  readonly started_at: number
  readonly is_rebroadcast: number
  readonly estimated: number
  /** 1 for a channel that the person chose, a station nobody knows, and any channel if none is chosen (D81). */
  readonly is_chosen: number
  /** Whether the list has no earlier, no later episode. */
  readonly is_first: number
  readonly is_last: number
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
 * Uses programs_work and programs_episode.
 */
export const programsOf = preparedSql<ProgramRow, { [Name in keyof ProgramValues]: ProgramValues[Name] }>(
  (slot) => {
    const lap = currentLap(slot('user'), sql.ref('episodes.work_id'))
    const neighbour = (sign: string) => sql`not exists (
      select 1 from episodes as e where e.work_id = episodes.work_id and e.hidden = 0
        and (e.sort_number, e.id) ${sql.raw(sign)} (episodes.sort_number, episodes.id))`
    return sql`
      with near as materialized (
        select p.id, p.episode_id from json_each(${slot('works')}) as asked
        cross join programs as p on p.work_id = asked.value
          and p.started_at >= ${slot('from')} and p.started_at < ${slot('until')} and p.hidden = 0
      ), same as materialized (
        select episode_id from near where episode_id is not null
        union select value from json_each(${slot('episodes')})
      ), all_of as (
        select id from near
        union select p.id from same cross join programs as p on p.episode_id = same.episode_id and p.hidden = 0
      ), facts as materialized (
        select episodes.id, number, number_text, title, hidden, ${isOnlyOfItsNumber} as is_only,
          ${neighbour('<')} as is_first, ${neighbour('>')} as is_last,
          exists (select 1 from records where records.user_id = ${slot('user')}
            and records.episode_id = episodes.id and records.lap = ${lap}) as recorded
        from same cross join episodes on episodes.id = same.episode_id
      ), chosen as materialized (
        select channel_id from user_channels join channels on channels.id = channel_id
        where user_id = ${slot('user')} and hidden = 0 and channels.id not in ${sql.raw(unknownStation)}
      )
      select p.id, p.work_id, p.episode_id, p.channel_id, channels.name as channel, p.started_at, p.is_rebroadcast, p.estimated,
        (not exists (select 1 from chosen) or p.channel_id in (select channel_id from chosen)
          or p.channel_id in ${sql.raw(unknownStation)}) as is_chosen,
        facts.number, facts.number_text, facts.title as episode_title, facts.is_only,
        ifnull(facts.is_first, 0) as is_first, ifnull(facts.is_last, 0) as is_last,
        ifnull(facts.recorded, 0) as recorded
      from all_of join programs as p on p.id = all_of.id
        join channels on channels.id = p.channel_id and channels.hidden = 0
        left join facts on facts.id = p.episode_id
      where ifnull(facts.hidden, 0) = 0
      order by p.started_at, p.id`
  },
)

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
