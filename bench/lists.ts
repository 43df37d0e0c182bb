import { casesOf, type ListCase } from './list-cases'
import { type ListInstance, openInstance, type Params } from './list-site'
import { median } from './median'
import { table } from './table'

/** CPU time of an answer in µs. */
interface ListComparison {
  readonly at: ListCase
  readonly small: number
  readonly large: number
  readonly ratio: number
}

const calls = 4
/** Only what exceeds its limit every time counts: other programs may have disturbed a measurement. */
const attempts = 3
/** The limit for large/small, unless the large instance takes less than `negligible` µs. */
const maxRatio = 3
const negligible = 1000
/**
 * The limit for at most one filter, in µs. What does not grow with users' data, such as the 18,000 works, costs the same
 * in both instances: a page must stay below what a search may take (3 ms for the slowest of a hundred).
 */
const maxSingle = 3000
/** The limit for two filters, in µs: no counter knows their total. */
const maxCombined = 5000

/**
 * Requests the first, middle and last page of every list in each order and under each filter. `words`: only
 * lists whose path contains one of them. Bypasses the answer cache; the rendering cache is warm.
 */
export async function measureLists(
  data: { small: string; large: string },
  words: readonly string[],
  rounds: number,
): Promise<string> {
  await using small = openInstance(data.small)
  await using large = openInstance(data.large)
  const compared: ListComparison[] = []
  for await (const at of casesOf(small, large, words)) {
    let found = await compare(at, small, large, rounds)
    for (let again = 1; again < attempts && verdict(found) !== ''; again++)
      found = await compare(at, small, large, rounds)
    compared.push(found)
  }
  return reportOf(compared)
}

async function compare(
  at: ListCase,
  small: ListInstance,
  large: ListInstance,
  rounds: number,
): Promise<ListComparison> {
  const samples: { small: number; large: number }[] = []
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

async function cost(site: ListInstance, { list }: ListCase, params: Params): Promise<number> {
  const before = process.cpuUsage()
  for (let call = 0; call < calls; call++) await site.ask(list, params)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / calls
}

function reportOf(compared: readonly ListComparison[]): string {
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
  const limits = [
    `more than ${maxRatio} times the small instance's cost and ${milliseconds(negligible)}`,
    `more than ${milliseconds(maxSingle)}`,
    `with two filters more than ${milliseconds(maxCombined)}`,
  ]
  const conclusion = `${compared.length} cases, ${over} over each of ${attempts} times: ${limits.join('; ')}.`
  return `${table([head, ...rows])}\n\n  ${conclusion}`
}

function verdict({ at, large, ratio }: ListComparison): string {
  if (at.combined) return large > maxCombined ? `! over ${milliseconds(maxCombined)}` : ''
  if (ratio > maxRatio && large > negligible) return `! over ${maxRatio}×`
  return large > maxSingle ? `! over ${milliseconds(maxSingle)}` : ''
}

const milliseconds = (microseconds: number) => `${microseconds / 1000} ms`
