import { sql } from 'kysely'
import type { Read } from '../db/open'
import { perStore } from '../db/per-store'
import { prepared } from '../db/prepared'
import type { PageValues } from './find-rows'
import { idQueries } from './id-queries'
import { common, type IdSet, isIn, sizeOf } from './id-set'
import { createIdSets, type Held, type IdSets } from './id-sets'
import type { FoundIds } from './list'
import type { AnyList, Asked, Shape } from './shape'

/**
 * Finds the pages of a list by sets of ids. What each filter leaves is a set, and so is what the list shows at all; a
 * page is taken from what they have in common, in the order that is asked. So filters and sorts cost together what they
 * cost alone, and the last page what the first one does. Sets and orders are kept while the marks they name stay, all of
 * them while the mark `of` the table does.
 */
export function setFinder(list: AnyList, of: string) {
  const queries = idQueries(list)
  const kept = perStore((): { sets?: IdSets } => ({}))
  return async (
    asked: Asked,
    { filters, sorts }: Shape,
    values: PageValues,
    read: Read,
  ): Promise<FoundIds> => {
    const marks = await marksNow(read, values.viewer)
    const sets = await upToDate(kept(read), marks.get(of), () => queries.all(read, {}))
    const held = (name: string, by: readonly Changing[]) => holding(name, by, marks, values.viewer)
    const narrowed = filters.map((name) =>
      sets.set(held(`${name} ${JSON.stringify(asked[name])}`, [list.filters[name] ?? {}]), () =>
        queries.left(name)(read, values),
      ),
    )
    const shown = sets.set(held('shown', [list.rows]), () => queries.shown(read, values))
    const left = common(await Promise.all([shown, ...narrowed]))
    const sortedBy = sorts.map(([name]) => list.sorts[name] ?? {})
    const first = (limit: number) =>
      sets.order(held(`${limit} by ${JSON.stringify(sorts)}`, sortedBy), () =>
        queries.sorted(sorts)(read, { limit }),
      )
    const page = pageOf(sets.ids, await first(beginning), left, values)
    if (page.ids.length >= Math.min(values.limit, page.total - values.offset)) return page
    return pageOf(sets.ids, await first(everything), left, values)
  }
}

/** Most pages lie at the beginning of an order; the whole order by watchers would be read again after every status. */
const beginning = 512
const everything = -1

/** What names the mark that grows whenever it changes. */
interface Changing {
  readonly changes?: string
}

/** The mark of what is the caller's own. */
const ofViewer = 'viewer'

function holding(
  name: string,
  by: readonly Changing[],
  marks: ReadonlyMap<string, number>,
  viewer: number,
): Held {
  const names = by.map(({ changes }) => changes)
  const isKept = !names.includes(undefined) && name.length <= longestName
  return {
    name: names.includes(ofViewer) ? `${name} of ${viewer}` : name,
    mark: isKept ? names.map((name = '') => marks.get(name)).join(' ') : undefined,
  }
}

/** A name holds what was asked, which may be as long as a request: longer ones are not worth their room. */
const longestName = 500

async function upToDate(
  kept: { sets?: IdSets },
  mark: number | undefined,
  all: () => Promise<readonly { readonly id: number }[]>,
): Promise<IdSets> {
  const known = kept.sets
  if (known !== undefined && known.mark === mark) return known
  const sets = createIdSets(mark, await all())
  kept.sets = sets
  return sets
}

/** Walks to the page from the nearer end of the order, if that is whole. */
function pageOf(ids: Float64Array, order: Uint32Array, left: IdSet, { offset, limit }: PageValues): FoundIds {
  const total = sizeOf(left)
  const n = Math.max(0, Math.min(limit, total - offset))
  const backwards = offset > total / 2 && order.length === ids.length
  let skip = backwards ? total - offset - n : offset
  const found: number[] = []
  for (let step = 0; step < order.length && found.length < n; step++) {
    const place = order[backwards ? order.length - 1 - step : step] ?? 0
    if (!isIn(left, place)) continue
    if (skip > 0) skip -= 1
    else found.push(ids[place] ?? 0)
  }
  return { ids: backwards ? found.toReversed() : found, total }
}

/** The marks as they are, and the caller's own. */
async function marksNow(read: Read, viewer: number): Promise<ReadonlyMap<string, number>> {
  return new Map((await marks(read, { viewer })).map(({ name, n }) => [name, n]))
}

const marks = prepared<{ name: string; n: number }, { viewer: number }>((read, slot) =>
  read
    .selectFrom('marks')
    .select(['name', 'n'])
    .unionAll(
      read
        .selectFrom('users')
        .select([sql<string>`${sql.lit(ofViewer)}`.as('name'), 'version as n'])
        .where('id', '=', slot('viewer')),
    ),
)
