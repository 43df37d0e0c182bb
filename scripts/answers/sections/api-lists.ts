import { type Operation, operationsOf } from '../document'
import type { Recorder } from '../recorder'
import { someOf, valuesFor } from '../values'

type Query = Readonly<Record<string, string>>

/** Requests every read with each value of each parameter, sorts, pages, pairs of parameters, and each field. */
export async function lists(recorder: Recorder): Promise<void> {
  recorder.begin('lists')
  const operations = (await operationsOf(recorder)).filter(({ method }) => method === 'GET')
  for (const [turn, operation] of operations.entries()) {
    const ask = (query: Query, as = 'mio') => recorder.ask({ target: targetWith(operation, query), as })
    const { text } = await ask({})
    await ask({}, 'ritsu')
    for (const query of [
      ...single(operation, turn),
      ...pages(operation),
      ...pairs(operation),
      ...fieldSelections(text),
    ])
      await ask(query)
    for (const [name, schema] of Object.entries(operation.query)) {
      const [value = ''] = valuesFor(name, schema)
      const target = `${operation.path}?${name}=${encodeURIComponent(value)}&${name}=%20`
      await recorder.ask({ target, as: 'mio' })
      await recorder.ask({ target: `${operation.path}?${name}`, as: 'mio' })
      await recorder.ask({ target: `${operation.path}?${name}[]=1&${name}=%zz`, as: 'mio' })
    }
  }
}

const targetWith = ({ path }: Operation, query: Query) => {
  const text = new URLSearchParams({ ...query }).toString()
  return text === '' ? path : `${path}?${text}`
}

/** Parameters common to nearly all lists are tested with all values only on a few lists. */
const common = ['fields', 'page', 'per_page', 'sort_id', 'filter_ids']
const whole = ['/v1/works', '/v1/records', '/v1/me/programs']

const single = ({ path, query }: Operation, turn: number): Query[] =>
  Object.entries(query).flatMap(([name, schema]) => {
    const values = valuesFor(name, schema)
    const isThinned = common.includes(name) && !whole.includes(path)
    return (isThinned ? someOf(values, turn) : values).map((value) => ({ [name]: value }))
  })

/** First, middle and last pages and one beyond the end, in every order. */
function pages({ query }: Operation): Query[] {
  if (!('page' in query)) return []
  const sorts = Object.keys(query).filter((name) => name.startsWith('sort_'))
  const orders: Query[] = [{}, ...sorts.flatMap((name) => [{ [name]: 'asc' }, { [name]: 'desc' }])]
  return orders.flatMap((order) =>
    ['1', '2', '9', '400'].map((page) => ({ ...order, page, per_page: '7', fields: 'id,title,name' })),
  )
}

/** Two sorts, a filter and a sort, or two filters. */
function pairs({ query }: Operation): Query[] {
  const names = Object.keys(query).filter((name) => /^(sort|filter)_/.test(name))
  return names.flatMap((one, i) =>
    names.slice(i + 1).map((other, nth) => ({
      [one]: valueAt(nth % 2, one, query),
      [other]: valueAt(nth % 2, other, query),
      per_page: '10',
      fields: 'id',
    })),
  )
}

const valueAt = (nth: number, name: string, query: Operation['query']) =>
  valuesFor(name, query[name] ?? {})[nth] ?? ''

/** `fields` with each name in an answer, alone and nested. */
function fieldSelections(text: string): Query[] {
  const whole: unknown = JSON.parse(text)
  const rows = isObject(whole) ? (Object.values(whole).find(Array.isArray) ?? [whole]) : []
  const first: unknown = rows[0]
  if (!isObject(first)) return []
  const names = Object.entries(first).flatMap(([name, value]) => [
    name,
    ...(isObject(value) ? Object.keys(value).map((inner) => `${name}.${inner}`) : []),
  ])
  return names.map((fields) => ({ fields, per_page: '2' }))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
