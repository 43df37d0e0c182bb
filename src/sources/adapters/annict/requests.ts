import type { Known } from '../../known'
import { type Asking, type RunScope, ShapeError, type SourceRequest, type SourceState } from '../../source'
import { type AnnictAnswer, nextIn } from './answers'

/** Works of the seasons in scope, most watched first; then works that users here are still watching. */
export function* requestsFor(scope: RunScope, known: Known): Asking<AnnictAnswer, SourceState> {
  const seen = new Set<number>()
  const { seasons, isFull, limit = Number.POSITIVE_INFINITY } = scope
  yield* askWorks({ seasons, withPrograms: true }, seen, limit)
  const open = numbersIn(known.openWorkIds('annict')).filter((id) => !seen.has(id))
  for (const annictIds of piecesOf(open.slice(0, Math.max(0, limit - seen.size))))
    yield* askWorks({ annictIds, withPrograms: true }, seen, limit)
  if (isFull) {
    // A year without a season would select all works of the year.
    const older = [...known.watchedSeasons()].filter(
      (season) => !season.endsWith('-all') && !seasons.includes(season),
    )
    yield* askWorks({ seasons: older.toSorted(), withPrograms: false }, seen, limit)
  }
  for (const ids of piecesOf([...seen])) yield datesRequest(ids)
  return {}
}

interface WantedWorks {
  readonly seasons?: readonly string[]
  readonly annictIds?: readonly number[]
  /** Old broadcasts are not needed. */
  readonly withPrograms: boolean
}

function* askWorks(asked: WantedWorks, seen: Set<number>, limit: number): Asking<AnnictAnswer, void> {
  // An empty list would select every work.
  if ((asked.seasons ?? asked.annictIds ?? []).length === 0) return
  let after: string | null = null
  for (let page = 1; seen.size < limit; page++) {
    refuseEndless('searchWorks', page)
    const first = Math.min(pageSize, limit - seen.size)
    const answer: AnnictAnswer = yield graphql('works', worksQuery, { ...asked, first, after })
    if (answer.as !== 'works') return
    for (const { annictId, episodes } of answer.works) {
      if (!seen.has(annictId)) yield* askEpisodes(annictId, nextIn(episodes.pageInfo))
      seen.add(annictId)
    }
    if (answer.next === undefined) return
    after = answer.next
  }
}

const episodes = (more: string) => `
  episodes(first: 500, ${more}orderBy: {field: SORT_NUMBER, direction: ASC}) {
    pageInfo { hasNextPage endCursor }
    nodes { annictId number numberText sortNumber title }
  }`

const named = 'annictId name nameKana nameEn'

/** Annict's public schema. Requests the latest broadcasts of each work. */
export const worksQuery = inOneLine(`
query($seasons: [String!], $annictIds: [Int!], $first: Int!, $after: String, $withPrograms: Boolean!) {
  searchWorks(seasons: $seasons, annictIds: $annictIds, first: $first, after: $after,
    orderBy: {field: WATCHERS_COUNT, direction: DESC}) {
    pageInfo { hasNextPage endCursor }
    nodes {
      annictId title titleKana titleEn titleRo media seasonYear seasonName malAnimeId syobocalTid
      officialSiteUrl wikipediaUrl twitterUsername twitterHashtag noEpisodes
      ${episodes('')}
      casts(first: 200, orderBy: {field: SORT_NUMBER, direction: ASC}) {
        nodes { annictId sortNumber name nameEn character { ${named} } person { ${named} } }
      }
      staffs(first: 200, orderBy: {field: SORT_NUMBER, direction: ASC}) {
        nodes {
          annictId sortNumber name nameEn roleText roleOther
          resource { __typename ... on Person { ${named} } ... on Organization { ${named} } }
        }
      }
      seriesList(first: 10) { nodes { annictId name nameRo nameEn } }
      programs(first: 500, orderBy: {field: STARTED_AT, direction: DESC}) @include(if: $withPrograms) {
        nodes {
          annictId startedAt rebroadcast
          channel { annictId name scChid channelGroup { annictId name sortNumber } }
          episode { annictId }
        }
      }
    }
  }
}`)

export const episodesQuery = inOneLine(`
query($annictIds: [Int!], $after: String) {
  searchWorks(annictIds: $annictIds, first: 1) { nodes { annictId ${episodes('after: $after, ')} } }
}`)

function inOneLine(query: string): string {
  return query.trim().replace(/\s+/g, ' ')
}

function* askEpisodes(work: number, first: string | undefined): Asking<AnnictAnswer, void> {
  let after = first
  for (let page = 1; after !== undefined; page++) {
    refuseEndless('episodes', page)
    const answer: AnnictAnswer = yield graphql('episodes', episodesQuery, { annictIds: [work], after })
    if (answer.as !== 'episodes') return
    after = answer.more.find((more) => more.work === work)?.next
  }
}

function refuseEndless(what: string, page: number): void {
  if (page > mostPages) throw new ShapeError(what, `must end within ${mostPages} pages`)
}

const graphql = (as: string, query: string, variables: object): SourceRequest => ({
  url: 'https://api.annict.com/graphql',
  as,
  accept: ['application/json'],
  json: { query, variables },
  hasToken: true,
})

/** Annict's GraphQL does not have release dates. */
const datesRequest = (ids: readonly number[]): SourceRequest => ({
  url: `https://api.annict.com/v1/works?filter_ids=${ids.join()}&fields=id,released_on,released_on_about&per_page=${pageSize}`,
  as: 'dates',
  accept: ['application/json'],
  hasToken: true,
})

const numbersIn = (ids: Iterable<string>) =>
  [...ids]
    .map(Number)
    .filter((id) => id > 0 && id < 2 ** 31)
    .toSorted((one, other) => one - other)

const piecesOf = (ids: readonly number[]) =>
  Array.from({ length: Math.ceil(ids.length / pageSize) }, (_, piece) =>
    ids.slice(piece * pageSize, (piece + 1) * pageSize),
  )

const pageSize = 50

/** All of Annict's works fit on fewer than 400 pages. */
const mostPages = 500
