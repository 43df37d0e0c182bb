import { type RawBuilder, sql } from 'kysely'
import Type from 'typebox'
import { work, workFilters, workSorts } from '../catalogue/works'
import { defineItem } from '../http/item'
import { defineList, filter } from '../http/list'
import { oneOf } from '../http/params'
import { computed } from '../http/parts'
import { word } from '../http/schema'
import { statusKinds } from './statuses'

const status = Type.Object({ kind: word(statusKinds, "The caller's status of the work") })

const own = (viewer: RawBuilder<unknown>) =>
  sql`select work_id as rowid from statuses where statuses.user_id = ${viewer}`

// uses statuses_kind
const ofKind = (viewer: RawBuilder<unknown>, kind: RawBuilder<unknown>) =>
  sql`${own(viewer)} and statuses.kind = ${kind}`

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
    sets: 'works',
    changes: 'viewer',
    where: (_, viewer) => sql`exists (${own(viewer)} and statuses.work_id = works.id)`,
    rowids: (viewer) => sql`(${own(viewer)})`,
  },
  filters: {
    ...workFilters,
    filter_status: {
      ...filter(
        oneOf(statusKinds, 'Only works with this status'),
        (kind) => ({ kind }),
        (_, slot) => sql`works.id in (${ofKind(slot('viewer'), slot('kind'))})`,
      ),
      changes: 'viewer',
      rowids: (slot) => sql`(${ofKind(slot('viewer'), slot('kind'))})`,
    },
  },
  sorts: workSorts,
})
