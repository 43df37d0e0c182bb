import { sql } from 'kysely'
import Type from 'typebox'
import { work, workFilters, workSorts } from '../catalogue/works'
import { defineItem } from '../http/item'
import { defineList, filter } from '../http/list'
import { oneOf } from '../http/params'
import { computed } from '../http/parts'
import { word } from '../http/schema'
import { statusKinds } from './statuses'

const status = Type.Object({ kind: word(statusKinds, "The caller's status of the work") })

const workIds = sql`select work_id from statuses`
const rowids = sql`select work_id as rowid from statuses`

const counts = statusKinds.map((kind) => sql`when ${sql.lit(kind)} then ${sql.ref(`users.${kind}_count`)}`)

/** GET /v1/me/works: the works the caller has given a status, hidden ones too (D37, D42). */
export const myWorks = defineList({
  path: '/v1/me/works',
  tag: 'Works',
  summary: 'The works the caller has given a status',
  key: 'works',
  item: defineItem('works', work, {
    status: computed(
      status,
      (_, viewer) =>
        sql<string>`(select kind from statuses where statuses.user_id = ${viewer} and statuses.work_id = works.id)`,
      (kind) => ({ kind }),
    ),
  }),
  rows: {
    where: (_, viewer, many) =>
      many
        ? sql`exists (select 1 from statuses where statuses.user_id = ${viewer} and statuses.work_id = works.id)`
        : sql`works.id in (${workIds} where statuses.user_id = ${viewer})`,
    rowids: (viewer) => sql`(${rowids} where statuses.user_id = ${viewer})`,
    counted: (viewer) => sql`(
      select wanna_watch_count + watching_count + watched_count + on_hold_count + stop_watching_count
      from users where users.id = ${viewer})`,
  },
  filters: {
    ...workFilters,
    filter_status: {
      ...filter(
        oneOf(statusKinds, 'Only works with this status'),
        (kind) => ({ kind }),
        // uses statuses_kind
        (_, slot, { many }) =>
          many
            ? sql`exists (select 1 from statuses where statuses.user_id = ${slot('viewer')}
                and statuses.work_id = works.id and statuses.kind = ${slot('kind')})`
            : sql`works.id in (${workIds} where statuses.user_id = ${slot('viewer')} and statuses.kind = ${slot('kind')})`,
      ),
      rowids: (slot) =>
        sql`(${rowids} where statuses.user_id = ${slot('viewer')} and statuses.kind = ${slot('kind')})`,
      ownCounted: (slot) => sql`(select case ${slot('kind')} ${sql.join(counts, sql` `)} end
        from users where users.id = ${slot('viewer')})`,
    },
  },
  sorts: workSorts,
})
