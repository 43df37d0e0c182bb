import { afterAll, expect, test } from 'bun:test'
import { isEnumType, isObjectType, isUnionType } from 'graphql'
import { declarations } from '../../src/graphql/declarations'
import { createCatalogue } from '../../src/graphql/schema/schema'
import { type Body, createInstance, itemsOf } from '../support/instance'
import { seedLibrary } from '../support/seed-library'
import { asking, idOf, snakeCase } from './support'

const kiroku = await createInstance({ seed: seedLibrary })
afterAll(kiroku.close)
const { data } = asking(kiroku)
const { schema } = createCatalogue(declarations)

/** The REST list with the same objects. */
const lists = {
  Activity: 'activities',
  Cast: 'casts',
  Character: 'characters',
  Episode: 'episodes',
  Organization: 'organizations',
  Person: 'people',
  Program: 'me/programs?sort_id=asc',
  Record: 'records',
  Review: 'reviews',
  Series: 'series',
  Staff: 'staffs',
  User: 'users',
  Work: 'works',
} as const

type TypeName = keyof typeof lists

const seconds = (time: string | null) => time && `${time.slice(0, 19)}Z`
const link = (object: Body) => object && { annictId: object.id }
const url = (text: string) => text || null

/** What REST names or formats differently. */
const differing: Readonly<Record<string, (item: Body) => unknown>> = {
  'Work.image': ({ id, images: { facebook, twitter, recommended_url } }) => ({
    annictId: id,
    facebookOgImageUrl: url(facebook.og_image_url),
    recommendedImageUrl: recommended_url,
    twitterAvatarUrl: url(twitter.original_avatar_url),
    twitterBiggerAvatarUrl: url(twitter.bigger_avatar_url),
    twitterMiniAvatarUrl: url(twitter.mini_avatar_url),
    twitterNormalAvatarUrl: url(twitter.normal_avatar_url),
  }),
  'Work.coverUrl': ({ images }) => images.cover_url,
  'Work.seasonName': ({ season_name }) => /-(?!all)(.+)/.exec(season_name)?.[1]?.toUpperCase() ?? null,
  'Work.seasonYear': ({ season_name }) => (season_name === '' ? null : Number(season_name.slice(0, 4))),
  'Work.syobocalTid': ({ syobocal_tid }) => (syobocal_tid === '' ? null : Number(syobocal_tid)),
  'Episode.number': ({ number }) => (/^[0-9.]+$/.test(number ?? '') ? Math.trunc(Number(number)) : null),
  'Record.comment': ({ comment }) => comment,
  'Record.modified': ({ is_modified }) => is_modified,
  'Review.title': ({ title }) => title,
  'Program.rebroadcast': ({ is_rebroadcast }) => is_rebroadcast,
  'Person.height': ({ height }) => (height === null ? null : String(height)),
  'Staff.resource': ({ person, organization }) => ({ annictId: (person ?? organization).id }),
}

/** What REST lacks; covered by these tests. */
const elsewhere = new Set(
  `User.email User.notificationsCount User.viewerCanFollow User.viewerIsFollowing
  Work.officialSiteUrlEn Work.wikipediaUrlEn Work.satisfactionRate Work.titleRo Work.viewerStatusState
  Episode.satisfactionRate Episode.viewerDidTrack Episode.viewerRecordsCount
  Record.facebookClickCount Record.twitterClickCount Record.updatedAt Review.updatedAt
  Program.scPid Program.state`.split(/\s+/),
)

const imageFields = `{ annictId facebookOgImageUrl recommendedImageUrl twitterAvatarUrl twitterBiggerAvatarUrl
  twitterMiniAvatarUrl twitterNormalAvatarUrl }`

function fieldsOf(name: TypeName) {
  const type = schema.getType(name)
  if (!isObjectType(type)) throw new Error(name)
  return Object.values(type.getFields()).filter(
    (field) => !String(field.type).endsWith('Connection') && !elsewhere.has(`${name}.${field.name}`),
  )
}

function selectionOf(field: ReturnType<typeof fieldsOf>[number]): string {
  const type = schema.getType(String(field.type).replace('!', ''))
  if (String(field.type) === 'WorkImage') return `${field.name} ${imageFields}`
  if (isUnionType(type))
    return `${field.name} { ... on Person { annictId } ... on Organization { annictId } }`
  return isObjectType(type) ? `${field.name} { annictId }` : field.name
}

function expected(name: TypeName, field: ReturnType<typeof fieldsOf>[number], item: Body): unknown {
  const [own, type] = [`${name}.${field.name}`, String(field.type)]
  if (field.name === 'id') return idOf(name, item.id)
  if (field.name === 'annictId') return item.id
  if (own in differing) return differing[own]?.(item)
  const value = item[snakeCase(field.name)]
  expect([own, value]).not.toEqual([own, undefined])
  const named = schema.getType(type.replace('!', ''))
  if (isObjectType(named)) return link(value)
  if (isEnumType(named)) return value?.toUpperCase() ?? null
  if (type.startsWith('DateTime')) return seconds(value)
  return type === 'String' && value === '' ? null : value
}

test.each(Object.keys(lists) as TypeName[])('%s: every field equals that of REST', async (name) => {
  const rest = itemsOf(await kiroku.json(`/v1/${lists[name]}`)).filter((item) => item.episode !== null)
  expect(rest.length).toBeGreaterThan(0)
  const fields = fieldsOf(name)
  const { nodes } = await data(
    `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on ${name} { ${fields.map(selectionOf).join(' ')} } } }`,
    { ids: rest.map(({ id }) => idOf(name, id)) },
  )
  expect(nodes).toEqual(
    rest.map((item) => Object.fromEntries(fields.map((field) => [field.name, expected(name, field, item)]))),
  )
})

test('what REST lacks', async () => {
  const query = `{
    viewer { email notificationsCount viewerCanFollow viewerIsFollowing }
    other: user(username: "ritsu_t") { email notificationsCount viewerCanFollow viewerIsFollowing }
    stranger: user(username: "yui") { viewerCanFollow }
    searchWorks(annictIds: [1, 2, 3]) { nodes {
      officialSiteUrlEn wikipediaUrlEn titleRo satisfactionRate viewerStatusState image { copyright internalUrl(size: "x") } } }
    searchEpisodes(annictIds: [1, 2]) { nodes { satisfactionRate viewerDidTrack viewerRecordsCount } }
    nodes(ids: ["${idOf('Record', 1)}", "${idOf('Review', 1)}", "${idOf('Review', 2)}", "${idOf('Program', 1)}"]) {
      ... on Record { facebookClickCount twitterClickCount updatedAt }
      ... on Review { updatedAt }
      ... on Program { scPid state channel { scChid published channelGroup { id name sortNumber channels { nodes { name } } } } }
    }
  }`
  const work = {
    ...{ officialSiteUrlEn: null, wikipediaUrlEn: null, titleRo: null },
    image: { copyright: null, internalUrl: null },
  }
  expect(await data(query)).toEqual({
    viewer: {
      email: 'mio@example.com',
      notificationsCount: 2,
      viewerCanFollow: false,
      viewerIsFollowing: false,
    },
    other: { email: null, notificationsCount: null, viewerCanFollow: false, viewerIsFollowing: true },
    stranger: { viewerCanFollow: true },
    searchWorks: {
      nodes: [
        { ...work, satisfactionRate: 100, viewerStatusState: 'WATCHING' },
        { ...work, satisfactionRate: null, viewerStatusState: 'WANNA_WATCH' },
        { ...work, satisfactionRate: null, viewerStatusState: 'ON_HOLD' },
      ],
    },
    searchEpisodes: {
      nodes: [
        { satisfactionRate: 50, viewerDidTrack: true, viewerRecordsCount: 1 },
        { satisfactionRate: null, viewerDidTrack: false, viewerRecordsCount: 0 },
      ],
    },
    nodes: [
      { facebookClickCount: 0, twitterClickCount: 0, updatedAt: '2026-03-28T09:00:00Z' },
      { updatedAt: '2026-03-30T20:00:00Z' },
      { updatedAt: '2026-03-30T10:00:00Z' },
      {
        ...{ scPid: null, state: 'PUBLISHED' },
        channel: {
          ...{ scChid: 0, published: true },
          channelGroup: {
            ...{ id: idOf('ChannelGroup', 0), name: '', sortNumber: 0 },
            channels: { nodes: [{ name: '東京局' }, { name: '大阪局' }] },
          },
        },
      },
    ],
  })
})
