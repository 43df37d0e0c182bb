import { type Bytes, bytesOf } from '../http/bytes'
import type { ShownTable } from '../paging/paged-list'
import type { Item } from './item'
import type { ItemRow } from './item-rows'
import type { FindRendering, RenderField } from './nested-fields'
import type { Renderer } from './render'
import type { Resource } from './resource'

export type Assembled = readonly Bytes[]

/** Fetches missing renderings with one query per resource, then starts over. A deleted row yields undefined. */
export async function assemble<T extends ShownTable>(
  { resource }: Item<T>,
  rows: readonly ItemRow[],
  fields: LabelledFields,
  renderer: Renderer,
): Promise<(Assembled | undefined)[]> {
  const found = new CollectedRenderings(renderer)
  for (;;) {
    const items = rows.map((row) => {
      const own = found.find(resource, row.id, row.version)
      return fields.length === 0 ? own && [own] : itemOf(own, row, fields, found.find)
    })
    if (!(await found.complete())) return items
  }
}

type LabelledFields = readonly { readonly label: Bytes; readonly show: RenderField }[]

/** The nested fields of these names, for `assemble`. */
export const labelledFields = <T extends ShownTable>(
  { nested }: Item<T>,
  names: readonly string[],
): LabelledFields =>
  names.flatMap((name) => {
    const field = nested[name]
    return field ? [{ label: bytesOf(`,"${name}":`), show: field.show(name) }] : []
  })

/** Looks up the nested fields even if the item's own rendering is missing, so that one round finds everything missing. */
function itemOf(
  own: Bytes | undefined,
  row: ItemRow,
  fields: LabelledFields,
  find: FindRendering,
): Assembled | undefined {
  const pieces = own ? [own.subarray(0, -1)] : []
  for (const { label, show } of fields) {
    const shown = show(row, find)
    if (shown) pieces.push(label, shown)
  }
  pieces.push(brace)
  return own && pieces
}

const brace = bytesOf('}')

class CollectedRenderings {
  readonly #renderer: Renderer
  readonly #made = new Map<Resource, Map<number, Bytes | undefined>>()
  readonly #missing = new Map<Resource, Set<number>>()

  constructor(renderer: Renderer) {
    this.#renderer = renderer
  }

  readonly find: FindRendering = (of, id, version) => {
    if (typeof id !== 'number' || typeof version !== 'number') return undefined
    return this.#renderer.cached(of, id, version) ?? this.#madeOf(of, id)
  }

  #madeOf(of: Resource, id: number): Bytes | undefined {
    const made = this.#made.get(of)
    if (!made?.has(id)) this.#missing.set(of, (this.#missing.get(of) ?? new Set()).add(id))
    return made?.get(id)
  }

  /** Renders what was missing; false if nothing was. */
  async complete(): Promise<boolean> {
    if (this.#missing.size === 0) return false
    for (const [of, ids] of this.#missing) {
      const made = this.#made.get(of) ?? new Map<number, Bytes | undefined>()
      const rendered = await this.#renderer.render(of, [...ids])
      for (const id of ids) made.set(id, rendered.get(id))
      this.#made.set(of, made)
    }
    this.#missing.clear()
    return true
  }
}
