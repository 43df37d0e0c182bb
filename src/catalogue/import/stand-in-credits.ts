import type { Database } from 'bun:sqlite'
import type { YieldingWork } from '../../db/in-pieces'
import type { KindName } from './kinds/field'
import { kindOf } from './kinds/kinds'
import { noteStale, type Run, settle } from './run'

/**
 * The credits of しょぼいカレンダー are only for works without credits from a better source; otherwise they are hidden, along with
 * the people, companies and characters that only it lists and that have no other credit. Idempotent.
 */
export const fitStandIns = (run: Run): YieldingWork<void> =>
  function* (isOver) {
    const [source] = run.handle.query<StandIn, []>(standIn).all()
    if (source === undefined) return
    for (const find of [needless, forgotten, credited]) {
      for (const { kind, id, hider } of find(run.handle, source)) {
        setHidden(run, kind, id, hider)
        if (!isOver()) continue
        settle(run)
        yield
      }
    }
    settle(run)
  }

interface StandIn {
  readonly id: number
  readonly priority: number
}

interface Change {
  readonly kind: KindName
  readonly id: number
  /** Null for a row to show again. */
  readonly hider: number | null
}

function setHidden(run: Run, name: KindName, id: number, hider: number | null): void {
  const kind = kindOf[name]
  const stored = run.tables.read(kind, id)
  if (stored === undefined) return
  const { hidden: _, ...others } = stored.owners
  const owners = hider === null ? others : { ...others, hidden: hider }
  const hidden = hider === null ? stored.hidden & 2 : stored.hidden | 1
  run.tables.update(kind, id, { ...stored, hidden, owners }, true)
  noteStale(run, kind, id)
  run.tally.count(name, hider === null ? 'updated' : 'deleted')
}

const standIn = "select id, priority from sources where name = 'syobocal'"

/** Credits of works that have better ones. */
const needless = (handle: Database, { id, priority }: StandIn): Change[] =>
  handle.query<Change, [number, number]>(needlessCredits).all(id, priority)

const isBetter = (table: string) => `
  select work_id, sources.id as hider, priority from ${table} join sources on priority > ?2 and sources.id <> 1 and (
    sources.id = source_id or owners <> '{}' and sources.id in (select value from json_each(owners)))
  where hidden & 1 = 0 and work_id in (select work_id from own)`

const ofStandIn = (kind: string, table: string) => `
  select '${kind}' as kind, id, work_id from ${table} where source_id = ?1 and hidden & 1 = 0 and not exists (
    select 1 from json_each(owners) join sources on sources.id = value where priority > ?2)`

const needlessCredits = `
  with own as materialized (${ofStandIn('cast', 'casts')} union all ${ofStandIn('staff', 'staffs')}),
  better as (select work_id, hider, max(priority) from (${isBetter('casts')} union all ${isBetter('staffs')}) group by work_id)
  select kind, id, hider from own join better using (work_id)`

interface Credited {
  readonly kind: KindName
  readonly table: string
  readonly favorites: string
  /** Whether the row has a visible credit. */
  readonly isCredited: string
}

const has = (table: string, column: string) =>
  `exists (select 1 from ${table} where ${column} = row.id and hidden & 1 = 0)`

const creditedKinds: readonly Credited[] = [
  {
    kind: 'person',
    table: 'people',
    favorites: 'favorite_people_count',
    isCredited: `(${has('casts', 'person_id')} or ${has('staffs', 'person_id')})`,
  },
  {
    kind: 'organization',
    table: 'organizations',
    favorites: 'favorite_organizations_count',
    isCredited: has('staffs', 'organization_id'),
  },
  {
    kind: 'character',
    table: 'characters',
    favorites: 'favorite_characters_count',
    isCredited: has('casts', 'character_id'),
  },
]

/** Rows without a credit that come from no other source and are nobody's favorite. */
const forgotten = (handle: Database, { id }: StandIn): Change[] =>
  creditedKinds.flatMap(({ kind, table, favorites, isCredited }) =>
    handle
      .query<Change, [number]>(
        `select '${kind}' as kind, id, ?1 as hider from ${table} as row
         where source_id = ?1 and owners = '{}' and hidden & 1 = 0 and ${favorites} = 0 and not ${isCredited}`,
      )
      .all(id),
  )

/** Rows hidden for this reason that have a credit again. */
const credited = (handle: Database, { id }: StandIn): Change[] =>
  creditedKinds.flatMap(({ kind, table, isCredited }) =>
    handle
      .query<Change, [number]>(
        `select '${kind}' as kind, id, null as hider from ${table} as row
         where source_id = ?1 and hidden & 1 = 1 and owners ->> '$.hidden' = ?1 and ${isCredited}`,
      )
      .all(id),
  )
