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

/**
 * kiroku keeps 16 MB of answers until something is written. The scenarios of many pages ask for more than that in turn,
 * so that no answer is a kept one; the report tells how much they ask for.
 */
export const scenarios: readonly Scenario[] = [
  {
    name: 'works, first page, kept',
    requests: () => [{ target: '/v1/works?per_page=25' }],
    raw: true,
    times: 4,
  },
  {
    name: 'episodes with works, first page, kept',
    requests: () => [{ target: '/v1/episodes?per_page=25' }],
  },
  {
    name: 'works, any page',
    requests: (contents, random) => different(2500, () => ({ target: anyPage(contents, random) })),
    raw: true,
  },
  {
    name: 'works, any page, some fields',
    requests: (contents, random) =>
      different(9000, () => ({
        target: `${anyPage(contents, random)}&fields=id,title,season_name,images.recommended_url`,
      })),
  },
  {
    name: 'works, filter_title',
    requests: ({ titles }, random) =>
      different(4000, () => ({
        target: `/v1/works?per_page=25&filter_title=${encodeURIComponent(piece(titles, random))}`,
      })),
    milliseconds: 1,
  },
]

/** The requests of a scenario, the same in every run. */
export const requestsOf = (scenario: Scenario, contents: Contents): readonly Asked[] =>
  scenario.requests(contents, seeded(1))

/** That many requests with different targets, or as many as there are. */
function different(count: number, make: () => Asked): Asked[] {
  const byTarget = new Map<string, Asked>()
  for (let tries = 0; byTarget.size < count && tries < count * 10; tries++) {
    const asked = make()
    byTarget.set(asked.target, asked)
  }
  return [...byTarget.values()]
}

/** About 25 works from anywhere in the list. */
function anyPage({ works }: Contents, random: Random): string {
  const perPage = 20 + random(11)
  return `/v1/works?per_page=${perPage}&page=${1 + random(Math.ceil(works / perPage))}`
}

/** One to six characters out of a title, as people type them. */
function piece(titles: readonly string[], random: Random): string {
  const letters = [...(titles[random(titles.length)] ?? '')].filter((letter) => /[\p{L}\p{N}]/u.test(letter))
  const start = random(letters.length)
  return letters.slice(start, start + 1 + random(6)).join('') || 'a'
}
