import type { Database } from 'bun:sqlite'
import { fold } from '../../../lib/fold'
import type { Kind } from '../kinds/field'
import { kinds } from '../kinds/kinds'

/** Two rows to merge: those asked for, or two that their merge made equal. */
export type Pair = { readonly from: number; readonly to: number }

/** Duplicates created by a merge: episodes of two works, casts of two people in one role. */
export function* twinsOf(
  handle: Database,
  kind: Kind,
  from: number,
  to: number,
): Generator<Pair & { readonly kind: Kind }> {
  // Programs come after episodes, whose merging may make programs equal.
  for (const child of kinds) {
    if (kind.name === 'work' && child.name === 'episode')
      yield* episodeTwins(handle, from, to).map((pair) => ({ kind: child, ...pair }))
    else yield* alikeTwins(handle, kind, child, from, to).map((pair) => ({ kind: child, ...pair }))
  }
}

/** Rows that are equal in all references except the merged one. */
function alikeTwins(handle: Database, kind: Kind, child: Kind, from: number, to: number): Pair[] {
  const [columns] = child.likeness ?? []
  const parent = `${kind.name}_id`
  if (child.name === 'episode' || columns?.includes(parent) !== true) return []
  const others = columns.filter((column) => column !== parent)
  const same = others.map((column) => `other.${column} is own.${column}`).join(' and ')
  return handle
    .query<Pair, [number, number]>(
      `select own.id as "from", min(other.id) as "to" from ${child.table} as own
       join ${child.table} as other on other.${parent} = ?2 and ${same} and other.hidden & 1 = 0
       where own.${parent} = ?1 and own.hidden & 1 = 0 group by own.id`,
    )
    .all(from, to)
}

/** Matches by number, else by its spelling, else by title; each has at most one twin. */
function episodeTwins(handle: Database, from: number, to: number): Pair[] {
  const open = Map.groupBy(handle.query<Episode, [number]>(shownEpisodes).all(to), nameOf)
  return handle
    .query<Episode, [number]>(shownEpisodes)
    .all(from)
    .flatMap((own) => {
      const name = nameOf(own)
      const twin = name === '' ? undefined : open.get(name)?.shift()
      return twin === undefined ? [] : [{ from: own.id, to: twin.id }]
    })
}

interface Episode {
  readonly id: number
  readonly number: string | null
  readonly text: string
  readonly title: string
}

// uses episodes_work_place
const shownEpisodes = `
  select id, number, number_text as text, title from episodes where work_id = ? and hidden & 1 = 0
  order by sort_number, id`

function nameOf({ number, text, title }: Episode): string {
  if (number !== null) return `number ${fold(number)}`
  if (text !== '') return `text ${fold(text)}`
  return title === '' ? '' : `title ${fold(title)}`
}
