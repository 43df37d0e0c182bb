import type { Database } from 'bun:sqlite'

/** Where rows come from; the source of higher priority wins. */
export interface RankedSource {
  readonly id: number
  readonly priority: number
}

/** The source `admin`: what people set by hand. Nothing outranks it (D94). */
export const byHand = 1

/** Creates the source if it does not exist. */
export function findSource(handle: Database, name: string): RankedSource {
  const priority = defaultPriority(name)
  handle.query('insert or ignore into sources (name, priority) values (?, ?)').run(name, priority)
  const [source] = handle
    .query<RankedSource, [string]>('select id, priority from sources where name = ?')
    .all(name)
  if (source === undefined) throw new Error(`no source ${name}`)
  return ranked(source)
}

export const sourcePriorities = (handle: Database): ReadonlyMap<number, number> =>
  new Map(
    handle
      .query<RankedSource, []>('select id, priority from sources')
      .all()
      .map(ranked)
      .map(({ id, priority }) => [id, priority]),
  )

const ranked = (source: RankedSource): RankedSource =>
  source.id === byHand ? { ...source, priority: Number.POSITIVE_INFINITY } : source

export const priorityOf = (handle: Database, name: string): number =>
  handle
    .query<Pick<RankedSource, 'priority'>, [string]>('select priority from sources where name = ?')
    .get(name)?.priority ?? defaultPriority(name)

const defaultPriority = (name: string) =>
  priorities[name] ?? (isOfCorrections(name) ? correctionsPriority : otherPriority)

const priorities: Readonly<Record<string, number>> = {
  admin: 100,
  annict: 80,
  syobocal: 70,
  kiroku: 60,
  'anime-offline-database': 60,
  madb: 50,
  corrections: 45,
  'bangumi-data': 40,
  'bangumi-archive': 40,
  wikidata: 30,
  estimate: 10,
}
const otherPriority = 60
const correctionsPriority = 90

/** Whether it names what editors of another instance corrected, such as `corrections/kiroku.example.net` (D98). */
export const isOfCorrections = (name: string): boolean => name.startsWith('corrections/')

/** Whether the name belongs to something other than a pack. */
export const hasOwnPriority = (name: string): boolean =>
  Object.hasOwn(priorities, name) || isOfCorrections(name)
