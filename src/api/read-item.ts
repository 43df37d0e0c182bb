import { joined } from '../http/bytes'
import { notFound } from '../http/errors'
import { itemRows } from '../paging/item-rows'
import { type Assembled, assemble } from './assemble'
import type { Answer } from './command'
import type { ApiCall } from './endpoint'
import { type Item, nestedNames } from './item'
import type { Renderer } from './render'
import type { ShownTable } from './resource'

/**
 * How a write reads back the item it made or changed: by the id of its row. Throws not_found where somebody has deleted
 * it since.
 */
export function itemReader<T extends ShownTable>(
  item: Item<T>,
): (id: number, call: ApiCall) => Promise<Answer> {
  const read = itemsReader(item)
  return async (id, call) => {
    const [shown] = await read([id], call)
    if (shown === undefined) throw notFound(`The ${item.resource.name.toLowerCase()}`)
    return joined(shown)
  }
}

/**
 * The same for several, in the order of the ids and without those deleted since. Writes that were committed together
 * are read back together, so nothing in the items may depend on who asks.
 */
export function itemsReader<T extends ShownTable>(
  item: Item<T>,
): (ids: readonly number[], call: ApiCall) => Promise<Assembled[]> {
  const readAll = allReader(item)
  const readings = new WeakMap<Renderer, Reading>()
  return async (ids, call) => {
    const reading = readings.get(call.renderer) ?? begun(readings, call, readAll)
    for (const id of ids) reading.ids.add(id)
    const found = await reading.found
    return ids.map((id) => found.get(id)).filter((shown) => shown !== undefined)
  }
}

/** As whom items are read that nothing of the caller is in. */
const noViewer = 0

type ReadAll = (ids: ReadonlySet<number>, call: ApiCall) => Promise<ReadonlyMap<number, Assembled>>

/** What is about to be read; ids are added until it begins. */
interface Reading {
  readonly ids: Set<number>
  readonly found: Promise<ReadonlyMap<number, Assembled>>
}

/** A reading that begins once everybody whose write was committed with the caller's has asked. */
function begun(readings: WeakMap<Renderer, Reading>, call: ApiCall, readAll: ReadAll): Reading {
  const ids = new Set<number>()
  const found = Promise.resolve().then(() => {
    readings.delete(call.renderer)
    return readAll(ids, call)
  })
  const reading = { ids, found }
  readings.set(call.renderer, reading)
  return reading
}

function allReader<T extends ShownTable>(item: Item<T>): ReadAll {
  const names = nestedNames(item)
  const readRows = itemRows(item)
  return async (ids, { deps, renderer }) => {
    const read = deps.warmRead()
    const rows = await readRows(read, [...ids], names, noViewer)
    const shown = await assemble(item, rows, names, renderer.over(read))
    return new Map(
      rows.flatMap(({ id }, at) => {
        const pieces = shown[at]
        return pieces === undefined ? [] : [[id, pieces] as const]
      }),
    )
  }
}
