import type { Endpoint } from '../src/api/endpoint'
import { endpoints } from '../src/app'
import type { ListInstance, Params } from './list-site'

/** The same request to both instances: same order and page, and filters of similar selectivity. */
export interface ListCase {
  readonly list: Endpoint
  readonly order: string
  /** Names of the filters, each with the weight of its value. */
  readonly filter: string
  readonly page: (typeof pages)[number]
  readonly small: Params
  readonly large: Params
  readonly rows: number
  readonly combined: boolean
}

const pages = ['first', 'middle', 'last'] as const
const fullPage = 25

/** Without lists inside another row, such as the rows of an import: they are as long as a file. */
const lists = endpoints.filter(
  ({ method, path, operation: { params } }) =>
    method === 'GET' && 'per_page' in params && !path.includes(':'),
)

/** Every list × order × filter × page; pairs of filters only with their most frequent values. */
export async function* casesOf(small: ListInstance, large: ListInstance, words: readonly string[]) {
  for (const list of lists) {
    if (words.length > 0 && !words.some((word) => list.path.includes(word))) continue
    const sites = { small, large }
    for (const narrowing of await narrowings(list, sites)) yield* casesUnder(list, narrowing, sites)
  }
}

type InstancePair = Readonly<Record<'small' | 'large', ListInstance>>
interface Narrowing {
  readonly name: string
  readonly small: Params
  readonly large: Params
  readonly combined: boolean
}

async function* casesUnder(list: Endpoint, narrowing: Narrowing, { small, large }: InstancePair) {
  const totals = {
    small: await small.total(list, narrowing.small),
    large: await large.total(list, narrowing.large),
  }
  // The same number of rows on both pages, so that the cost of finding them is compared.
  const perPage = Math.max(1, Math.min(fullPage, totals.small, totals.large))
  for (const order of ordersOf(list)) {
    for (const page of pages) {
      const at = { small: pageAt(page, totals.small, perPage), large: pageAt(page, totals.large, perPage) }
      if (page !== 'first' && at.large === 1) continue
      const found: ListCase = {
        list,
        order: Object.entries(order).join(' ').replace(',', ' '),
        filter: narrowing.name,
        page,
        small: { ...narrowing.small, ...order, page: String(at.small), per_page: String(perPage) },
        large: { ...narrowing.large, ...order, page: String(at.large), per_page: String(perPage) },
        rows: totals.large,
        combined: narrowing.combined,
      }
      yield found
    }
  }
}

/** The last page is the last full one. */
const pageAt = (page: (typeof pages)[number], total: number, perPage: number) => {
  const last = Math.max(1, Math.floor(total / perPage))
  return { first: 1, middle: Math.ceil(last / 2), last }[page]
}

const ordersOf = ({ operation: { params } }: Endpoint): Params[] => [
  {},
  ...namesOf(params, 'sort_').flatMap((name) => [{ [name]: 'asc' }, { [name]: 'desc' }]),
]

const namesOf = (params: object, prefix: string) =>
  Object.keys(params).filter((name) => name.startsWith(prefix))

async function narrowings(list: Endpoint, { small, large }: InstancePair): Promise<Narrowing[]> {
  const nothing = { name: '', small: {}, large: {}, combined: false }
  const single: Narrowing[] = []
  const heaviest: Narrowing[] = []
  for (const name of namesOf(list.operation.params, 'filter_')) {
    const values = {
      small: await valuesByWeight(small, list, name),
      large: await valuesByWeight(large, list, name),
    }
    for (const weight of weights) {
      const [one, other] = [values.small[weight], values.large[weight]]
      if (one === undefined || other === undefined) continue
      const narrowing = { name: `${name} ${weight}`, small: { [name]: one }, large: { [name]: other } }
      single.push({ ...narrowing, combined: false })
      if (weight === 'most') heaviest.push({ ...narrowing, combined: true })
    }
  }
  const pairs = heaviest.flatMap((one, at) => heaviest.slice(at + 1).map((other) => combine(one, other)))
  return [nothing, ...single, ...pairs]
}

const combine = (one: Narrowing, other: Narrowing): Narrowing => ({
  name: `${one.name} ${other.name}`.replaceAll(' most', ''),
  small: { ...one.small, ...other.small },
  large: { ...one.large, ...other.large },
  combined: true,
})

const weights = ['fewest', 'middling', 'most'] as const

/** The values that match the fewest rows (but some), the most, and a number in between, without duplicates. */
async function valuesByWeight(site: ListInstance, list: Endpoint, name: string) {
  const found: { value: string; total: number }[] = []
  for (const value of await site.candidates(list, name)) {
    const total = await site.total(list, { [name]: value })
    if (total > 0) found.push({ value, total })
  }
  const ordered = found.toSorted((one, other) => one.total - other.total).map(({ value }) => value)
  const [most, fewest] = [ordered.at(-1), ordered[0]]
  const middling = ordered[ordered.length >> 1]
  return {
    most,
    ...(fewest !== most && { fewest }),
    ...(middling !== most && middling !== fewest && { middling }),
  } as Partial<Record<(typeof weights)[number], string>>
}
