import { sql } from 'kysely'
import { createFeeds } from '../../library/feed/feed'
import { pageOfFeed } from '../../library/feed/feed-page'
import { feedsOf } from '../../library/following-activities'
import type { ConnectionField, GraphqlField, List, SelectedRow } from '../declare/field'
import { annictId, constant, one, ref } from '../declare/fields'
import { many } from '../declare/list'

const item: GraphqlField = {
  type: 'ActivityItem',
  columns: new Map([
    ['action$', ref('activities.action')],
    ['record$', ref('activities.record_id')],
    ['review$', ref('activities.review_id')],
  ]),
  resolve: async (row, _, { rows }) => {
    const [type, id] = itemOf(row)
    const found = await rows.load(type, id)
    return found === null ? null : { ...found, __typename: type }
  },
}

const items: Readonly<Record<string, readonly [type: string, column: string]>> = {
  create_record: ['Record', 'record$'],
  create_review: ['Review', 'review$'],
  create_status: ['Status', 'id'],
  create_multiple_records: ['MultipleRecord', 'id'],
}

function itemOf(row: SelectedRow): [type: string, id: number] {
  const [type, column] = items[String(row.action$)] ?? ['', 'id']
  return [type, Number(row[column])]
}

/** Ids follow the order of creation; an activity that an undo restores gets its id back. */
const list: Pick<List, 'of' | 'id' | 'orders' | 'edge'> = {
  of: 'Activity',
  id: sql.ref('activities.id'),
  orders: { CREATED_AT: { by: sql.ref('activities.id') } },
  edge: {
    action: constant('ActivityAction!', 'CREATE'),
    annictId,
    item,
    user: one('User!', 'user', ref('activities.user_id')),
  },
}

export const ownActivities: ConnectionField = many({
  ...list,
  from: sql`activities`,
  parent: sql.ref('activities.user_id'),
})

/** Activities of the user and of those they follow; the ones the caller muted are left out, as mutes are private. */
export const followingActivities: ConnectionField = many({
  ...list,
  from: sql`activities`,
  parent: sql.ref('activities.user_id'),
  find: async (read, { parent, viewer, offset, limit, descends }) => {
    // What others see of somebody's feed depends on both, and is asked for rarely: it is not kept.
    const feeds = parent === viewer ? feedsOf(read) : createFeeds(0)
    const feed = await feeds.of({ follower: parent, mutedBy: viewer, own: 1 }, read)
    const direction = descends ? 'desc' : 'asc'
    return pageOfFeed(feed, undefined, { direction, offset, limit: limit < 0 ? feed.ids.length : limit }).ids
  },
})
