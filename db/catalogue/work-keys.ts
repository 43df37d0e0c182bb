import type { WorkIds } from './work-ids'

/** Stable keys: the Annict id, else the first unique id, else the title. Duplicates in the source are numbered. */
export function withKeys<Work extends Named>(works: Work[]): (Work & { key: string })[] {
  const uses = new Map<string, number>()
  for (const name of works.flatMap(({ ids }) => names(ids))) count(uses, name)
  const taken = new Map<string, number>()
  return works.map((work) => {
    const key = names(work.ids).find((name) => uses.get(name) === 1) ?? `title:${work.title}`
    const times = count(taken, key)
    return { ...work, key: times === 1 ? key : `${key} (${times})` }
  })
}

interface Named {
  ids: WorkIds
  title: string
}

const names = (ids: WorkIds) =>
  namespaces.flatMap((namespace) => (ids[namespace] === undefined ? [] : [`${namespace}:${ids[namespace]}`]))

const namespaces = ['annict', 'bangumi', 'mal', 'anilist', 'anidb', 'tmdb', 'syobocal'] as const

function count(counts: Map<string, number>, name: string): number {
  const times = (counts.get(name) ?? 0) + 1
  counts.set(name, times)
  return times
}
