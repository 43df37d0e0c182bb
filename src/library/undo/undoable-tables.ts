import { type RawBuilder, sql } from 'kysely'
import { counters } from '../../../db/facts/counters'
import { memberSource } from '../next-episode'
import {
  blockComesBack,
  favoriteComesBack,
  followComesBack,
  type GoneRow,
  requestComesBack,
} from './comebacks'

type Cell = string | number | null
export type RowColumns = Readonly<Record<string, Cell>>

interface UndoableTable {
  /** `user_id` in it is the user of the change; the other column is the change's `row_id`. */
  readonly key: readonly string[]
  readonly refers: Readonly<Record<string, string>>
  /** Tables whose rows are deleted with a row of this table, and the columns that refer to it. */
  readonly falls?: Readonly<Partial<Record<UndoableName, string>>>
  /** Why an inserted row cannot be deleted: SQL conditions on `row`. */
  readonly stays?: Reasons
  /** Why one may stay that its undo can leave. Undo of an act deletes the row all the same, as its user would (D42). */
  readonly mayStay?: Reasons
  /** Who has valued the row since a time, in epoch milliseconds: an undo that can leave its text does. */
  readonly isValued?: (since: RawBuilder<unknown>) => RawBuilder<unknown>
  /** Whether a deleted row may come back, as SQL; if not, an undo is refused. */
  readonly comesBack?: (gone: GoneRow) => RawBuilder<unknown>
  /** An insert is logged with its columns, if undo may leave the row: nothing in the row itself says that it was changed. */
  readonly isCompared?: true
  /** Other columns that are unique together: a deleted row does not come back beside one that has the same. */
  readonly once?: readonly string[]
  /** Columns that are kept up beside the others: an undo neither compares nor writes them. */
  readonly maintained?: readonly string[]
}

interface Reasons {
  readonly changed?: RawBuilder<unknown>
  readonly used?: RawBuilder<unknown>
}

export type UndoableName =
  | 'records'
  | 'reviews'
  | 'statuses'
  | 'library_entries'
  | 'laps'
  | 'skips'
  | 'notes'
  | 'episodes'
  | 'activities'
  | 'activity_records'
  | 'likes'
  | 'notifications'
  | 'comments'
  | 'own_slots'
  | 'favorites'
  | 'lists'
  | 'list_works'
  | 'shares'
  | 'follows'
  | 'follow_requests'
  | 'mutes'
  | 'blocks'

const ofUser = { user_id: 'users' } as const
const ofEntry = { record_id: 'records', review_id: 'reviews' } as const
const ofUserAndWork = { ...ofUser, work_id: 'works' } as const

const ofTwo = { follower_id: 'users', followed_id: 'users' } as const

const lapIsUsed = sql`exists (
    select 1 from episodes as e cross join records as r on r.user_id = row.user_id and r.episode_id = e.id
    where e.work_id = row.work_id and r.lap >= row.number)
  or exists (
    select 1 from episodes as e cross join skips as s on s.user_id = row.user_id and s.episode_id = e.id
    where e.work_id = row.work_id and s.lap >= row.number)
  or exists (
    select 1 from laps where user_id = row.user_id and work_id = row.work_id and number > row.number)`

/** What was deleted can come back to it. The last but one uses changes_deleted_from. */
const episodeIsUsed = sql`exists (select 1 from records where records.episode_id = row.id)
  or exists (select 1 from skips where episode_id = row.id)
  or exists (select 1 from programs where episode_id = row.id)
  or exists (select 1 from meeting_episodes where episode_id = row.id)
  or exists (select 1 from notifications where episode_id = row.id)
  or exists (select 1 from external_ids where kind = 'episode' and local_id = row.id)
  or exists (
    select 1 from changes where table_name in ('records', 'skips') and before is not null and after is null
      and cast(before ->> 'episode_id' as integer) = row.id)
  or exists (select 1 from episodes as e where e.work_id = row.work_id and e.sort_number > row.sort_number)`

/** It tells of the status that the work has; once left, it goes with the change of the status that it tells of. */
const activityIsUsed = sql`exists (
    select 1 from statuses as s where s.user_id = row.user_id and s.work_id = row.work_id
      and s.kind = row.status_kind and s.changed_at = row.created_at)
  or exists (
    select 1 from changes as own join changes as status on status.act_id = own.act_id and status.work_id = own.work_id
    where own.user_id = row.user_id and own.table_name = 'activities' and own.row_id = row.id
      and own.left_because is not null and status.table_name = 'statuses' and status.left_because is not null)`

/** The work has a status, or would get one back. */
const entryIsUsed = sql`exists (select 1 from statuses where user_id = row.user_id and work_id = row.work_id)
  or exists (
    select 1 from changes where user_id = row.user_id and table_name = 'statuses' and row_id = row.work_id)`

/** Of a review. */
const answeredSince = (since: RawBuilder<unknown>) =>
  sql`(exists (select 1 from likes where likes.review_id = row.id and likes.created_at >= ${since})
    or exists (select 1 from comments where comments.review_id = row.id and comments.created_at >= ${since}))`

/** What acts and imports change, and what is deleted with it; test/library/undo/tables.test.ts compares this with the schema. */
export const undoableTables: Readonly<Record<UndoableName, UndoableTable>> = {
  records: {
    key: ['id'],
    refers: { ...ofUserAndWork, episode_id: 'episodes' },
    falls: {
      ...{ activities: 'record_id', activity_records: 'record_id' },
      ...{ likes: 'record_id', comments: 'record_id' },
    },
    mayStay: {
      changed: sql`row.modified_at is not null`,
      used: sql`row.likes_count + row.comments_count > 0`,
    },
  },
  reviews: {
    key: ['id'],
    refers: ofUserAndWork,
    falls: { activities: 'review_id', likes: 'review_id', comments: 'review_id' },
    mayStay: {
      changed: sql`row.version > 1 and row.modified_at is not null`,
      used: sql`row.likes_count + row.comments_count > 0`,
    },
    isValued: answeredSince,
    isCompared: true,
  },
  statuses: { key: ['user_id', 'work_id'], refers: ofUserAndWork },
  library_entries: { key: ['id'], refers: ofUserAndWork, stays: { used: entryIsUsed } },
  laps: { key: ['id'], refers: ofUserAndWork, stays: { used: lapIsUsed } },
  skips: { key: ['id'], refers: { ...ofUser, episode_id: 'episodes' } },
  notes: { key: ['user_id', 'work_id'], refers: ofUserAndWork },
  episodes: {
    key: ['id'],
    refers: { work_id: 'works', source_id: 'sources' },
    falls: { skips: 'episode_id', notifications: 'episode_id' },
    stays: {
      changed: sql`row.estimated = 0 or row.source_id <> ${sql.lit(memberSource)} or row.title <> '' or row.owners <> '{}'`,
      used: episodeIsUsed,
    },
  },
  activities: {
    key: ['id'],
    refers: { ...ofUserAndWork, record_id: 'records', review_id: 'reviews' },
    falls: { activity_records: 'activity_id' },
    mayStay: { used: activityIsUsed },
  },
  activity_records: {
    key: ['activity_id', 'record_id'],
    refers: { activity_id: 'activities', record_id: 'records' },
  },
  likes: {
    key: ['id'],
    refers: { ...ofUser, ...ofEntry },
    falls: { notifications: 'like_id' },
  },
  notifications: {
    key: ['id'],
    refers: {
      ...ofUser,
      actor_id: 'users',
      like_id: 'likes',
      follow_id: 'follows',
      comment_id: 'comments',
      request_id: 'follow_requests',
      ...{ report_id: 'reports', proposal_id: 'catalogue_proposals' },
      ...{ episode_id: 'episodes', meeting_id: 'meetings' },
    },
  },
  comments: {
    key: ['id'],
    refers: { ...ofUser, owner_id: 'users', ...ofEntry, meeting_id: 'meetings' },
    falls: { notifications: 'comment_id' },
  },
  // The works that an act or an import made it with go first, in the order of an undo.
  lists: {
    key: ['id'],
    refers: ofUser,
    falls: { list_works: 'list_id' },
    stays: { used: sql`exists (select 1 from list_works where list_id = row.id)` },
    isCompared: true,
    maintained: ['updated_at'],
  },
  shares: { key: ['id'], refers: ofUser, once: ['user_id', 'period'], isCompared: true },
  list_works: { key: ['id'], refers: { ...ofUserAndWork, list_id: 'lists' }, once: ['list_id', 'work_id'] },
  own_slots: { key: ['user_id', 'work_id'], refers: ofUserAndWork, maintained: ['changed_at', 'next_at'] },
  // Works only: nothing else is a favourite by an act.
  favorites: {
    key: ['user_id', 'work_id'],
    refers: {
      ...ofUserAndWork,
      character_id: 'characters',
      person_id: 'people',
      organization_id: 'organizations',
    },
    comesBack: favoriteComesBack,
  },
  follows: {
    key: ['id'],
    refers: ofTwo,
    falls: { notifications: 'follow_id' },
    comesBack: followComesBack,
  },
  follow_requests: {
    key: ['id'],
    refers: ofTwo,
    falls: { notifications: 'request_id' },
    comesBack: requestComesBack,
  },
  mutes: { key: ['user_id', 'muted_id'], refers: { ...ofUser, muted_id: 'users' } },
  blocks: {
    key: ['user_id', 'blocked_id'],
    refers: { ...ofUser, blocked_id: 'users' },
    comesBack: blockComesBack,
  },
}

export const isUndoable = (name: string): name is UndoableName => Object.hasOwn(undoableTables, name)

/** The tables whose rows are deleted with a row of this one, and the columns that refer to it. */
export const fallsOf = (table: UndoableName): [UndoableName, string][] =>
  Object.entries(undoableTables[table].falls ?? {}).flatMap(([child, column]) =>
    isUndoable(child) ? [[child, column]] : [],
  )

/** Those that triggers maintain. */
export const keptByTriggers = (table: UndoableName): ReadonlySet<string> =>
  new Set([...counters.flatMap((counter) => (counter.table === table ? counter.column : [])), 'withheld'])

/** The columns that a change is about: without those that triggers, merges or moderators maintain (D120). */
export function ownColumns(table: UndoableName, row: RowColumns): RowColumns {
  const { key, refers, maintained = [] } = undoableTables[table]
  const kept = [...keptByTriggers(table), ...maintained, 'hidden_by', 'version']
  const others = new Set([...key, ...Object.keys(refers), ...kept])
  return Object.fromEntries(Object.entries(row).filter(([column]) => !others.has(column)))
}

/** Whether the row still has what the change wrote, in the columns that it logged. */
export const isSameRow = (table: UndoableName, row: RowColumns, logged: RowColumns): boolean =>
  Object.entries(ownColumns(table, logged)).every(([column, cell]) => row[column] === cell)
