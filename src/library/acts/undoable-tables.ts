import { type RawBuilder, sql } from 'kysely'
import { counters } from '../../../db/facts/counters'

export type Cell = string | number | null
export type Row = Readonly<Record<string, Cell>>

interface UndoableTable {
  readonly key: readonly string[]
  readonly refers: Readonly<Record<string, string>>
  /** Tables whose rows are deleted with a row of this table, and the columns that refer to it. */
  readonly falls?: Readonly<Partial<Record<TableName, string>>>
  /** Undo does not delete an inserted row that has changed since. */
  readonly staysIfChanged?: true
  /** SQL condition on `row`: whether other rows use it, so that undo cannot delete it. */
  readonly isUsed?: RawBuilder<unknown>
}

export type TableName =
  | 'records'
  | 'reviews'
  | 'statuses'
  | 'laps'
  | 'skips'
  | 'notes'
  | 'episodes'
  | 'activities'
  | 'activity_records'
  | 'likes'
  | 'notifications'

const ofUser = { user_id: 'users' } as const
const ofUserAndWork = { ...ofUser, work_id: 'works' } as const

const lapIsUsed = sql`exists (
    select 1 from episodes as e cross join records as r on r.user_id = row.user_id and r.episode_id = e.id
    where e.work_id = row.work_id and r.lap >= row.number)
  or exists (
    select 1 from episodes as e cross join skips as s on s.user_id = row.user_id and s.episode_id = e.id
    where e.work_id = row.work_id and s.lap >= row.number)
  or exists (
    select 1 from laps where user_id = row.user_id and work_id = row.work_id and number > row.number)`

const episodeIsUsed = sql`row.records_count > 0
  or exists (select 1 from skips where episode_id = row.id)
  or exists (select 1 from programs where episode_id = row.id)
  or exists (select 1 from external_ids where kind = 'episode' and local_id = row.id)
  or exists (select 1 from episodes as e where e.work_id = row.work_id and e.sort_number > row.sort_number)`

/** What acts change, and what is deleted with it; test/library/acts-tables.test.ts compares this with the schema. */
export const undoableTables: Readonly<Record<TableName, UndoableTable>> = {
  records: {
    key: ['id'],
    refers: { ...ofUserAndWork, episode_id: 'episodes' },
    falls: { activities: 'record_id', activity_records: 'record_id', likes: 'record_id' },
  },
  reviews: {
    key: ['id'],
    refers: ofUserAndWork,
    falls: { activities: 'review_id', likes: 'review_id' },
  },
  statuses: { key: ['user_id', 'work_id'], refers: ofUserAndWork, staysIfChanged: true },
  laps: { key: ['id'], refers: ofUserAndWork, isUsed: lapIsUsed },
  skips: { key: ['id'], refers: { ...ofUser, episode_id: 'episodes' } },
  notes: { key: ['user_id', 'work_id'], refers: ofUserAndWork, staysIfChanged: true },
  episodes: {
    key: ['id'],
    refers: { work_id: 'works', source_id: 'sources' },
    falls: { skips: 'episode_id' },
    staysIfChanged: true,
    isUsed: episodeIsUsed,
  },
  activities: {
    key: ['id'],
    refers: { ...ofUserAndWork, record_id: 'records', review_id: 'reviews' },
    falls: { activity_records: 'activity_id' },
  },
  activity_records: {
    key: ['activity_id', 'record_id'],
    refers: { activity_id: 'activities', record_id: 'records' },
  },
  likes: {
    key: ['id'],
    refers: { ...ofUser, record_id: 'records', review_id: 'reviews' },
    falls: { notifications: 'like_id' },
  },
  notifications: {
    key: ['id'],
    refers: { ...ofUser, actor_id: 'users', like_id: 'likes', follow_id: 'follows' },
  },
}

/** Columns that triggers maintain. */
export const counterColumns = (table: TableName): ReadonlySet<string> =>
  new Set(counters.flatMap((counter) => (counter.table === table ? counter.column : [])))

/** The columns in which row versions are compared: without those that triggers or merges maintain. */
export function ownColumns(table: TableName, row: Row): Row {
  const { key, refers } = undoableTables[table]
  const others = new Set([...key, ...Object.keys(refers), ...counterColumns(table), 'version'])
  return Object.fromEntries(Object.entries(row).filter(([column]) => !others.has(column)))
}

export const isSameRow = (table: TableName, one: Row, other: Row): boolean =>
  Bun.deepEquals(ownColumns(table, one), ownColumns(table, other))
