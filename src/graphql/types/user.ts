import { type RawBuilder, sql } from 'kysely'
import { unreadOf } from '../../accounts/account/unread'
import { isListedUser, ownUser } from '../../accounts/users'
import { isProgramOf, isUnwatched } from '../../library/programs'
import type { Column, GraphqlField } from '../declare/field'
import { annictId, column, fieldsOf, isOne, ref, seconds } from '../declare/fields'
import { many } from '../declare/list'
import { defineType } from '../declare/type'
import { followingActivities, ownActivities } from '../filters/activities'
import { entriesOfUser } from '../filters/library-entries'
import { byStart, workOrders } from '../filters/orders'
import { recordsBy } from '../filters/records'
import { state } from '../filters/states'
import { workFilters } from '../filters/works'

const field = fieldsOf(ownUser)

/** Null for anybody but the caller. */
function ownOnly(type: string, name: string, expression: Column): GraphqlField {
  const base = column(type, name, expression)
  return {
    ...base,
    resolve: (row, args, context) => (row.id === context.viewerId ? base.resolve(row, args, context) : null),
  }
}

const follows = (viewer: RawBuilder<number>) => sql`exists (
  select 1 from follows where follows.follower_id = ${viewer} and follows.followed_id = users.id)`

const throughFollows = (own: 'follower_id' | 'followed_id', other: 'follower_id' | 'followed_id') =>
  many({
    of: 'User',
    from: sql`follows`,
    id: sql.ref(`follows.${other}`),
    parent: sql.ref(`follows.${own}`),
    ties: sql.ref('follows.id'),
  })

const user = sql.ref<number>('users.id')

export const userType = defineType('User', {
  table: 'users',
  isShown: () => isListedUser,
  fields: {
    activities: ownActivities,
    annictId,
    avatarUrl: field('String', 'avatar_url'),
    backgroundImageUrl: field('String', 'background_image_url'),
    createdAt: field('DateTime!', 'created_at', seconds),
    description: field('String!', 'description'),
    email: ownOnly('String', 'email', ref('users.email')),
    followers: throughFollows('followed_id', 'follower_id'),
    followersCount: field('Int!', 'followers_count'),
    following: throughFollows('follower_id', 'followed_id'),
    followingActivities,
    followingsCount: field('Int!', 'followings_count'),
    libraryEntries: entriesOfUser,
    name: field('String!', 'name'),
    notificationsCount: ownOnly('Int', 'notificationsCount', () => unreadOf(sql.ref('users.id'))),
    onHoldCount: field('Int!', 'on_hold_count'),
    programs: many({
      of: 'Program',
      from: sql`users join programs on ${isProgramOf(user)}`,
      id: sql.ref('programs.id'),
      parent: user,
      where: () => sql`programs.episode_id is not null`,
      filters: {
        unwatched: {
          type: 'Boolean',
          bind: (unwatched: boolean) => Number(unwatched),
          where: (slot) => sql`(${slot} = 0 or ${isUnwatched(user)})`,
        },
      },
      ...byStart,
    }),
    records: recordsBy('records.user_id'),
    recordsCount: field('Int!', 'records_count'),
    stopWatchingCount: field('Int!', 'stop_watching_count'),
    url: field('String', 'url'),
    username: field('String!', 'username'),
    viewerCanFollow: column(
      'Boolean!',
      'viewerCanFollow',
      (viewer) => sql`(users.id <> ${viewer} and not ${follows(viewer)})`,
      isOne,
    ),
    viewerIsFollowing: column('Boolean!', 'viewerIsFollowing', follows, isOne),
    wannaWatchCount: field('Int!', 'wanna_watch_count'),
    watchedCount: field('Int!', 'watched_count'),
    watchingCount: field('Int!', 'watching_count'),
    works: many({
      of: 'Work',
      from: sql`statuses join works on works.id = statuses.work_id`,
      id: sql.ref('works.id'),
      parent: sql.ref('statuses.user_id'),
      orders: workOrders,
      filters: { ...workFilters, state },
    }),
  },
})
