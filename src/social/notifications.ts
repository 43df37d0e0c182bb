import { sql } from 'kysely'
import { nestedUser } from '../accounts/users'
import { defineCommand } from '../api/command'
import { defineItem } from '../api/item'
import { defineList } from '../api/list'
import { filter } from '../api/list-declaration'
import { computed, nested, nestedOptional } from '../api/nested-fields'
import { flagParam } from '../api/param-kinds'
import { defineResource } from '../api/resource'
import { boolean, dateTime, integer, word } from '../api/schema'
import { byId } from '../catalogue/filters'
import { isoTime } from '../lib/time'
import { record } from '../library/records'
import { review } from '../library/reviews'

const notification = defineResource('Notification', 'notifications', () => ({
  id: integer('Notification id', 77),
}))

/** An extension (D52): likes of the caller's records and reviews, and new followers. */
export const myNotifications = defineList({
  path: '/v1/me/notifications',
  tag: 'Users',
  summary: "Extension: the caller's notifications",
  key: 'notifications',
  item: defineItem('notifications', notification, {
    user: nested(nestedUser, (eb) => eb.ref('notifications.actor_id')),
    action: computed(
      word(['like', 'follow'], 'What the user did'),
      (eb) => eb.ref('notifications.follow_id'),
      (follow) => (follow === null ? 'like' : 'follow'),
    ),
    is_read: computed(
      boolean('Whether it was read'),
      (eb) => eb.ref('notifications.read_at'),
      (at) => at !== null,
    ),
    created_at: computed(dateTime('When it happened'), (eb) => eb.ref('notifications.created_at'), isoTime),
    record: nestedOptional(
      record,
      () => sql`(select record_id from likes where likes.id = notifications.like_id)`,
    ),
    review: nestedOptional(
      review,
      () => sql`(select review_id from likes where likes.id = notifications.like_id)`,
    ),
  }),
  rows: { where: (eb, viewer) => eb('notifications.user_id', '=', viewer) },
  filters: {
    filter_unread: filter(
      flagParam('Only unread ones, or only read ones'),
      (unread) => ({ unread: Number(unread) }),
      // uses notifications_unread
      (_, slot) => sql`(notifications.read_at is null) = ${slot('unread')}`,
    ),
  },
  sorts: { sort_id: byId },
})

export const readNotifications = defineCommand({
  method: 'POST',
  path: '/v1/me/notifications/read',
  tag: 'Users',
  summary: "Extension: marks the caller's notifications as read",
  params: {},
  run: async (_, { deps, viewer }) => {
    await deps.write((tx) =>
      tx
        .updateTable('notifications')
        .set({ read_at: deps.now() })
        .where('user_id', '=', viewer.userId)
        .where('read_at', 'is', null)
        .execute(),
    )
    return null
  },
})
