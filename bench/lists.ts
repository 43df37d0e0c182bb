import { casesOf, type ListCase } from './list-cases'
import { type ListSite, openSite, type Params } from './list-site'
import { median } from './median'
import { table } from './table'

/** What a list costs in a small and in a large instance: CPU time of an answer in µs. */
interface Compared {
  readonly at: ListCase
  readonly small: number
  readonly large: number
  readonly ratio: number
}

const calls = 4
/** How many times as much as in the small instance a list may cost in the large one, where that is more than some µs. */
const most = 3
const unnoticed = 1000
/** What two filters together may cost at most, in µs: no counter knows how many rows they leave. */
const mostCombined = 5000

/**
 * Asks every list of both instances for its first, middle and last page in each order and under each filter. `words`:
 * only lists whose path holds one of them. Answers are made anew each time, from renderings that are kept.
 */
export async function measureLists(
  data: { small: string; large: string },
  words: readonly string[],
  rounds: number,
): Promise<string> {
  await using small = openSite(data.small)
  await using large = openSite(data.large)
  const compared: Compared[] = []
  for await (const at of casesOf(small, large, words)) compared.push(await compare(at, small, large, rounds))
  return reportOf(compared)
}

async function compare(at: ListCase, small: ListSite, large: ListSite, rounds: number): Promise<Compared> {
  const samples: { small: number; large: number }[] = []
  // The first round only warms up.
  for (let round = 0; round <= rounds; round++) {
    const sample = { small: await cost(small, at, at.small), large: await cost(large, at, at.large) }
    if (round > 0) samples.push(sample)
  }
  const figures = {
    small: median(samples.map(({ small }) => small)),
    large: median(samples.map(({ large }) => large)),
  }
  return { at, ...figures, ratio: figures.large / figures.small }
}

async function cost(site: ListSite, { list }: ListCase, params: Params): Promise<number> {
  const before = process.cpuUsage()
  for (let call = 0; call < calls; call++) await site.ask(list, params)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / calls
}

function reportOf(compared: readonly Compared[]): string {
  const ordered = compared.toSorted((one, other) => other.ratio - one.ratio)
  const head = ['list', 'order', 'filter', 'rows', 'page', 'small µs', 'large µs', '×', '']
  const rows = ordered.map((one) => {
    const { list, order, filter, rows, page } = one.at
    const figures = [one.small.toFixed(0), one.large.toFixed(0), one.ratio.toFixed(2)]
    return [
      list.path.replace('/v1/', ''),
      order || 'default',
      filter,
      String(rows),
      page,
      ...figures,
      verdict(one),
    ]
  })
  const over = ordered.filter((one) => verdict(one) !== '').length
  const conclusion = `${compared.length} cases, ${over} over: more than ${most} times the small instance's cost and ${unnoticed / 1000} ms, two filters more than ${mostCombined / 1000} ms.`
  return `${table([head, ...rows])}\n\n  ${conclusion}`
}

function verdict({ at, large, ratio }: Compared): string {
  if (at.combined) return large > mostCombined ? `! over ${mostCombined / 1000} ms` : ''
  return ratio > most && large > unnoticed ? `! over ${most}×` : ''
}
