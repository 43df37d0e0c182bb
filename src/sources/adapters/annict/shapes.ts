import Type, { type Static } from 'typebox'

const id = Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 })
const order = Type.Integer({ minimum: -1_000_000_000, maximum: 1_000_000_000 })
const name = Type.String({ maxLength: 1000, pattern: '\\S' })
const text = Type.Union([Type.Null(), Type.String({ maxLength: 2000 })])
const nodes = <S extends Type.TSchema>(node: S) => Type.Object({ nodes: Type.Array(node) })

const pageInfo = Type.Object({
  hasNextPage: Type.Boolean(),
  endCursor: Type.Union([Type.Null(), Type.String()]),
})

const episode = Type.Object({
  annictId: id,
  number: Type.Union([Type.Null(), Type.Integer()]),
  numberText: text,
  sortNumber: order,
  title: text,
})

const named = Type.Object({
  annictId: id,
  name,
  nameKana: Type.Optional(text),
  nameEn: Type.Optional(text),
})

const credit = { annictId: id, sortNumber: order, name: text, nameEn: Type.Optional(text) }

const cast = Type.Object({ ...credit, character: named, person: named })

const staff = Type.Object({
  ...credit,
  roleText: text,
  roleOther: text,
  resource: Type.Intersect([
    Type.Object({ __typename: Type.Union([Type.Literal('Person'), Type.Literal('Organization')]) }),
    named,
  ]),
})

const series = Type.Object({ annictId: id, name, nameRo: text, nameEn: text })

const channel = Type.Object({
  annictId: id,
  name,
  scChid: Type.Union([Type.Null(), Type.Integer()]),
  channelGroup: Type.Object({ annictId: id, name, sortNumber: order }),
})

const program = Type.Object({
  annictId: id,
  startedAt: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?Z$' }),
  rebroadcast: Type.Boolean(),
  channel,
  episode: Type.Object({ annictId: id }),
})

const episodes = Type.Object({ pageInfo, nodes: Type.Array(episode) })

const work = Type.Object({
  annictId: id,
  title: name,
  titleKana: text,
  titleEn: text,
  titleRo: text,
  media: Type.Enum(['TV', 'OVA', 'MOVIE', 'WEB', 'OTHER']),
  seasonYear: Type.Union([Type.Null(), Type.Integer({ minimum: 1000, maximum: 9999 })]),
  seasonName: Type.Union([Type.Null(), Type.Enum(['WINTER', 'SPRING', 'SUMMER', 'AUTUMN'])]),
  malAnimeId: text,
  syobocalTid: Type.Union([Type.Null(), Type.Integer()]),
  officialSiteUrl: text,
  wikipediaUrl: text,
  twitterUsername: text,
  twitterHashtag: text,
  noEpisodes: Type.Boolean(),
  episodes,
  casts: nodes(cast),
  staffs: nodes(staff),
  seriesList: nodes(series),
  programs: Type.Optional(nodes(program)),
})

const found = <S extends Type.TSchema>(node: S) =>
  Type.Object({ searchWorks: Type.Object({ pageInfo, ...nodes(node).properties }) })

export const worksShape = Type.Object({ data: found(work) })

export const episodesShape = Type.Object({
  data: Type.Object({ searchWorks: nodes(Type.Object({ annictId: id, episodes })) }),
})

export const datesShape = Type.Object({
  works: Type.Array(
    Type.Object({ id, released_on: Type.Optional(text), released_on_about: Type.Optional(text) }),
  ),
})

export const errorsShape = Type.Object({
  errors: Type.Array(Type.Object({ message: Type.String() }), { minItems: 1 }),
})

export type AnnictWork = Static<typeof work>
export type AnnictEpisode = Static<typeof episode>
export type AnnictName = Static<typeof named>
export type Cast = Static<typeof cast>
export type Staff = Static<typeof staff>
export type AnnictProgram = Static<typeof program>
export type PageInfo = Static<typeof pageInfo>
