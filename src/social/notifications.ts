import { sql } from 'kysely'
import Type from 'typebox'
import { isToldTo, notificationKinds } from '../accounts/account/unread'
import { nestedUser } from '../accounts/users'
import { defineCommand } from '../api/command'
import type { Endpoint } from '../api/endpoint'
import { defineItem } from '../api/item'
import { defineList } from '../api/list'
import { filter } from '../api/list-declaration'
import { computed, inline, nestedOptional, nestedOrNull } from '../api/nested-fields'
import { nullable } from '../api/paging'
import { flagParam } from '../api/param-kinds'
import { defineResource } from '../api/resource'
import { boolean, dateTime, integer, text, word } from '../api/schema'
import { episode } from '../catalogue/episodes'
import { byId } from '../catalogue/filters'
import { work } from '../catalogue/works'
import { isoTime } from '../lib/time'
import { record } from '../library/records'
import { review } from '../library/reviews'
import { comment } from './comments/comments'

const notification = defineResource('Notification', 'notifications', () => ({
  id: integer('Notification id', 77),
}))

/** A suggestion to correct the catalogue. */
const proposal = Type.Object(
  {
    id: integer('Proposal id', 3),
    work_id: nullable(integer('The work that it is about', 4168)),
    answer: text('Why it was not accepted'),
  },
  { additionalProperties: false },
)

const proposalOfIt = sql<string | null>`(
  select json_object('id', p.id, 'work_id', nullif(p.work_id, 0), 'answer', p.answer)
  from catalogue_proposals as p where p.id = notifications.proposal_id)`

/** An extension (D52, D118). Not by people whom the caller muted or who are blocked, nor about what they can no longer see. */
const myNotifications = defineList({
  path: '/v1/me/notifications',
  tag: 'Users',
  summary: "Extension: the caller's notifications",
  key: 'notifications',
  item: defineItem('notifications', notification, {
    user: nestedOrNull(nestedUser, (eb) => eb.ref('notifications.actor_id')),
    action: computed(
      word(notificationKinds, 'What happened'),
      (eb) => eb.ref('notifications.kind'),
      (kind) => kind,
    ),
    is_read: computed(
      boolean('Whether it was read'),
      (eb) => eb.ref('notifications.read_at'),
      (at) => at !== null,
    ),
    created_at: computed(dateTime('When it happened'), (eb) => eb.ref('notifications.created_at'), isoTime),
    record: nestedOptional(
      record,
      () => sql`ifnull((select record_id from likes where likes.id = notifications.like_id),
        (select record_id from comments where comments.id = notifications.comment_id))`,
    ),
    review: nestedOptional(
      review,
      () => sql`ifnull((select review_id from likes where likes.id = notifications.like_id),
        (select review_id from comments where comments.id = notifications.comment_id))`,
    ),
    comment: nestedOrNull(comment, (eb) => eb.ref('notifications.comment_id')),
    work: nestedOrNull(
      work,
      () => sql`ifnull((select work_id from episodes where episodes.id = notifications.episode_id),
        (select work_id from meetings where meetings.id = notifications.meeting_id))`,
    ),
    episode: nestedOrNull(episode, (eb) => eb.ref('notifications.episode_id')),
    proposal: inline(nullable(proposal), () => proposalOfIt),
  }),
  rows: { where: (_, viewer) => isToldTo(viewer) },
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

const readNotifications = defineCommand({
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

export const notificationEndpoints: readonly Endpoint[] = [myNotifications, readNotifications]
