import { type SqlBool, sql } from 'kysely'
import { badToken } from '../api/bearer'
import { defineCommand } from '../api/command'
import { defineItem, itemSchema } from '../api/item'
import { defineList } from '../api/list'
import { filter, idsFilter, ownId, rankedFilter } from '../api/list-declaration'
import { computed } from '../api/nested-fields'
import { nullable } from '../api/paging'
import { idsParam } from '../api/param-kinds'
import { param } from '../api/params'
import { itemReader } from '../api/read-item'
import { defineResource, type FieldBuilder } from '../api/resource'
import { dateTime, integer, text } from '../api/schema'
import { isoTime } from '../lib/time'
import type { Rows } from '../paging/paged-list'
import { matching } from '../values/text'
import { findUsers } from './find-users'

const nestedFields = ({ from }: FieldBuilder<'users'>) => ({
  id: integer('User id', 7),
  username: text('Name in URLs', 'mio'),
  name: text('Display name', 'みお'),
  description: text('Profile text'),
  url: nullable(text("The user's site", 'https://mio.example/')),
  avatar_url: from(
    text('Avatar image', 'http://127.0.0.1:3000/assets/avatar.svg'),
    ['avatar_url'],
    (row, { baseUrl }) => absolute(row.avatar_url || '/assets/avatar.svg', baseUrl),
  ),
  background_image_url: from(
    text('Background image', 'http://127.0.0.1:3000/assets/background.svg'),
    ['background_image_url'],
    (row, { baseUrl }) => row.background_image_url || `${baseUrl}/assets/background.svg`,
  ),
  records_count: integer('Records'),
})

/** Pictures hosted by this instance are stored as paths. */
const absolute = (url: string, baseUrl: string) => (url.startsWith('/') ? baseUrl + url : url)

const createdAt = ({ from }: FieldBuilder<'users'>) => ({
  created_at: from(dateTime('When the user registered'), ['created_at'], (row) => isoTime(row.created_at)),
})

/** Nine fields (D21). */
export const nestedUser = defineResource('NestedUser', 'users', (derived) => ({
  ...nestedFields(derived),
  ...createdAt(derived),
}))

export const user = defineResource('User', 'users', (derived) => ({
  ...nestedFields(derived),
  followings_count: integer('Users this user follows'),
  followers_count: integer('Users who follow this user'),
  wanna_watch_count: integer('Works with the status wanna_watch'),
  watching_count: integer('Works with the status watching'),
  watched_count: integer('Works with the status watched'),
  on_hold_count: integer('Works with the status on_hold'),
  stop_watching_count: integer('Works with the status stop_watching'),
  ...createdAt(derived),
}))

const deleted = sql`(select user_id from deletions)`

/** Users whose deletion has begun are not shown (D68). `not exists` is evaluated only once, and deletions are rare. */
export const isListedUser = sql<SqlBool>`(not exists ${deleted} or users.id not in ${deleted})`

/** The number of users who are not deleted. SQLite counts rows without a condition by the page. */
export const usersCount = sql<number>`((select count(*) from main.users) - (select count(*) from deletions))`

const everyone: Rows<'users'> = {
  where: () => isListedUser,
  // uses users_private
  shared: sql`users.privacy <> 'private'`,
  counted: () => sql<number>`(${usersCount} - (
    select count(*) from users where users.privacy = 'private' and ${isListedUser}))`,
}

const usernames = param(
  matching('^[A-Za-z0-9_,]+$', (t) => t.values.usernames),
  'Only users with these usernames, ignoring case, separated by commas',
  'mio,ritsu',
)

export const users = defineList({
  path: '/v1/users',
  tag: 'Users',
  summary: 'The users of this instance',
  key: 'users',
  item: defineItem('users', user),
  rows: everyone,
  filters: {
    filter_ids: { ...idsFilter(idsParam('Only users with these ids'), ownId('users')), isNaming: true },
    filter_usernames: {
      ...filter(
        usernames,
        (names) => ({ keys: JSON.stringify(names.toLowerCase().split(',')) }),
        (eb, slot) =>
          eb('users.username_key', 'in', sql<string>`(select value from json_each(${slot('keys')}))`),
      ),
      isNaming: true,
    },
    filter_query: rankedFilter('users', 'usernames and names', 'mio', findUsers),
  },
  sorts: { sort_id: { what: 'id', column: 'id' } },
})

/** Includes the fields that only the user may see (D21). */
const profile = defineItem('users', user, {
  email: computed(
    text('E-mail address', 'mio@example.com'),
    (eb) => eb.ref('users.email'),
    (email) => email,
  ),
  notifications_count: computed(
    integer('Unread notifications'),
    (eb) => eb.ref('users.notifications_count'),
    (count) => count,
  ),
})

const readProfile = itemReader(profile)

export const me = defineCommand({
  method: 'GET',
  path: '/v1/me',
  tag: 'Users',
  summary: "The caller's own profile",
  params: {},
  answers: () => itemSchema(profile),
  run: async (_, call) => {
    const own = await readProfile(call.viewer.userId, call)
    if (own === null) throw badToken()
    return own
  },
})
