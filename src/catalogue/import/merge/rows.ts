import type { Database } from 'bun:sqlite'
import { fold } from '../../../lib/fold'
import { dropEstimates } from '../../estimate/drop-estimates'
import type { Kind, KindName } from '../kinds/field'
import { kinds } from '../kinds/kinds'
import { type MergeLog, noLog } from './merge-log'
import { moveAll } from './moves'

/** Merges one row into another (D67). Consistent and restartable at each `yield`. The caller holds the transaction. */
export function* mergeRows(
  handle: Database,
  kind: Kind,
  { from, to }: Pair,
  { onRename = () => {}, log = noLog }: MergeMeans = {},
): Generator<void> {
  const means = { onRename, log }
  if (kind.name === 'work') prepareWork(handle, { from, to }, log)
  yield* moveContents(handle, kind, { from, to }, means)
  // Users write only few rows between two pieces.
  for (const _ of moveContents(handle, kind, { from, to }, means));
  if (kind.name === 'work') keepWorkNames(handle, { from, to }, log)
  if (kind.name === 'episode') listEpisode(handle, { from, to }, log)
  onRename(kind.name, from)
  moveNames(handle, kind, { from, to }, log)
  log.changing({ table: kind.table, where: 'id = ?', values: [from] }, () =>
    handle
      .query(
        `update ${kind.table} set hidden = hidden | 1, version = version + 1 where id = ? and hidden & 1 = 0`,
      )
      .run(from),
  )
  handle.query(`update ${kind.table} set version = version + 1 where id = ?`).run(to)
  lead(handle, kind, { from, to }, log)
}

export type OnRename = (kind: KindName, id: number) => void

interface MergeMeans {
  readonly onRename?: OnRename | undefined
  readonly log?: MergeLog
}

function* moveContents(
  handle: Database,
  kind: Kind,
  { from, to }: Pair,
  means: Required<MergeMeans>,
): Generator<void> {
  for (const twins of twinsOf(handle, kind, from, to)) {
    yield* mergeRows(handle, twins.kind, twins, means)
    yield
  }
  yield* moveAll(handle, kind.name, { from, to, log: means.log })
}

/** Drops either work's estimates if the other has listed episodes. */
function prepareWork(handle: Database, { from, to }: Pair, log: MergeLog): void {
  adoptAliases(handle, from, log)
  dropLoggedEstimates(handle, from, log)
  const listed = handle.query('select 1 from episodes where work_id = ? and estimated = 0 limit 1')
  if (listed.values(from).length > 0) dropLoggedEstimates(handle, to, log)
}

/** Makes the instance's own source own the aliases: the sources' lists of aliases would remove them again. */
function adoptAliases(handle: Database, from: number, log: MergeLog): void {
  for (const table of ['work_aliases', 'search_names'])
    log.changing({ table, where: 'work_id = ?', values: [from] }, () =>
      handle.query(`update or ignore ${table} set source_id = 1 where work_id = ?`).run(from),
    )
}

/** Episodes come last in the log, since an undo begins with them: others refer to them. */
function dropLoggedEstimates(handle: Database, work: number, log: MergeLog): void {
  const ofEpisodes = 'episode_id in (select id from episodes where work_id = ? and estimated = 1)'
  const chosen = (table: string, where: string) => ({ table, where, values: [work] })
  const names = `kind = 'episode' and local_id in (select id from episodes where work_id = ? and estimated = 1)`
  log.changing(chosen('episodes', 'work_id = ? and estimated = 1'), () =>
    log.changing(chosen('external_ids', names), () =>
      log.changing(chosen('notifications', ofEpisodes), () =>
        log.changing(chosen('skips', ofEpisodes), () =>
          log.changing(chosen('programs', 'work_id = ?'), () => dropEstimates(handle, work)),
        ),
      ),
    ),
  )
}

/** Two rows to merge: those asked for, or two that their merge made equal. */
export type Pair = { readonly from: number; readonly to: number }

/** Duplicates created by a merge: episodes of two works, casts of two people in one role. */
function* twinsOf(
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

function episodeTwins(handle: Database, from: number, to: number): Pair[] {
  const shown = handle.query<MatchedEpisode, [number]>(shownEpisodes)
  return matchEpisodes(shown.all(from), shown.all(to))
}

/** Those of two works that are the same: by number, else by its spelling, else by title; each has at most one twin. */
export function matchEpisodes(own: readonly MatchedEpisode[], others: readonly MatchedEpisode[]): Pair[] {
  const open = Map.groupBy(others, nameOf)
  return own.flatMap((one) => {
    const name = nameOf(one)
    const twin = name === '' ? undefined : open.get(name)?.shift()
    return twin === undefined ? [] : [{ from: one.id, to: twin.id }]
  })
}

interface MatchedEpisode {
  readonly id: number
  readonly number: string | null
  readonly text: string
  readonly title: string
}

// uses episodes_work_place
const shownEpisodes = `
  select id, number, number_text as text, title from episodes where work_id = ? and hidden & 1 = 0
  order by sort_number, id`

function nameOf({ number, text, title }: MatchedEpisode): string {
  if (number !== null) return `number ${fold(number)}`
  if (text !== '') return `text ${fold(text)}`
  return title === '' ? '' : `title ${fold(title)}`
}

/** Keeps the merged work's title as an alias, and its site ids if the survivor has none (D67). */
function keepWorkNames(handle: Database, { from, to }: Pair, log: MergeLog): void {
  log.changing({ table: 'works', where: 'id = ?', values: [to] }, () => {
    for (const column of idColumns) handle.query(fillId(column)).run(to, from)
  })
  log.changing({ table: 'work_aliases', where: 'work_id = ?', values: [to] }, () =>
    handle.query(addTitle).run(to, from),
  )
}

function listEpisode(handle: Database, { from, to }: Pair, log: MergeLog): void {
  log.changing({ table: 'episodes', where: 'id = ?', values: [to] }, () =>
    handle.query(takeList).run(to, from),
  )
}

export const idColumns = ['mal_anime_id', 'syobocal_tid'] as const

// Respects a source that says there is no such id.
const fillId = (column: string) => `
  update works set ${column} = gone.${column}, version = works.version + 1,
    owners = json_set(works.owners, '$.${column}', ifnull(json_extract(gone.owners, '$.${column}'), gone.source_id))
  from works as gone
  where works.id = ?1 and gone.id = ?2 and works.${column} = '' and gone.${column} <> ''
    and json_extract(works.owners, '$.${column}') is null`

const addTitle = `
  insert or ignore into work_aliases (work_id, source_id, title)
  select stays.id, 1, gone.title from works as gone, works as stays
  where stays.id = ?1 and gone.id = ?2 and gone.title <> stays.title`

const takeList = `
  update episodes set number = listed.number, number_text = listed.number_text, sort_number = listed.sort_number,
    title = listed.title, estimated = 0, source_id = listed.source_id, owners = listed.owners,
    version = episodes.version + 1
  from episodes as listed
  where episodes.id = ?1 and listed.id = ?2 and episodes.estimated = 1 and listed.estimated = 0`

/** Turns the merged row's keys into merged keys of the other row. */
function moveNames(handle: Database, { name }: Kind, { from, to }: Pair, log: MergeLog): void {
  // uses external_ids_local
  const where = 'kind = ? and local_id in (?, ?)'
  log.changing({ table: 'external_ids', where, values: [name, from, to] }, () => {
    handle.query(copyNames).run(to, name, from)
    handle
      .query('delete from external_ids indexed by external_ids_local where kind = ? and local_id = ?')
      .run(name, from)
  })
}

const copyNames = `
  insert into external_ids (kind, ns, external_id, local_id, is_key)
  select kind, ns, external_id, ?, iif(is_key = 0, 0, 2) from external_ids indexed by external_ids_local where kind = ? and local_id = ?
  on conflict do update set is_key = excluded.is_key where external_ids.is_key = 0`

/** Points redirects to the merged row at the survivor, so that chains are one step long. */
function lead(handle: Database, { name }: Kind, { from, to }: Pair, log: MergeLog): void {
  const where = 'kind = ? and (to_id = ? or from_id = ?)'
  log.changing({ table: 'redirects', where, values: [name, from, from] }, () => {
    // uses redirects_to
    handle.query('update redirects set to_id = ? where kind = ? and to_id = ?').run(to, name, from)
    handle
      .query('insert or replace into redirects (kind, from_id, to_id) values (?, ?, ?)')
      .run(name, from, to)
  })
}
