import type { Pack, PackWork } from './packs'

export interface Difference {
  readonly added: readonly PackWork[]
  readonly gone: readonly PackWork[]
  readonly retitled: readonly Change[]
  /** Ids that now belong to another work, and works that now have another id at a site. */
  readonly moved: readonly string[]
  readonly jumped: readonly Change[]
}

export interface Change {
  readonly key: string
  readonly title: string
  readonly before: string | number
  readonly after: string | number
}

export function differenceOf(last: Pack, next: Pack): Difference {
  const both = [...next.works.values()].flatMap((after) => {
    const before = last.works.get(after.key)
    return before === undefined ? [] : [{ before, after }]
  })
  return {
    added: [...next.works.values()].filter(({ key }) => !last.works.has(key)),
    gone: [...last.works.values()].filter(({ key }) => !next.works.has(key)),
    retitled: both.flatMap(({ before, after }) => changes(after, before.title, after.title)),
    moved: [...movedIds(last, next), ...both.flatMap(otherIds)],
    jumped: both.flatMap(({ before, after }) =>
      jumps(after, before.episodes_estimate, after.episodes_estimate),
    ),
  }
}

const changes = <T extends string | number>({ key, title }: PackWork, before: T, after: T): Change[] =>
  before === after ? [] : [{ key, title, before, after }]

/** A count that grows by a week or two belongs to a series that is still running. */
const jumps = (work: PackWork, before = 0, after = 0): Change[] =>
  Math.abs(after - before) > 2 && before > 0 ? changes(work, before, after) : []

/** Considers ids that only one work had and has. */
function movedIds(last: Pack, next: Pack): string[] {
  const owners = ownersOf(last)
  return [...ownersOf(next)].flatMap(([id, key]) => {
    const before = owners.get(id)
    return before === undefined || before === key ? [] : [`${id}: ${before} → ${key}`]
  })
}

function ownersOf({ works }: Pack): Map<string, string> {
  const owners = Map.groupBy(
    [...works.values()].flatMap(({ key, ids }) =>
      Object.entries(ids).map(([to, id]) => ({ id: `${to}:${id}`, key })),
    ),
    ({ id }) => id,
  )
  return new Map(
    [...owners].flatMap(([id, [one, another]]) => (one && !another ? [[id, one.key] as const] : [])),
  )
}

const otherIds = ({ before, after }: { before: PackWork; after: PackWork }): string[] =>
  Object.entries(after.ids).flatMap(([to, id]) => {
    const was = before.ids[to]
    return was === undefined || was === id ? [] : [`${after.key}: ${to} ${was} → ${id}`]
  })

/** What a pack changes, for review. */
export function differenceText(last: Pack, next: Pack): string {
  const { added, gone, retitled, moved, jumped } = differenceOf(last, next)
  const seasons = [...Map.groupBy(added, ({ season_name = 'no season' }) => season_name)].toSorted(byName)
  const parts = [
    `${next.works.size} works, ${last.works.size} in the last pack`,
    section(
      'Works added',
      seasons.flatMap(([season, works]) => [`${season}: ${works.length}`, ...works.map(named)]),
    ),
    section('Works gone', gone.map(named)),
    section('Titles changed', retitled.map(changed)),
    section(
      'Ids moved',
      moved.map((line) => `  ${line}`),
    ),
    section('Counts that jumped', jumped.map(changed)),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1)

const named = ({ key, title }: PackWork) => `  ${title} (${key})`

const changed = ({ key, title, before, after }: Change) =>
  `  ${key}${before === title || after === title ? '' : ` ${title}`}: ${before} → ${after}`

function section(heading: string, lines: readonly string[]): string {
  if (lines.length === 0) return ''
  const more = lines.length > mostLines ? [`  and ${lines.length - mostLines} more lines`] : []
  return [heading, ...lines.slice(0, mostLines), ...more].join('\n')
}

const mostLines = 500
