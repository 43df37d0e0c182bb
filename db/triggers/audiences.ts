import { counters } from '../facts/counters'
import { type Audience, audienceOf, audiences, isOwn } from '../facts/withheld'
import { sqlAbout, trigger, updateOf } from './trigger'

/**
 * The last statements of the trigger after an insert. They follow those that count the new row as it was inserted: the update
 * then counts it as it is.
 */
export function withholdNew(table: string): readonly string[] {
  const audience = audienceOf(table)
  if (audience === undefined) return []
  const level = sqlAbout('new', audience.level)
  const inserted = `update ${table} set withheld = ${level}\n  where ${keyOf(table, 'new')} and ${level} <> new.withheld`
  return [...(audience.isListed ? [countStep(table, '+', 'new')] : []), inserted]
}

export const unlistOld = (table: string): readonly string[] =>
  audienceOf(table)?.isListed === true ? [countStep(table, '-', 'old')] : []

export const audienceTriggers = (): readonly string[] => [
  ...audiences.flatMap(triggersOf),
  trigger(
    'activity_records_withheld_insert',
    // Only the first record of each level can change that of its activity.
    `after insert on activity_records
when ((select withheld from activities where id = new.activity_id) = 2)
  <> (select ${isOwn('records')} from records where id = new.record_id)`,
    levelOfActivities('id = new.activity_id'),
  ),
  trigger(
    'activity_records_withheld_delete',
    'after delete on activity_records',
    levelOfActivities('id = old.activity_id'),
  ),
]

function triggersOf(audience: Audience): readonly string[] {
  const { table, level, decidedBy } = audience
  const isCounted = counters.some(({ counts }) => counts === table)
  const set = `update ${table} set withheld = ${sqlAbout('new', level)}\n  where ${keyOf(table, 'new')}`
  const moved = trigger(
    `${table}_withheld_move`,
    updateOf(table, ...decidedBy.map((column) => `row.${column}`)),
    set,
    ...followers(table),
  )
  const own = isCounted
    ? []
    : [
        trigger(`${table}_withheld_insert`, `after insert on ${table}`, ...withholdNew(table)),
        ...(audience.isListed
          ? [trigger(`${table}_withheld_delete`, `after delete on ${table}`, ...unlistOld(table))]
          : []),
      ]
  return [...own, moved, ...(audience.isListed ? [listedTrigger(table)] : [])]
}

/** What is withheld with a row. */
function followers(table: string): readonly string[] {
  if (table === 'records')
    return [
      levelOfActivities('record_id = new.id'),
      levelOfActivities('id in (select activity_id from activity_records where record_id = new.id)'),
    ]
  if (table === 'reviews') return [levelOfActivities('review_id = new.id')]
  if (table !== 'statuses') return []
  // The unary + keeps SQLite off the index by work, where a popular one has thousands.
  return [
    `update activities set private = new.private or new.hidden_by is not null
  where user_id = new.user_id and +work_id = new.work_id and action = 'create_status' and id >= new.first_activity_id
    and private <> (new.private or new.hidden_by is not null)`,
  ]
}

function levelOfActivities(where: string): string {
  const level = sqlAbout('activities', audienceOf('activities')?.level ?? '')
  return `update activities set withheld = ${level}\n  where ${where} and withheld <> ${level}`
}

/** How many rows are not shared; and cached feeds look again at what its owner takes out of them or puts back. */
function listedTrigger(table: string): string {
  const told = [
    'insert into activity_deletions (activity_id)\n  select new.id where (old.withheld = 2) <> (new.withheld = 2)',
    'delete from activity_deletions where id <= (select max(id) from activity_deletions) - 10000',
  ]
  return trigger(
    `${table}_withheld_count`,
    updateOf(table, 'row.withheld'),
    `update withheld_rows set number = number + (new.withheld <> 0) - (old.withheld <> 0)
  where table_name = '${table}' and (new.withheld <> 0) <> (old.withheld <> 0)`,
    ...(table === 'activities' ? told : []),
  )
}

const countStep = (table: string, sign: '+' | '-', row: 'new' | 'old') =>
  `update withheld_rows set number = number ${sign} 1\n  where table_name = '${table}' and ${row}.withheld <> 0`

const keyOf = (table: string, row: string) =>
  table === 'statuses' ? `user_id = ${row}.user_id and work_id = ${row}.work_id` : `id = ${row}.id`
