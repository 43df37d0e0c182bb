import { type Bytes, bytesOf } from './bytes'
import type { Item } from './item'
import type { PageRow } from './page-query'
import type { Find, Show } from './parts'
import type { Renderer } from './render'
import type { Resource } from './resource'

/** An item as JSON, in pieces. */
export type Assembled = readonly Bytes[]

/**
 * Puts the items of a page together from renderings. What is not kept is asked for once per kind of object, and then the
 * page is put together anew. `names`: the wanted parts. A row that was deleted since the page was found gives undefined.
 */
export async function assemble(
  { resource, parts }: Item,
  rows: readonly PageRow[],
  names: readonly string[],
  renderer: Renderer,
): Promise<(Assembled | undefined)[]> {
  const beside = names.flatMap((name) => {
    const part = parts[name]
    return part ? [{ label: bytesOf(`,"${name}":`), show: part.show(name) }] : []
  })
  const found = new Found(renderer)
  for (;;) {
    const items = rows.map((row) => {
      const own = found.find(resource, row.id, row.version)
      return beside.length === 0 ? own && [own] : itemOf(own, row, beside, found.find)
    })
    if (!(await found.complete())) return items
  }
}

type Beside = readonly { readonly label: Bytes; readonly show: Show }[]

/** Also asks for the parts of an item whose own rendering is not there yet. */
function itemOf(own: Bytes | undefined, row: PageRow, beside: Beside, find: Find): Assembled | undefined {
  const pieces = own ? [own.subarray(0, -1)] : []
  for (const { label, show } of beside) {
    const part = show(row, find)
    if (part) pieces.push(label, part)
  }
  pieces.push(brace)
  return own && pieces
}

const brace = bytesOf('}')

/** The renderings of a page: kept ones, and those made for it, which stay until it is put together. */
class Found {
  readonly #renderer: Renderer
  readonly #made = new Map<Resource, Map<number, Bytes | undefined>>()
  readonly #missing = new Map<Resource, Set<number>>()

  constructor(renderer: Renderer) {
    this.#renderer = renderer
  }

  readonly find: Find = (of, id, version) => {
    if (typeof id !== 'number' || typeof version !== 'number') return undefined
    return this.#renderer.kept(of, id, version) ?? this.#madeOf(of, id)
  }

  #madeOf(of: Resource, id: number): Bytes | undefined {
    const made = this.#made.get(of)
    if (!made?.has(id)) this.#missing.set(of, (this.#missing.get(of) ?? new Set()).add(id))
    return made?.get(id)
  }

  /** Makes what was missing; false when nothing was. */
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
