import { type RawBuilder, type SqlBool, sql } from 'kysely'
import Type from 'typebox'
import { defineItem } from '../api/item'
import { defineList } from '../api/list'
import { type Filter, filter } from '../api/list-declaration'
import { inline, nested, nestedOrNull } from '../api/nested-fields'
import { flagParam, idsParam, momentParam } from '../api/param-kinds'
import { defineResource } from '../api/resource'
import { boolean, dateTime, integer, text } from '../api/schema'
import { episode } from '../catalogue/episodes'
import { unknownStation } from '../catalogue/estimate/listed-programs'
import { byId, byIds, namingAny } from '../catalogue/filters'
import { refersToShown } from '../catalogue/shown'
import { work } from '../catalogue/works'
import { isoTime } from '../lib/time'

export const program = defineResource('Program', 'programs', ({ from }) => ({
  id: integer('Program id', 4001),
  started_at: from(dateTime('When the broadcast starts'), ['started_at'], (row) => isoTime(row.started_at)),
  is_rebroadcast: from(
    boolean('Whether it was broadcast before'),
    ['is_rebroadcast'],
    (row) => row.is_rebroadcast === 1,
  ),
  estimated: from(
    boolean(
      'Extension: whether it is estimated from the weekly broadcast, instead of listed by a source',
      false,
    ),
    ['estimated'],
    (row) => row.estimated === 1,
  ),
}))

const channel = Type.Object({ id: integer('Channel id', 19), name: text('Name', '日本テレビ') })

const startedAt = (sign: '>=' | '<=', description: string): Filter<'programs'> =>
  filter(
    momentParam(description),
    (at) => ({ at }),
    (eb, slot) => eb('programs.started_at', sign, slot('at')),
  )

/** SQL: whether the channel is one that the user chose or a station nobody knows; any if none is chosen (D39, D81). */
export const isOnChannelsOf = (user: RawBuilder<number>, channel: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(${channel} in (select channel_id from user_channels where user_channels.user_id = ${user})
    or ${channel} in ${sql.raw(unknownStation)}
    or not exists (select 1 from user_channels as chosen join channels as c on c.id = chosen.channel_id
      where chosen.user_id = ${user} and c.hidden = 0 and c.id not in ${sql.raw(unknownStation)}))`

/** Whether a broadcast, its episode and its channel are visible. */
export const isShownProgram: RawBuilder<SqlBool> = sql<SqlBool>`programs.hidden = 0
  and ${refersToShown(sql.ref('programs.episode_id'), 'episodes')}
  and ${refersToShown(sql.ref('programs.channel_id'), 'channels')}`

/** Broadcasts of the works a user wants to watch or is watching, on the user's channels (D39). */
export const isProgramOf = (user: RawBuilder<number>): RawBuilder<SqlBool> =>
  // uses programs_work
  sql<SqlBool>`programs.work_id in (
      select work_id from statuses where statuses.user_id = ${user} and statuses.kind in ('wanna_watch', 'watching'))
    and ${isOnChannelsOf(user, sql.ref('programs.channel_id'))}
    and ${isShownProgram}`

/** Whether the user has no record of the broadcast's episode. */
export const isUnwatched = (user: RawBuilder<number>): RawBuilder<SqlBool> =>
  // uses records_user_episode
  sql<SqlBool>`not exists (
    select 1 from records where records.user_id = ${user} and records.episode_id = programs.episode_id)`

/** On the channels the caller chose, or on all if none is chosen (D39). */
export const myPrograms = defineList({
  path: '/v1/me/programs',
  tag: 'Programs',
  summary: "Broadcasts of the caller's works",
  description:
    'Of works with the status wanna_watch or watching, on the channels that the caller has chosen, or on all if none is ' +
    'chosen. A first broadcast whose station is unknown counts as chosen.',
  key: 'programs',
  item: defineItem('programs', program, {
    channel: inline(
      channel,
      () => sql`(
      select json_object('id', c.id, 'name', c.name) from channels as c where c.id = programs.channel_id)`,
    ),
    work: nested(work, (eb) => eb.ref('programs.work_id')),
    episode: nestedOrNull(episode, (eb) => eb.ref('programs.episode_id')),
  }),
  rows: { where: (_, viewer) => isProgramOf(viewer) },
  filters: {
    filter_ids: byIds('programs'),
    filter_channel_ids: namingAny('channels', idsParam('Only programs on these channels'), () =>
      sql.ref('programs.channel_id'),
    ),
    filter_work_ids: namingAny('works', idsParam('Only programs of these works'), () =>
      sql.ref('programs.work_id'),
    ),
    filter_started_at_gt: startedAt('>=', 'Only programs that start at this time or later'),
    filter_started_at_lt: startedAt('<=', 'Only programs that start at this time or earlier'),
    filter_unwatched: filter(
      flagParam('true leaves out programs whose episode the caller has already recorded'),
      (unwatched) => ({ unwatched: Number(unwatched) }),
      (_, slot) => sql`(${slot('unwatched')} = 0 or ${isUnwatched(slot('viewer'))})`,
    ),
    filter_rebroadcast: filter(
      flagParam('true for only rebroadcasts, false for none'),
      (rebroadcast) => ({ rebroadcast: Number(rebroadcast) }),
      (eb, slot) => eb('programs.is_rebroadcast', '=', slot('rebroadcast')),
    ),
  },
  sorts: { sort_id: byId, sort_started_at: { what: 'start', column: 'started_at' } },
  sortedBy: 'started_at',
})
