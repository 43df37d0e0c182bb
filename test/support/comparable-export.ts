import type { Body } from './instance'

/** What an import adds, without an instance's ids and in a fixed order. */
export function comparable(text: string, doubled: ReadonlySet<string>): Record<string, readonly string[]> {
  const file = JSON.parse(text)
  const titles = new Map<number, string>(file.works.map(({ id, title }: Body) => [id, title]))
  const bare = ({ id: _, likes_count: __, work: about, episode: of, ...row }: Body) => ({
    ...row,
    title: row.title ?? about?.title ?? titles.get(of.work_id),
    ...(of && { episode: { ...of, id: 0, work_id: 0 } }),
  })
  const sections = ['works', 'statuses', 'records', 'reviews', 'laps', 'skips', 'notes']
  const liked = file.favorites.toSorted((one: Body, other: Body) => one.position - other.position)
  return {
    ...Object.fromEntries(
      sections.map((name) => [name, file[name].map((row: Body) => JSON.stringify(bare(row))).sort()]),
    ),
    lists: listsIn(file.lists, doubled),
    favorites: liked.flatMap(({ work_id, name }: Body) => (work_id === null ? [] : [name])),
  }
}

/** Two of one name become one, as the first is: then only its works are compared. */
function listsIn(lists: readonly Body[], doubled: ReadonlySet<string>): readonly string[] {
  const named = Map.groupBy(lists, ({ name }) => name)
  return [...named].map(([name, some]) => {
    const [{ id: _, updated_at: __, items, ...list } = { items: [] }] = some
    const titles = some.flatMap(({ items }) => items.map(({ work }: Body) => work.title))
    if (doubled.has(name)) return [...new Set([name, ...titles])].sort().join()
    return JSON.stringify([list, items.map(({ work, ...item }: Body) => [work.title, item])])
  })
}

/** Names that two lists of a file have. */
export const doubledIn = (text: string): ReadonlySet<string> => {
  const names: string[] = JSON.parse(text).lists.map(({ name }: Body) => name)
  return new Set(names.filter((name, at) => names.indexOf(name) !== at))
}
