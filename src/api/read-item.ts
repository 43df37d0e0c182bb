import { joined } from '../http/bytes'
import { notFound } from '../http/errors'
import { once } from '../lib/once'
import type { ShownTable } from '../paging/paged-list'
import { type Assembled, assemble, labelledFields } from './assemble'
import type { CommandAnswer } from './command'
import type { ApiCall } from './endpoint'
import { type Item, nestedNames } from './item'
import { itemRows } from './item-rows'
import type { Renderer } from './render'

/** Reads a written item back by its row id. Throws not_found if it was deleted meanwhile. */
export function itemReader<T extends ShownTable>(
  item: Item<T>,
): (id: number, call: ApiCall) => Promise<CommandAnswer> {
  const read = itemsReader(item)
  return async (id, call) => {
    const [shown] = await read([id], call)
    if (shown === undefined) throw notFound(`The ${item.resource.name.toLowerCase()}`)
    return joined(shown)
  }
}

/** In the order of the ids, without deleted rows. Batched per commit, so items must not depend on the caller. */
export function itemsReader<T extends ShownTable>(
  item: Item<T>,
): (ids: readonly number[], call: ApiCall) => Promise<Assembled[]> {
  const readAll = once(() => allReader(item))
  const batches = new WeakMap<Renderer, ReadBatch>()
  return async (ids, call) => {
    const batch = batches.get(call.renderer) ?? startBatch(batches, call, readAll())
    for (const id of ids) batch.ids.add(id)
    const found = await batch.found
    return ids.map((id) => found.get(id)).filter((shown) => shown !== undefined)
  }
}

/** The viewer of items that do not depend on the caller. */
const noViewer = 0

type ReadAll = (ids: ReadonlySet<number>, call: ApiCall) => Promise<ReadonlyMap<number, Assembled>>

/** Collects ids until it is read. */
interface ReadBatch {
  readonly ids: Set<number>
  readonly found: Promise<ReadonlyMap<number, Assembled>>
}

/** The batch is read one microtask later, when all writes of the commit have added their ids. */
function startBatch(batches: WeakMap<Renderer, ReadBatch>, call: ApiCall, readAll: ReadAll): ReadBatch {
  const ids = new Set<number>()
  const found = Promise.resolve().then(() => {
    batches.delete(call.renderer)
    return readAll(ids, call)
  })
  const batch = { ids, found }
  batches.set(call.renderer, batch)
  return batch
}

function allReader<T extends ShownTable>(item: Item<T>): ReadAll {
  const names = nestedNames(item)
  const fields = labelledFields(item, names)
  const readRows = itemRows(item)
  return async (ids, { deps, renderer }) => {
    const read = deps.warmRead()
    const rows = await readRows(read, [...ids], names, noViewer)
    const shown = await assemble(item, rows, fields, renderer.over(read))
    return new Map(
      rows.flatMap(({ id }, at) => {
        const pieces = shown[at]
        return pieces === undefined ? [] : [[id, pieces] as const]
      }),
    )
  }
}
