import type { Assembled, Item } from './item'
import type { PageRow } from './page-query'
import type { Cell } from './parts'
import type { Renderer, Rendering } from './render'
import type { Resource } from './resource'

/** Puts the items of a page together from renderings, asking for each kind of object once. `names`: the wanted parts. */
export async function assemble(
  { resource, parts }: Item,
  rows: readonly PageRow[],
  names: readonly string[],
  renderer: Renderer,
): Promise<Assembled[]> {
  const wishes = new Wishes()
  const shown = names.flatMap((name) => (parts[name] ? [[name, parts[name]] as const] : []))
  for (const row of rows) {
    wishes.add(resource, row.id, row.version)
    for (const [name, part] of shown) part.want(row, name, (of, id, version) => wishes.add(of, id, version))
  }
  const find = await wishes.render(renderer)
  return rows.flatMap((row) => {
    const own = find(resource, row.id)
    const beside = shown.flatMap(([name, part]) => {
      const rendered = part.show(row, name, find)
      return rendered === undefined ? [] : [[name, rendered] as const]
    })
    // A row that was deleted since the page was found is no longer there to show.
    return own === undefined ? [] : [{ own, parts: beside }]
  })
}

/** Which rows of which resources a page needs. */
class Wishes {
  readonly #ids = new Map<Resource, Map<number, number>>()

  add(of: Resource, id: Cell | undefined, version: Cell | undefined): void {
    if (typeof id !== 'number' || typeof version !== 'number') return
    const ids = this.#ids.get(of) ?? new Map<number, number>()
    this.#ids.set(of, ids.set(id, version))
  }

  async render(renderer: Renderer): Promise<(of: Resource, id: Cell | undefined) => Rendering | undefined> {
    const found = new Map<Resource, ReadonlyMap<number, Rendering>>()
    for (const [of, ids] of this.#ids) found.set(of, await renderer.render(of, ids))
    return (of, id) => (typeof id === 'number' ? found.get(of)?.get(id) : undefined)
  }
}
