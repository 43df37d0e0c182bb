import { type Random, seeded } from './random'

/** A request. */
export interface Asked {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly target: string
  /** Sent as JSON. */
  readonly body?: Readonly<Record<string, unknown>>
}

/** What is in the instance under load. */
export interface Contents {
  readonly works: number
  /** Titles of works, in no order. */
  readonly titles: readonly string[]
}

/** A kind of load: one more of these is one more line in the report. */
export interface Scenario {
  readonly name: string
  /** Requests that are sent in turn, over and over. */
  requests(contents: Contents, random: Random): readonly Asked[]
  /** Also compared with the same query on bare SQLite. */
  readonly raw?: true
  /** At most so many times what a bare server takes for the same bytes. */
  readonly times?: number
  /** At most so many milliseconds of CPU. */
  readonly milliseconds?: number
}

export const scenarios: readonly Scenario[] = [
  {
    name: 'works, first page',
    requests: () => [{ target: '/v1/works?per_page=25' }],
    raw: true,
    times: 4,
  },
  {
    name: 'works, any page',
    requests: ({ works }, random) =>
      many(500, () => ({ target: `/v1/works?per_page=25&page=${1 + random(Math.ceil(works / 25))}` })),
    raw: true,
  },
  {
    name: 'works, any page, some fields',
    requests: ({ works }, random) =>
      many(500, () => ({
        target: `/v1/works?fields=id,title,season_name,images.recommended_url&page=${1 + random(Math.ceil(works / 25))}`,
      })),
  },
  {
    name: 'works, filter_title',
    requests: ({ titles }, random) =>
      many(500, () => ({ target: `/v1/works?filter_title=${encodeURIComponent(piece(titles, random))}` })),
  },
  {
    name: 'search alone: filter_title, one id',
    requests: ({ titles }, random) =>
      many(500, () => ({
        target: `/v1/works?per_page=1&fields=id&filter_title=${encodeURIComponent(piece(titles, random))}`,
      })),
    milliseconds: 1,
  },
  {
    name: 'episodes with their works',
    requests: () => [{ target: '/v1/episodes?per_page=25' }],
  },
]

/** The requests of a scenario, the same in every run. */
export const requestsOf = (scenario: Scenario, contents: Contents): readonly Asked[] =>
  scenario.requests(contents, seeded(1))

const many = (count: number, make: () => Asked): Asked[] => Array.from({ length: count }, make)

/** One to six characters out of a title, as people type them. */
function piece(titles: readonly string[], random: Random): string {
  const letters = [...(titles[random(titles.length)] ?? '')].filter((letter) => /[\p{L}\p{N}]/u.test(letter))
  const start = random(letters.length)
  return letters.slice(start, start + 1 + random(6)).join('') || 'a'
}
