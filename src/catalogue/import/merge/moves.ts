import type { Database } from 'bun:sqlite'
import type { KindName } from '../kinds/field'
import type { MergeLog } from './merge-log'

export interface Move {
  readonly table: string
  readonly column: string
  /** The column that, together with `column`, identifies a row within a batch. */
  readonly key: string
  /** Further assignments, as SQL. */
  readonly also: string
  /** What to do before a batch moves. */
  readonly before?: JoinOfRows
}

/** SQL in which ?1 is the survivor, ?2 the merged row and ?3 the batch's keys. */
interface JoinOfRows {
  readonly run: string
  /** The rows of the table that it changes. */
  readonly where: string
}

const move = (
  table: string,
  column: string,
  { key = 'id', also = versioned, ...more }: Partial<Move> = {},
): Move => ({ table, column, key, also, ...more })

const versioned = ', version = version + 1'
const withWork = `${versioned}, hidden = (hidden & 1) | (select hidden * 2 from works where id = ?1)`

const ofUsers = 'work_id = ?1 and ?2 <> ?1 and user_id in (select value from json_each(?3))'
const nothing = '?1 = ?2 and ?3 is null'

/** Of a user's two statuses, the one changed last is kept. */
const dropOlderStatuses: JoinOfRows = {
  run: `
  delete from statuses where work_id = ?1 and user_id in (select value from json_each(?3)) and exists (
    select 1 from statuses as other
    where other.user_id = statuses.user_id and other.work_id = ?2 and other.changed_at > statuses.changed_at)`,
  where: ofUsers,
}

/** Both texts of a user's two notes are kept. */
const joinNotes: JoinOfRows = {
  run: `
  update notes set text = notes.text || char(10, 10) || other.text, updated_at = max(notes.updated_at, other.updated_at)
  from notes as other
  where notes.work_id = ?1 and notes.user_id in (select value from json_each(?3))
    and other.work_id = ?2 and other.user_id = notes.user_id`,
  where: ofUsers,
}

/** In a list with both, the survivor stands once, at the better place, and both notes are kept (D67). */
const joinListed: JoinOfRows = {
  run: `
  update list_works set place = min(list_works.place, other.place),
    note = list_works.note || iif(list_works.note = '' or other.note = '', '', char(10)) || other.note
  from list_works as other
  where list_works.work_id = ?1 and other.work_id = ?2 and other.list_id = list_works.list_id
    and other.id in (select value from json_each(?3))`,
  where: `work_id = ?1 and list_id in (
    select list_id from list_works as other where other.work_id = ?2 and other.id in (select value from json_each(?3)))`,
}

/** The survivor keeps its own covers; its version changes since it may have got one. */
const showCover: JoinOfRows = {
  run: `
  update works set version = version + 1
  where id = ?1 and exists (select 1 from images where work_id = ?2 and id in (select value from json_each(?3)))`,
  where: nothing,
}

/** Every column that references a row. Records come before episodes, which would move all records in one statement. */
export const moves: Readonly<Partial<Record<KindName, readonly Move[]>>> = {
  work: [
    move('records', 'work_id'),
    move('reviews', 'work_id'),
    move('activities', 'work_id'),
    // Before statuses, so that the library entry of a moved status keeps its number.
    move('library_entries', 'work_id', { also: '' }),
    move('statuses', 'work_id', { key: 'user_id', also: '', before: dropOlderStatuses }),
    move('laps', 'work_id', { also: '' }),
    move('notes', 'work_id', { key: 'user_id', also: '', before: joinNotes }),
    move('own_slots', 'work_id', { key: 'user_id', also: '' }),
    move('favorites', 'work_id', { also: '' }),
    move('list_works', 'work_id', { also: '', before: joinListed }),
    move('meetings', 'work_id', { also: '' }),
    move('episodes', 'work_id', { also: withWork }),
    move('casts', 'work_id', { also: withWork }),
    move('staffs', 'work_id', { also: withWork }),
    move('programs', 'work_id', { also: withWork }),
    move('work_aliases', 'work_id', { key: 'title', also: '' }),
    move('search_names', 'work_id', { key: 'title', also: '' }),
    move('series_works', 'work_id', { key: 'series_id', also: '' }),
    move('streams', 'work_id', { key: 'site', also: '' }),
    move('removed_parts', 'work_id', { key: 'table_name', also: '' }),
    move('program_slots', 'work_id', { also: '' }),
    move('images', 'work_id', { also: '', before: showCover }),
    move('former_images', 'work_id', { also: '' }),
    move('cover_fetches', 'work_id', { key: 'work_id', also: '' }),
  ],
  series: [move('series_works', 'series_id', { key: 'work_id', also: '' }), move('characters', 'series_id')],
  episode: [
    move('programs', 'episode_id'),
    move('records', 'episode_id'),
    move('skips', 'episode_id', { also: '' }),
    move('meeting_episodes', 'episode_id', { key: 'meeting_id', also: '' }),
    move('notifications', 'episode_id', { also: '' }),
  ],
  person: [
    move('casts', 'person_id'),
    move('staffs', 'person_id'),
    move('favorites', 'person_id', { also: '' }),
  ],
  organization: [move('staffs', 'organization_id'), move('favorites', 'organization_id', { also: '' })],
  character: [move('casts', 'character_id'), move('favorites', 'character_id', { also: '' })],
  channel: [
    move('programs', 'channel_id'),
    move('program_slots', 'channel_id', { also: '' }),
    move('user_channels', 'channel_id', { key: 'user_id', also: '' }),
  ],
  channel_group: [move('channels', 'channel_group_id')],
}

/** Also of a column that a split moves. */
export const findMove = (table: string, column: string): Move | undefined =>
  Object.values(moves)
    .flat()
    .find((one) => one.table === table && one.column === column)

/** Moves all references in batches, one per `yield`; restartable. */
export function* moveAll(
  handle: Database,
  kind: KindName,
  { from, to, log }: { readonly from: number; readonly to: number; readonly log: MergeLog },
): Generator<void> {
  for (const one of moves[kind] ?? []) {
    while (moveSome(handle, one, { from, to, log })) yield
  }
}

function moveSome(
  handle: Database,
  { table, column, key, also, before }: Move,
  { from, to, log }: { readonly from: number; readonly to: number; readonly log: MergeLog },
): boolean {
  const some = handle
    .query<never, [number]>(`select distinct ${key} from ${table} where ${column} = ? limit ${atOnce}`)
    .values(from)
  if (some.length === 0) return false
  const keys = JSON.stringify(some.map(([value]) => value))
  if (before !== undefined)
    log.changing({ table, where: before.where, values: [to, from, keys] }, () =>
      handle.query(before.run).run(to, from, keys),
    )
  const isInBatch = `${key} in (select value from json_each(?))`
  log.moving({ table, column, from, to, where: isInBatch, values: [keys] }, () =>
    handle
      .query(`update or ignore ${table} set ${column} = ?1${also} where ${column} = ?2 and ${ofBatch(key)}`)
      .run(to, from, keys),
  )
  if (also !== '') return true
  // Whatever could not move is a duplicate.
  const where = `${column} = ? and ${isInBatch}`
  log.changing({ table, where, values: [from, keys] }, () =>
    handle.query(`delete from ${table} where ${where}`).run(from, keys),
  )
  return true
}

const ofBatch = (key: string) => `${key} in (select value from json_each(?3))`

/** A batch of records takes about 10 ms on a small machine. */
const atOnce = 100
