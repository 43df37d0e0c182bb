import type { Database } from 'bun:sqlite'
import type { KindName } from '../import/kinds/field'
import { kindOf } from '../import/kinds/kinds'
import { KeptMergeLog } from '../import/merge/merge-log'
import { numbersOf } from '../numbers-of'
import { CatalogueChange, type RowFields } from './change'
import { type ChangeAbout, logChange } from './log'
import { partsOf } from './parts'

/** What can be merged by hand. */
export type MergeableKind = Extract<
  KindName,
  'work' | 'episode' | 'person' | 'organization' | 'character' | 'series'
>

/** How long a merge or a split can be undone, in milliseconds (D97). */
export const undoneWithinMs = 30 * 86_400_000

/** Why a merge, a split or its undo is not begun. */
export class MergeRefused extends Error {
  constructor(
    /** gone: no such row; running: one of the rows is being merged; later: another change has to be undone first. */
    readonly problem: 'gone' | 'same' | 'running' | 'later' | 'expired' | 'undone',
    /** That change. */
    readonly change?: number,
  ) {
    super(`a merge was refused: ${problem}`)
  }
}

/** A row of `catalogue_merges`. */
export interface StoredMerge {
  readonly change_id: number
  readonly task: 'merge' | 'split'
  readonly kind: MergeableKind
  readonly from_id: number
  readonly to_id: number
  readonly state: 'moving' | 'moved' | 'parting' | 'parted'
  readonly total: number
  readonly undo_id: number | null
  readonly episode_ids: string
}

export interface MergeOrder {
  readonly kind: MergeableKind
  /** The row that goes, and the one that stays. */
  readonly from: number
  readonly to: number
  /** What the survivor takes over from the other. */
  readonly fields: RowFields
  /** Rows to move, by which its progress is told. */
  readonly total: number
}

type MergeAuthor = Pick<ChangeAbout, 'user' | 'reason' | 'sourceUrl' | 'now'>

/**
 * Begins a merge, in the caller's write (`handleOf`); `runMerges` does the rest, also after a kill. Returns the id of its change.
 * Throws a `MergeRefused`.
 */
export function beginMerge(handle: Database, order: MergeOrder, author: MergeAuthor): number {
  const { kind, from, to, total } = order
  if (from === to) throw new MergeRefused('same')
  for (const id of [from, to]) refuseUnlessFree(handle, kind, id)
  const about: ChangeAbout = {
    ...{ kind: 'merge', work: workOf(handle, kind, to), subject: { kind, id: to } },
    ...author,
  }
  const change = takeFields(handle, order, about)
  handle
    .query(
      `insert into catalogue_merges (change_id, task, kind, from_id, to_id, total) values (?, 'merge', ?, ?, ?, ?)`,
    )
    .run(change, kind, from, to, total)
  return change
}

/** The fields are logged like what the merge itself changes, so that its undo gives them back with their owners. */
function takeFields(handle: Database, { kind, from, to, fields }: MergeOrder, about: ChangeAbout): number {
  let id: number | undefined
  const log = new KeptMergeLog(handle, () => id ?? 0)
  const change = new CatalogueChange(handle, about)
  const ofRow = { where: 'kind = ? and row_id = ?', values: [kind, to] }
  const names = { table: 'external_ids', where: 'kind = ? and local_id = ?', values: [kind, to] }
  const aliases = { table: 'work_aliases', where: 'work_id = ?', values: [kind === 'work' ? to : 0] }
  log.changing({ table: kindOf[kind].table, where: 'id = ?', values: [to] }, () =>
    log.changing(names, () =>
      log.changing({ table: 'source_values', ...ofRow }, () =>
        log.changing(aliases, () => {
          if (kind === 'work' && fields.title !== undefined) keepTitle(handle, change, to)
          change.set(kind, to, fields)
          id = change.save() ?? logChange(handle, about, [])
        }),
      ),
    ),
  )
  if (id === undefined) throw new Error(`the merge of ${kind} ${from} was not logged`)
  return id
}

/** The title that another one replaces becomes an alias, as that of the merged work does (D67). */
function keepTitle(handle: Database, change: CatalogueChange, work: number): void {
  const [title] = handle.query<{ title: string }, [number]>('select title from works where id = ?').all(work)
  const known = partsOf(handle, 'aliases', work)
  if (title !== undefined && !known.includes(title.title))
    change.setParts(work, 'aliases', [...known, title.title])
}

/** Begins the undo of a merge or a split; it takes back what that one did. Returns the id of the change that the undo is. */
export function beginUndo(handle: Database, change: number, author: MergeAuthor): number {
  const merge = findMerge(handle, change)
  if (merge === undefined) throw new MergeRefused('gone')
  refuseUndo(handle, merge, author.now)
  const { kind, to_id: id } = merge
  const about: ChangeAbout = {
    ...{ kind: 'undo', work: workOf(handle, kind, id), subject: { kind, id }, undoes: change },
    ...author,
  }
  const undo = logChange(handle, about, [])
  handle
    .query(`update catalogue_merges set state = 'parting', undo_id = ? where change_id = ?`)
    .run(undo, change)
  return undo
}

function refuseUndo(handle: Database, { change_id, kind, from_id, to_id, state }: StoredMerge, now: number) {
  if (state === 'parted' || state === 'parting') throw new MergeRefused('undone')
  if (state === 'moving') throw new MergeRefused('running')
  const [made] = numbersOf(handle, 'select created_at from catalogue_changes where id = ?', change_id)
  if (made === undefined || made < now - undoneWithinMs) throw new MergeRefused('expired')
  const [later] = numbersOf(handle, laterMerges, change_id, kind, from_id, to_id)
  if (later !== undefined) throw new MergeRefused('later', later)
  // By a file, which nothing undoes.
  const isGone = handle.query('select 1 from redirects where kind = ? and from_id = ?').values(kind, to_id)
  if (isGone.length > 0) throw new MergeRefused('later')
}

/** Of the same rows, of episodes of both works, or of the work of both episodes: their rows went on. The last one first. */
const laterMerges = `
  select change_id from catalogue_merges where change_id > ?1 and state <> 'parted' and (
    (kind = ?2 and (from_id in (?3, ?4) or to_id in (?3, ?4)))
    or (?2 = 'work' and kind = 'episode' and (select work_id from episodes where id = from_id) in (?3, ?4))
    or (?2 = 'episode' and kind = 'work' and (select work_id from catalogue_changes where id = ?1) in (from_id, to_id)))
  order by change_id desc limit 1`

const findMerge = (handle: Database, change: number): StoredMerge | undefined =>
  handle.query<StoredMerge, [number]>('select * from catalogue_merges where change_id = ?').get(change) ??
  undefined

/** Throws unless it is shown and no merge of it is under way. */
export function refuseUnlessFree(handle: Database, kind: MergeableKind, id: number): void {
  const shown = handle.query(`select 1 from ${kindOf[kind].table} where id = ? and hidden = 0`).values(id)
  if (shown.length === 0) throw new MergeRefused('gone')
  const [running] = numbersOf(handle, runningMerges, kind, id)
  if (running !== undefined) throw new MergeRefused('running', running)
}

// uses catalogue_merges_open
const runningMerges = `
  select change_id from catalogue_merges
  where state in ('moving', 'parting') and kind = ?1 and (from_id = ?2 or to_id = ?2) limit 1`

/** In whose history it is. */
export function workOf(handle: Database, kind: MergeableKind, id: number): number {
  if (kind === 'work') return id
  return kind === 'episode' ? (numbersOf(handle, 'select work_id from episodes where id = ?', id)[0] ?? 0) : 0
}
