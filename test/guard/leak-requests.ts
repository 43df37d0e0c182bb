import {
  type GraphQLField,
  type GraphQLNamedType,
  getNamedType,
  isCompositeType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql'
import { createFeed } from '../../src/accounts/calendar-feeds'
import { endpoints } from '../../src/app'
import { declarations } from '../../src/graphql/declarations'
import { toGlobalId } from '../../src/graphql/declare/global-id'
import { createCatalogue } from '../../src/graphql/schema/schema'
import type { Instance } from '../support/instance'
import { pagePaths } from '../support/page-samples'
import { numbers } from './leak-rows'
import { ids, type PersonName } from './people'

/** A request as JSON, without who sends it. */
export interface Ask {
  readonly method: string
  readonly target: string
  readonly body?: Readonly<Record<string, unknown>>
}

const { own } = numbers
const works = [1, 2, 3]
const all = (some: readonly number[]) => some.join(',')

/** What finds `owner`, their rows and their texts, in every way that a list has. */
const filters: Readonly<Record<string, readonly string[]>> = {
  filter_username: ['owner'],
  filter_user_id: [String(ids.owner)],
  filter_usernames: ['owner'],
  filter_ids: [
    ...[all([...numbers.records, ...numbers.reviews]), all([...numbers.lists, 6001, 6002, 6003, 6004])],
    ...[all([7001, 7002, 7003, 7004, 7005]), all([1, 2, 3, ids.owner])],
  ],
  filter_query: ['owner', 'LEAK'],
  filter_name: ['LEAK'],
  filter_title: ['LEAK'],
  filter_work_id: works.map(String),
  filter_work_ids: [all(works)],
  filter_episode_id: ['1', '2', '3'],
  filter_record_id: numbers.records.map(String),
  filter_review_id: numbers.reviews.map(String),
  filter_actions: ['create_record', 'create_multiple_records', 'create_review', 'create_status'],
  filter_status: ['watched', 'watching'],
  filter_has_record_comment: ['true', 'false'],
  filter_has_review_body: ['true', 'false'],
  filter_muted: ['true', 'false'],
  filter_unread: ['true', 'false'],
  filter_channel_ids: ['1'],
  filter_unwatched: ['true'],
}

const byId: Readonly<Record<string, readonly number[]>> = {
  records: numbers.records,
  reviews: numbers.reviews,
  viewings: numbers.reviews,
  comments: numbers.comments,
  lists: numbers.lists,
  meetings: numbers.meetings,
  works,
  users: [ids.owner],
}

/** The path with the numbers of rows that it may name. */
function filled(path: string): readonly string[] {
  const named = path
    .replace(':username', 'owner')
    .replace(':status', 'all')
    .replace(/:year|:period/, '2025')
    .replace(':month', '12')
    .replace(':season', '2021-spring')
    .replace(':number', '1')
    .replace(':slug', 'x')
    .replace(':when', '2026-04')
    .replace(/:work(?:_id)?\b/, '1')
    .replace(':row', '1')
  const [, kind = ''] = /([a-z_]+)\/:id/.exec(named) ?? []
  if (!named.includes(':id')) return [named]
  return (byId[kind] ?? [own]).map((id) => named.replace(':id', String(id)))
}

/** Every GET of the API, with each filter and sort. */
const lists = endpoints
  .filter(({ method }) => method === 'GET')
  .flatMap(({ path, operation }) => {
    const known = Object.keys(operation.params)
    const queries = known.flatMap((name) =>
      name.startsWith('sort_')
        ? [`${name}=asc`, `${name}=desc`]
        : (filters[name] ?? []).map((value) => `${name}=${value}`),
    )
    const size = known.includes('per_page') ? '&per_page=50' : ''
    return filled(path).flatMap((target) => ['', ...queries].map((query) => `${target}?${query}${size}`))
  })

/** Every write of the API that names a row or a person by something private: refused as if that did not exist. */
const writes = endpoints
  .filter(({ method, path }) => method !== 'GET' && /:id/.test(path))
  .flatMap(({ method, path }) =>
    [...new Set(filled(path).map((target) => target.replace(/\b6\d\d\d\b/, '7001')))].map((target) => ({
      method,
      target,
      body: { name: 'x', visibility: 'private', work_id: 1, body: 'x', comment: 'x' },
    })),
  )
const answers = [7001, 7002, 7003].flatMap((record_id) => [
  ...['POST', 'DELETE'].map((method) => ({ method, target: '/v1/me/likes', body: { record_id } })),
  { method: 'POST', target: '/v1/me/comments', body: { record_id, body: 'x' } },
  { method: 'POST', target: '/v1/me/reports', body: { record_id, reason: 'spam' } },
])
const onReviews = [7101, 7102].flatMap((review_id) => [
  ...['POST', 'DELETE'].map((method) => ({ method, target: '/v1/me/likes', body: { review_id } })),
  { method: 'POST', target: '/v1/me/comments', body: { review_id, body: 'x' } },
  { method: 'POST', target: '/v1/me/reports', body: { review_id, reason: 'spam' } },
])
const onComment = {
  method: 'POST',
  target: '/v1/me/reports',
  body: { comment_id: 7001, reason: 'spam' },
}

/** What is refused to whoever does not own the rows that it names. */
export const refused: readonly Ask[] = [...writes, ...answers, ...onReviews, onComment]

export const apiReads: readonly Ask[] = [...new Set(lists)].map((target) => ({ method: 'GET', target }))

const { schema } = createCatalogue(declarations)
const deepest = 3

/** Every field of GraphQL, as deep as people and what they wrote are apart. */
export const documents: readonly Ask[] = [
  `{ viewer ${selection(schema.getType('User'), 1)} }`,
  `{ user(username: "owner") ${selection(schema.getType('User'), 1)} }`,
  `{ searchWorks(annictIds: [1, 2, 3]) ${selection(schema.getType('WorkConnection'), 0)} }`,
  `{ searchEpisodes(annictIds: [1, 2, 3]) ${selection(schema.getType('EpisodeConnection'), 1)} }`,
  ...['Record', 'Review', 'Status', 'MultipleRecord', 'Activity', 'User', 'LibraryEntry'].map(
    (type) =>
      `{ nodes(ids: ${JSON.stringify(globalIds(type))}) { id ... on ${type} ${selection(schema.getType(type), 2)} } }`,
  ),
].map((query) => ({ method: 'POST', target: '/graphql', body: { query } }))

function globalIds(type: string): string[] {
  const some = [...numbers.records, ...numbers.reviews, 6003, 6004, 7005, ids.owner]
  return some.map((id) => toGlobalId(type, id))
}

function selection(type: GraphQLNamedType | undefined, depth: number): string {
  if (isUnionType(type))
    return `{ ${type
      .getTypes()
      .map((one) => `... on ${one.name} ${selection(one, depth)}`)
      .join(' ')} }`
  if (!isObjectType(type)) return '{ __typename }'
  const fields = Object.values(type.getFields()).flatMap((field) => fieldText(type.name, field, depth))
  return `{ ${fields.join(' ')} }`
}

/** A field may have another shape in another type of a union: its alias says of which type it is. */
function fieldText(
  of: string,
  { name, type, args }: GraphQLField<unknown, unknown>,
  depth: number,
): string[] {
  const named = getNamedType(type)
  if (args.some((arg) => isNonNullType(arg.type))) return []
  if (!isCompositeType(named)) return [`${of}_${name}: ${name}`]
  const isList = named.name.endsWith('Connection')
  const next = depth + (isList ? 0 : 1)
  if (next > deepest) return []
  const inside =
    isList && isObjectType(named)
      ? `{ edges ${selection(getNamedType(named.getFields().edges?.type), next + 1)} nodes ${selection(getNamedType(named.getFields().nodes?.type), next + 1)} }`
      : selection(named, next)
  return [`${of}_${name}: ${name} ${inside}`]
}

const withQuery: Readonly<Record<string, readonly string[]>> = {
  '/search': ['q=owner', 'q=LEAK'],
  '/people': ['q=owner'],
  '/record/new': ['episode=1', 'episode=3'],
  '/report': ['username=owner', 'record_id=7001', 'review_id=7101', 'comment_id=7001'],
  '/past': ['work=1'],
  '/settings/history': ['kind=record'],
  '/admin/users': ['q=owner', 'state=waiting'],
  '/admin/reports': ['state=closed'],
  ...Object.fromEntries(
    [
      ...['/works/:id', '/works/:id/episodes/:number', '/records/:id', '/reviews/:id', '/meetings/:id'],
      ...['/@:username', '/activity', '/activity/everyone'],
    ].map((path) => [path, ['spoilers=show', 'spoilers=show&texts=whole']]),
  ),
}

/** Pages that end a session or make something. */
const changing = ['/signed_out', '/language']

/** Every page, and what of people is no page. */
export const pages: readonly Ask[] = [
  ...new Set([
    ...pagePaths
      .filter((path) => !changing.includes(path))
      .flatMap((path) =>
        filled(path).flatMap((target) => [
          target,
          ...(withQuery[path] ?? []).map((query) => `${target}?${query}`),
        ]),
      ),
    ...['/@owner.atom', '/@owner/now.svg', '/@owner/2025/share.svg', '/@owner/2026', '/@owner/diary/2026/4'],
    ...['/manifest.webmanifest', '/sw.js', '/robots.txt', '/settings/import/7001/rest.csv', '/outbox'],
    ...[`/images/covers/${'a'.repeat(32)}-640.webp`, '/covers/1.svg', '/assets/speculation-1.json'],
  ]),
].map((target) => ({ method: 'GET', target }))

/** The feed of whom somebody follows, and their calendar, by its secret. */
export async function feedOf({ deps, ask }: Instance, name: PersonName): Promise<readonly Ask[]> {
  const words = { language: 'en', titleLanguage: 'native', timeZone: 'Asia/Tokyo' } as const
  const feed = { userId: ids[name], name: 'x', wanted: true, alarm: null, withRule: true, ...words }
  const { secret } = await createFeed(deps, feed)
  // Pages say when it was last read.
  await ask(`/feeds/${secret}.ics`)
  const targets = [`/feeds/${secret}.ics`, `/feeds/${secret}.atom`, `/feeds/${secret}/following.atom`]
  return targets.map((target) => ({ method: 'GET', target }))
}
