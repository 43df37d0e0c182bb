import { type RawBuilder, sql } from 'kysely'
import Type from 'typebox'
import { byUser } from '../accounts/filters'
import { nestedUser } from '../accounts/users'
import { defineItem } from '../api/item'
import { defineList } from '../api/list'
import type { Filter } from '../api/list-declaration'
import { computed, nested, nestedMany, nestedOptional } from '../api/nested-fields'
import { wordsParam } from '../api/param-kinds'
import type { Param } from '../api/params'
import { defineResource } from '../api/resource'
import { dateTime, integer, word } from '../api/schema'
import { episode } from '../catalogue/episodes'
import { byId } from '../catalogue/filters'
import { work } from '../catalogue/works'
import { isoTime } from '../lib/time'
import { sharedRows } from '../paging/page-query'
import { record } from './records'
import { review } from './reviews'
import { statusKinds } from './statuses'

export const actions = ['create_record', 'create_review', 'create_multiple_records', 'create_status'] as const

const activity = defineResource('Activity', 'activities', () => ({ id: integer('Activity id', 9001) }))

const episodeOfRecord: RawBuilder<number | null> =
  sql`(select episode_id from records where records.id = activities.record_id)`

const manyRecords = sql<string | null>`(
  select json_group_array(json_object(
    'episode', json_array(e.id, e.version), 'record', json_array(r.id, r.version)) order by r.id)
  from activity_records as a join records as r on r.id = a.record_id join episodes as e on e.id = r.episode_id
  where a.activity_id = activities.id
  having count(*) > 0)`

const statusSchema = Type.Object({ kind: word(statusKinds, 'The new status of the work') })

/** The common fields, then those of the action (D25). */
export const activityItem = defineItem('activities', activity, {
  user: nested(nestedUser, (eb) => eb.ref('activities.user_id')),
  work: nested(work, (eb) => eb.ref('activities.work_id')),
  action: computed(
    word(actions, 'What happened'),
    (eb) => eb.ref('activities.action'),
    (action) => action,
  ),
  created_at: computed(dateTime('When it happened'), (eb) => eb.ref('activities.created_at'), isoTime),
  episode: nestedOptional(episode, () => episodeOfRecord),
  record: nestedOptional(record, (eb) => eb.ref('activities.record_id')),
  review: nestedOptional(review, (eb) => eb.ref('activities.review_id')),
  multiple_record: nestedMany(
    { episode, record },
    () => Type.Array(Type.Object({ episode: episode.schema, record: record.schema })),
    () => manyRecords,
  ),
  status: computed(
    statusSchema,
    (eb) => eb.ref('activities.status_kind'),
    (kind) => (kind === null ? undefined : { kind }),
    true,
  ),
})

const actionsParam: Param<readonly string[]> = wordsParam(actions, 'Only activities with these actions')

/** D38. Actions may be rare: on its own, each is read from its index; with another filter, it only narrows. */
export const byActions: Filter<'activities'> = {
  param: actionsParam,
  bind: (wanted) => ({ actions: JSON.stringify(wanted) }),
  parts: (wanted) => {
    const named = actions.filter((action) => Array.isArray(wanted) && wanted.includes(action))
    return named.length === actions.length ? [named.join()] : named
  },
  where: (_, slot, { part }) => {
    // The unary + keeps SQLite on the other filter's index, or on the table.
    if (part === undefined) return sql`+activities.action in ${listOf(slot('actions'))}`
    // uses activities_action
    if (!part.includes(',')) return sql`activities.action = ${sql.lit(part)}`
    const others = actions.filter((action) => !part.split(',').includes(action)).map(sql.lit)
    return others.length === 0 ? sql`true` : sql`+activities.action not in (${sql.join(others)})`
  },
  // Most activities are about a record or a status: with both, the others are counted.
  counted: (slot) => {
    const asked = listOf(slot('actions'))
    const ofThose = (is: 'in' | 'not in') =>
      sql.join(
        actions.map(
          (action) => sql`iif(${sql.lit(action)} ${sql.raw(is)} ${asked},
            (select count(*) from main.activities where withheld = 0 and ${commonTo[action]}), 0)`,
        ),
        sql` + `,
      )
    return sql`iif('create_record' in ${asked} and 'create_status' in ${asked},
      ${sharedRows('activities')} - (${ofThose('not in')}), ${ofThose('in')})`
  },
}

const listOf = (json: RawBuilder<unknown>) => sql`(select value from json_each(${json}))`

/** What the activities of an action have in common. The indexes of ids are counted in a third of the time of that of names. */
const commonTo = {
  // uses activities_record and activities_review
  create_record: sql`record_id is not null`,
  create_review: sql`review_id is not null`,
  // uses activities_action
  create_multiple_records: sql`action = 'create_multiple_records'`,
  create_status: sql`action = 'create_status'`,
} as const

export const activities = defineList({
  path: '/v1/activities',
  tag: 'Activities',
  summary: 'Activities of users',
  key: 'activities',
  item: activityItem,
  rows: { indexes: { activities_keys: [] } },
  filters: {
    ...byUser('activities', 'user_id', 'Only activities of this user'),
    filter_actions: {
      ...byActions,
      param: wordsParam(actions, 'Extension: only activities with these actions'),
    },
  },
  sorts: { sort_id: byId },
})
