import { casesOf, type ListCase } from './list-cases'
import { type ListInstance, openInstance } from './list-site'
import { median } from './median'
import { table } from './table'

/** CPU time of an answer in µs. */
interface ListCost {
  readonly at: ListCase
  readonly cost: number
}

const calls = 4
/** Only what exceeds its limit every time counts: other programs may have disturbed a measurement. */
const attempts = 3

/** In µs, at a million records (D116). */
const limits = {
  /** Any page. */
  page: 25_000,
  /** First pages, and every page of one person, work or episode. */
  near: 5000,
  /** The first page of everybody's activities by action after a write, when they are counted again. */
  actions: 15_000,
  /** The 18,000 works and other lists that do not grow with what users write: what a search may take. */
  catalogue: 3000,
} as const

/**
 * Requests the first, middle and last page of every list in each order and under each filter. `words`: only
 * lists whose path contains one of them. Bypasses the answer cache; totals and renderings are kept.
 */
export async function measureLists(data: string, words: readonly string[], rounds: number): Promise<string> {
  await using site = openInstance(data)
  const measured: ListCost[] = []
  for await (const at of casesOf(site, words)) {
    let found = await costOf(at, site, rounds)
    for (let again = 1; again < attempts && isOver(found); again++) found = await costOf(at, site, rounds)
    measured.push(found)
  }
  return reportOf(measured)
}

async function costOf(at: ListCase, site: ListInstance, rounds: number): Promise<ListCost> {
  const samples: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const before = process.cpuUsage()
    for (let call = 0; call < calls; call++) {
      if (isRecounted(at)) site.forget()
      await site.ask(at.list, at.params)
    }
    const { user, system } = process.cpuUsage(before)
    if (round > 0) samples.push((user + system) / calls)
  }
  return { at, cost: median(samples) }
}

const isOver = ({ at, cost }: ListCost) => cost > limitOf(at)

function limitOf({ list, page, filters }: ListCase): number {
  const grows =
    /\/(?:records|reviews|activities|following_activities|followers|following|notifications|users)$/
  if (!grows.test(list.path)) return filters.length > 1 ? limits.near : limits.catalogue
  if (isRecounted({ list, page, filters })) return limits.actions
  return page === 'first' || isOfOne(list.path, filters) ? limits.near : limits.page
}

const isRecounted = ({ list, page, filters }: Pick<ListCase, 'list' | 'page' | 'filters'>) =>
  list.path === '/v1/activities' && page === 'first' && filters.join() === 'filter_actions'

const isOfOne = (path: string, filters: readonly string[]) =>
  path.startsWith('/v1/me/') ||
  filters.some((name) => /^filter_(?:user_id|username|work_id|episode_id)$/.test(name))

function reportOf(measured: readonly ListCost[]): string {
  const ordered = measured.toSorted((one, other) => other.cost - one.cost)
  const head = ['list', 'order', 'filter', 'rows', 'page', 'µs', '']
  const rows = ordered.map(({ at, cost }) => [
    at.list.path.replace('/v1/', ''),
    at.order || 'default',
    at.filter,
    String(at.rows),
    at.page,
    cost.toFixed(0),
    isOver({ at, cost }) ? `! over ${limitOf(at) / 1000} ms` : '',
  ])
  const over = ordered.filter(isOver).length
  const conclusion = `${measured.length} cases, ${over} over their limit each of ${attempts} times.`
  return `${table([head, ...rows])}\n\n${table(worstByList(ordered))}\n\n  ${conclusion}`
}

/** In ms: the slowest first page, other page, and page of one person, work or episode of each list. */
function worstByList(ordered: readonly ListCost[]): string[][] {
  const rows = [...Map.groupBy(ordered, ({ at }) => at.list.path)].map(([path, costs]) => {
    const worst = (is: (at: ListCase) => boolean) => {
      const found = costs.find(({ at }) => at.filters.length < 2 && is(at))
      return found === undefined ? '' : (found.cost / 1000).toFixed(2)
    }
    const isNear = ({ filters }: ListCase) => isOfOne(path, filters)
    return [
      path.replace('/v1/', ''),
      worst((at) => at.page === 'first'),
      worst((at) => at.page !== 'first' && !isNear(at)),
      worst((at) => isNear(at)),
    ]
  })
  return [['at most one filter, ms', 'first', 'far', 'of one'], ...rows.toSorted()]
}
