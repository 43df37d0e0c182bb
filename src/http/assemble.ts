import type { Selection } from './fields'
import { type Assembled, type Item, wantsPart } from './item'
import type { PageRow } from './page-query'
import type { Renderer, Rendering } from './render'
import type { Resource } from './resource'

/** Puts the items of a page together from renderings, asking for each kind of object once. */
export async function assemble(
  { resource, parts }: Item,
  rows: readonly PageRow[],
  selection: Selection | undefined,
  renderer: Renderer,
): Promise<Assembled[]> {
  const shown = Object.entries(parts).filter(([name]) => wantsPart(selection, name))
  const wanted = new Wishes()
  for (const row of rows) {
    wanted.add(resource, row.id, row.version)
    for (const [name, part] of shown) {
      if ('of' in part) wanted.add(part.of, row[`${name}_id`], row[`${name}_version`])
    }
  }
  const renderings = await wanted.render(renderer)
  const partOf = (row: PageRow, [name, part]: (typeof shown)[number]): Assembled['parts'] => {
    if (!('of' in part)) return [[name, textOf(row[name])]]
    const rendering = renderings(part.of, row[`${name}_id`]) ?? null
    return rendering === null && part.optional ? [] : [[name, rendering]]
  }
  return rows.flatMap((row) => {
    const own = renderings(resource, row.id)
    // A row that was deleted since the page was found is no longer there to show.
    return own === undefined ? [] : [{ own, parts: shown.flatMap((part) => partOf(row, part)) }]
  })
}

/** Which rows of which resources a page needs. */
class Wishes {
  readonly #ids = new Map<Resource, Map<number, number>>()

  add(of: Resource, id: unknown, version: unknown): void {
    if (typeof id !== 'number' || typeof version !== 'number') return
    const ids = this.#ids.get(of) ?? new Map<number, number>()
    this.#ids.set(of, ids.set(id, version))
  }

  async render(renderer: Renderer): Promise<(of: Resource, id: unknown) => Rendering | undefined> {
    const found = new Map<Resource, ReadonlyMap<number, Rendering>>()
    for (const [of, ids] of this.#ids) found.set(of, await renderer.render(of, ids))
    return (of, id) => (typeof id === 'number' ? found.get(of)?.get(id) : undefined)
  }
}

const textOf = (json: unknown) => (typeof json === 'string' ? json : null)
