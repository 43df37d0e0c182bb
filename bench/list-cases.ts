import type { Endpoint } from '../src/api/endpoint'
import { endpoints } from '../src/app'
import type { ListInstance, Params } from './list-site'

export interface ListCase {
  readonly list: Endpoint
  readonly order: string
  readonly filters: readonly string[]
  /** Names of the filters, each with the weight of its value. */
  readonly filter: string
  readonly page: (typeof pages)[number]
  readonly params: Params
  readonly rows: number
}

const pages = ['first', 'middle', 'last'] as const
const fullPage = 25

/** Without lists inside another row, such as the rows of an import: they are as long as a file. */
const lists = endpoints.filter(
  ({ method, path, operation: { params } }) =>
    method === 'GET' && 'per_page' in params && !path.includes(':'),
)

/** Every list × order × filter × page; pairs of filters only with their most frequent values. */
export async function* casesOf(site: ListInstance, words: readonly string[]) {
  for (const list of lists) {
    if (words.length > 0 && !words.some((word) => list.path.includes(word))) continue
    for (const narrowing of await narrowings(list, site)) yield* casesUnder(list, narrowing, site)
  }
}

interface Narrowing {
  readonly name: string
  readonly params: Params
}

async function* casesUnder(list: Endpoint, { name, params }: Narrowing, site: ListInstance) {
  const rows = await site.total(list, params)
  const perPage = Math.max(1, Math.min(fullPage, rows))
  for (const order of ordersOf(list)) {
    for (const page of pages) {
      const number = pageAt(page, rows, perPage)
      if (page !== 'first' && number === 1) continue
      const found: ListCase = {
        list,
        order: Object.entries(order).join(' ').replace(',', ' '),
        filters: Object.keys(params),
        filter: name,
        page,
        params: { ...params, ...order, page: String(number), per_page: String(perPage) },
        rows,
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

async function narrowings(list: Endpoint, site: ListInstance): Promise<Narrowing[]> {
  const single: Narrowing[] = []
  const heaviest: Narrowing[] = []
  for (const name of namesOf(list.operation.params, 'filter_')) {
    for (const [weight, value] of Object.entries(await valuesByWeight(site, list, name))) {
      single.push({ name: `${name} ${weight}`, params: { [name]: value } })
      if (weight === 'most') heaviest.push({ name, params: { [name]: value } })
    }
  }
  const pairs = heaviest.flatMap((one, at) => heaviest.slice(at + 1).map((other) => combine(one, other)))
  return [{ name: '', params: {} }, ...single, ...pairs]
}

const combine = (one: Narrowing, other: Narrowing): Narrowing => ({
  name: `${one.name} ${other.name}`,
  params: { ...one.params, ...other.params },
})

/** The values that match the fewest rows (but some), the most, and a number in between, without duplicates. */
async function valuesByWeight(
  site: ListInstance,
  list: Endpoint,
  name: string,
): Promise<Readonly<Record<string, string>>> {
  const found: { value: string; total: number }[] = []
  for (const value of await site.candidates(list, name)) {
    const total = await site.total(list, { [name]: value })
    if (total > 0) found.push({ value, total })
  }
  const ordered = found.toSorted((one, other) => one.total - other.total).map(({ value }) => value)
  const [most, fewest, middling] = [ordered.at(-1), ordered[0], ordered[ordered.length >> 1]]
  return {
    ...(fewest !== undefined && fewest !== most && { fewest }),
    ...(middling !== undefined && middling !== most && middling !== fewest && { middling }),
    ...(most !== undefined && { most }),
  }
}
