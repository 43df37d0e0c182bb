import { type RawBuilder, sql } from 'kysely'
import Type from 'typebox'
import { defineItem } from '../api/item'
import { defineList } from '../api/list'
import { filter, ownId } from '../api/list-declaration'
import { inline } from '../api/nested-fields'
import { wordParam } from '../api/param-kinds'
import { word } from '../api/schema'
import { narrowedByText } from '../catalogue/filters'
import { titleFilter, work, workFilters, workKeys, workSorts } from '../catalogue/works'
import { privateSchema } from './flags'
import { scoreSchema } from './ratings'
import { datesSchema, statusObject } from './status-dates'
import { statusKinds } from './statuses'

const status = Type.Object({
  kind: word(statusKinds, "The caller's status of the work"),
  ...datesSchema,
  private: privateSchema,
  score: scoreSchema,
})

const workIdsWithStatus = (viewer: RawBuilder<unknown>) =>
  sql`select work_id as rowid from statuses where statuses.user_id = ${viewer}`

// uses statuses_kind
const workIdsOfKind = (viewer: RawBuilder<unknown>, kind: RawBuilder<unknown>) =>
  sql`${workIdsWithStatus(viewer)} and statuses.kind = ${kind}`

/** Works that the caller has given a status, including hidden ones (D37, D42). */
export const myWorks = defineList({
  path: '/v1/me/works',
  tag: 'Works',
  summary: "The caller's works with a status",
  key: 'works',
  item: defineItem('works', work, {
    status: inline(status, (_, viewer) => statusObject(viewer)),
  }),
  rows: { rowids: (viewer) => sql`(${workIdsWithStatus(viewer)})`, keys: workKeys },
  filters: {
    ...workFilters,
    filter_title: narrowedByText('works', titleFilter),
    filter_status: {
      ...filter(
        wordParam(statusKinds, 'Only works with this status'),
        (kind) => ({ kind }),
        (_, slot, form) => sql`${ownId('works')(form)} in (${workIdsOfKind(slot('viewer'), slot('kind'))})`,
      ),
      rowids: (slot) => sql`(${workIdsOfKind(slot('viewer'), slot('kind'))})`,
    },
  },
  sorts: workSorts,
})
