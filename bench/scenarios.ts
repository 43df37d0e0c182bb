import { type Random, seeded } from './random'

export interface BenchRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly target: string
  readonly body?: Readonly<Record<string, unknown>>
}

export interface Contents {
  readonly works: number
  readonly titles: readonly string[]
}

export interface Scenario {
  readonly name: string
  requests(contents: Contents, random: Random): readonly BenchRequest[]
  /** Also measured with the same query on bare SQLite. */
  readonly raw?: true
  /** The limit as a multiple of a bare server's CPU time. */
  readonly times?: number
  /** The limit in milliseconds of CPU time. */
  readonly milliseconds?: number
}

/** Scenarios with many pages exceed kiroku's answer cache of 12 MB, so that each answer is a miss. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'works, first page, kept',
    requests: () => [{ target: '/v1/works?per_page=25' }],
    raw: true,
    times: 2.2,
  },
  {
    name: 'episodes with works, first page, kept',
    requests: () => [{ target: '/v1/episodes?per_page=25' }],
  },
  {
    name: 'works, any page',
    requests: (contents, random) => distinct(2500, () => ({ target: anyPage(contents, random) })),
    raw: true,
  },
  {
    name: 'works, any page, some fields',
    requests: (contents, random) =>
      distinct(9000, () => ({
        target: `${anyPage(contents, random)}&fields=id,title,season_name,images.recommended_url`,
      })),
  },
  {
    name: 'works, filter_title',
    requests: ({ titles }, random) =>
      distinct(4000, () => ({
        target: `/v1/works?per_page=25&filter_title=${encodeURIComponent(titlePart(titles, random))}`,
      })),
    milliseconds: 1,
  },
]

export const requestsOf = (scenario: Scenario, contents: Contents): readonly BenchRequest[] =>
  scenario.requests(contents, seeded(1))

/** Distinct targets; fewer than `count` if there are not enough. */
function distinct(count: number, make: () => BenchRequest): BenchRequest[] {
  const byTarget = new Map<string, BenchRequest>()
  for (let tries = 0; byTarget.size < count && tries < count * 10; tries++) {
    const request = make()
    byTarget.set(request.target, request)
  }
  return [...byTarget.values()]
}

function anyPage({ works }: Contents, random: Random): string {
  const perPage = 20 + random(11)
  return `/v1/works?per_page=${perPage}&page=${1 + random(Math.ceil(works / perPage))}`
}

/** One to six characters of a title, as users type them. */
function titlePart(titles: readonly string[], random: Random): string {
  const letters = [...(titles[random(titles.length)] ?? '')].filter((letter) => /[\p{L}\p{N}]/u.test(letter))
  const start = random(letters.length)
  return letters.slice(start, start + 1 + random(6)).join('') || 'a'
}
