import { type SqlBool, sql } from 'kysely'
import { badToken } from '../api/bearer'
import { defineCommand } from '../api/command'
import type { ApiCall } from '../api/endpoint'
import { defineItem, itemSchema } from '../api/item'
import { defineList } from '../api/list'
import { filter, idsFilter, ownId, rankedFilter } from '../api/list-declaration'
import { computed } from '../api/nested-fields'
import { nullable } from '../api/paging'
import { flagParam, idsParam, wordParam } from '../api/param-kinds'
import { param } from '../api/params'
import { itemReader } from '../api/read-item'
import { defineResource, type FieldBuilder } from '../api/resource'
import { boolean, dateTime, integer, text, word } from '../api/schema'
import { prepared, type SlotOf } from '../db/prepared'
import { isoTime } from '../lib/time'
import type { Rows } from '../paging/paged-list'
import { matching } from '../values/text'
import { commenters, profiles, savePrivacy } from './account/privacy'
import { countAllUnread } from './account/unread'
import { findUsers } from './find-users'

/** Of a private profile others get a name and a picture; the rest is as in a new account (D75). */
const ofProfile = <V>(privacy: string, value: V, blank: V): V => (privacy === 'private' ? blank : value)

/** `isOwn`: for their user alone. */
const nestedFields = ({ from }: FieldBuilder<'users'>, isOwn = false) => {
  const shown = <V>(row: { readonly privacy: string }, value: V, blank: V) =>
    isOwn ? value : ofProfile(row.privacy, value, blank)
  /** An administrator may have hidden what the profile says. */
  const said = <V>(
    row: { readonly privacy: string; readonly profile_hidden_by: number | null },
    value: V,
    blank: V,
  ) => (isOwn || row.profile_hidden_by === null ? shown(row, value, blank) : blank)
  return {
    id: integer('User id', 7),
    username: text('Name in URLs', 'mio'),
    name: text('Display name', 'みお'),
    description: from(text('Profile text'), ['privacy', 'profile_hidden_by', 'description'], (row) =>
      said(row, row.description, ''),
    ),
    url: from(
      nullable(text("The user's site", 'https://mio.example/')),
      ['privacy', 'profile_hidden_by', 'url'],
      (row) => said(row, row.url, null),
    ),
    avatar_url: from(
      text('Avatar image', 'http://127.0.0.1:3000/assets/avatar.svg'),
      ['avatar_url'],
      (row, { baseUrl }) => absolute(row.avatar_url || '/assets/avatar.svg', baseUrl),
    ),
    background_image_url: from(
      text('Background image', 'http://127.0.0.1:3000/assets/background.svg'),
      ['privacy', 'background_image_url'],
      (row, { baseUrl }) => shown(row, row.background_image_url, '') || `${baseUrl}/assets/background.svg`,
    ),
    records_count: from(integer('Records'), ['privacy', 'records_count'], (row) =>
      shown(row, row.records_count, 0),
    ),
  }
}

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

const counts = {
  followings_count: 'Users this user follows',
  followers_count: 'Users who follow this user',
  wanna_watch_count: 'Works with the status wanna_watch',
  watching_count: 'Works with the status watching',
  watched_count: 'Works with the status watched',
  on_hold_count: 'Works with the status on_hold',
  stop_watching_count: 'Works with the status stop_watching',
} as const

/** `isOwn`: for their user alone. */
const allFields = (derived: FieldBuilder<'users'>, isOwn = false) => {
  const count = <Name extends keyof typeof counts>(name: Name) =>
    derived.from(integer(counts[name]), ['privacy', name], (row) =>
      isOwn ? row[name] : ofProfile(row.privacy, Number(row[name]), 0),
    )
  return {
    ...nestedFields(derived, isOwn),
    followings_count: count('followings_count'),
    followers_count: count('followers_count'),
    wanna_watch_count: count('wanna_watch_count'),
    watching_count: count('watching_count'),
    watched_count: count('watched_count'),
    on_hold_count: count('on_hold_count'),
    stop_watching_count: count('stop_watching_count'),
    ...createdAt(derived),
  }
}

export const user = defineResource('User', 'users', (derived) => allFields(derived))

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
        param(
          matching('^[A-Za-z0-9_,]+$', (t) => t.values.usernames),
          'Only users with these usernames, ignoring case, separated by commas',
          'mio,ritsu',
        ),
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

/** For GraphQL too, where the guarded table leaves out what its reader may not see. */
export const ownUser = defineResource('OwnUser', 'users', (derived) => allFields(derived, true))

const setting = (column: 'private_by_default' | 'listed' | 'indexable', what: string) =>
  computed<'users', number>(
    boolean(what),
    (eb) => eb.ref(`users.${column}`),
    (flag) => flag === 1,
  )

/** Includes the fields that only the user may see (D21). */
const profile = defineItem('users', ownUser, {
  email: computed(
    text('E-mail address', 'mio@example.com'),
    (eb) => eb.ref('users.email'),
    (email) => email,
  ),
  notifications_count: computed(
    integer('Unread notifications'),
    () => sql<number>`0`, // `ownProfile` counts what one may see
    (count) => count,
  ),
  profile: computed(
    word(profiles, 'Extension: who sees the profile'),
    (eb) => eb.ref('users.privacy'),
    (privacy) => privacy,
  ),
  private_by_default: setting('private_by_default', 'Extension: whether entries are private that do not say'),
  comments_from: computed(
    word(commenters, 'Extension: who may comment'),
    (eb) => eb.ref('users.comments_from'),
    (from) => from,
  ),
  listed: setting('listed', 'Extension: whether the directory of members has them'),
  indexable: setting('indexable', 'Extension: whether search engines may index a public profile'),
})

const readProfile = itemReader(profile)

export const me = defineCommand({
  method: 'GET',
  path: '/v1/me',
  tag: 'Users',
  summary: "The caller's own profile",
  params: {},
  answers: () => itemSchema(profile),
  run: async (_, call) => ownProfile(call),
})

async function ownProfile(call: ApiCall) {
  const { userId } = call.viewer
  const own = await readProfile(userId, call)
  const seen = call.deps.readAs(userId)
  const [counts] = await countsOfOwn(seen, { user: userId })
  const [unread] = await countAllUnread(seen, { user: userId })
  if (!(own instanceof Uint8Array)) throw badToken()
  return { ...JSON.parse(new TextDecoder().decode(own)), ...counts, ...unread }
}

/** An extension: the settings of who sees what (D72). */
export const changeMe = defineCommand({
  method: 'PATCH',
  path: '/v1/me',
  tag: 'Users',
  summary: 'Extension: changes who sees the caller, and what they write',
  description:
    'Changes only what is sent. As soon as this answers, a private profile is hidden from everybody but its followers.',
  params: {
    profile: wordParam(profiles, 'Who sees the profile'),
    private_by_default: flagParam('Whether entries are private that do not say'),
    comments_from: wordParam(commenters, 'Who may comment on entries'),
    listed: flagParam('Whether the directory of members has the caller'),
    indexable: flagParam('Whether search engines may index the profile while it is public'),
  },
  answers: () => itemSchema(profile),
  run: async ({ profile: privacy, private_by_default, comments_from, listed, indexable }, call) => {
    const { deps, viewer } = call
    const flag = (sent: boolean | undefined) => (sent === undefined ? undefined : Number(sent))
    const change = {
      ...{ privacy, private_by_default: flag(private_by_default), comments_from },
      ...{ listed: flag(listed), indexable: flag(indexable) },
    }
    await savePrivacy(deps, viewer.userId, change)
    return await ownProfile(call)
  },
})

/** What others see counts nothing that is marked private (D74). Uses records_user and statuses_kind. */
export const countsOfOwn = prepared((read, slot: SlotOf<{ user: number }>) => {
  const statuses = (kind: string) =>
    sql<number>`(select count(*) from statuses where user_id = ${slot('user')} and kind = ${sql.lit(kind)})`
  return read.selectNoFrom([
    sql<number>`(select count(*) from records where user_id = ${slot('user')})`.as('records_count'),
    statuses('wanna_watch').as('wanna_watch_count'),
    statuses('watching').as('watching_count'),
    statuses('watched').as('watched_count'),
    statuses('on_hold').as('on_hold_count'),
    statuses('stop_watching').as('stop_watching_count'),
  ])
})
