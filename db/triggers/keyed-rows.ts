import { type KeyedList, keyedLists, splitFrom } from '../facts/row-counts'
import { isChanged, oneOrMoreLines, type Side, trigger } from './trigger'

/** Splits a new row's key into blocks if it is large, or adds to its blocks. Runs after the totals are updated. */
export function splitNew(lists: readonly KeyedList[]): readonly string[] {
  if (lists.length === 0) return []
  const keys = lists.map(({ list, by }) => `list = '${list}' and key = new.${by}`)
  return [
    `insert into row_count_splits (list, key, likes, id, step, n)
  select list, key, ${likesOf(lists, 'new')}, new.id, 1, n from row_counts
  where block = -1 and n >= ${splitFrom} and (${oneOrMoreLines(keys, ' or')})`,
  ]
}

export function stepsOf(lists: readonly KeyedList[], row: Side, step: 1 | -1): readonly string[] {
  if (lists.length === 0) return []
  const steps = lists.map(
    ({ list, by }) => `('${list}', ${row}.${by}, ${likesOf(lists, row)}, ${row}.id, ${step})`,
  )
  return [`insert into row_count_steps (list, key, likes, id, step) values\n    ${steps.join(',\n    ')}`]
}

const likesOf = (lists: readonly KeyedList[], row: Side) =>
  lists.some(({ byLikes }) => byLikes) ? `${row}.likes_count` : 'null'

export const keyedTriggers = (table: string, lists: readonly KeyedList[]): readonly string[] =>
  lists.length === 0 ? [] : [moveTrigger(table, lists), ...likesTrigger(table, lists)]

function moveTrigger(table: string, lists: readonly KeyedList[]): string {
  const columns = lists.map(({ by }) => by)
  const steps = lists.flatMap(({ list, by }) =>
    (['old', 'new'] as const).map((row) => {
      const cell = `'${list}', ${row}.${by}, ${likesOf(lists, row)}, ${row}.id, ${row === 'new' ? 1 : -1}`
      return `select ${cell} where ${isChanged(`row.${by}`)}`
    }),
  )
  return trigger(
    `${table}_rows_move`,
    `after update of ${columns.join(', ')} on ${table}\nwhen ${isChanged(...columns.map((by) => `row.${by}`))}`,
    `insert into row_count_steps (list, key, likes, id, step)\n  ${steps.join('\n  union all ')}`,
  )
}

function likesTrigger(table: string, lists: readonly KeyedList[]): readonly string[] {
  const liked = lists.filter(({ byLikes }) => byLikes)
  if (liked.length === 0) return []
  const keys = liked.map(
    ({ list, by }) => `select '${list}' as list, new.${by} as key where old.${by} = new.${by}`,
  )
  return [
    trigger(
      `${table}_rows_liked`,
      `after update of likes_count on ${table}\nwhen old.likes_count <> new.likes_count`,
      `insert into row_count_likes (list, key, old_likes, new_likes, id)
  select kept.list, kept.key, old.likes_count, new.likes_count, new.id from (
    ${keys.join('\n    union all ')}) as kept
  where exists (select 1 from row_counts where list = kept.list and key = kept.key and block >= 0)`,
    ),
  ]
}

/** The rows of all keyed lists, from which the blocks of a large key are built. */
export const keyedView = (): string =>
  `create view keyed_rows (list, key, likes, id) as\n  ${keyedLists.map(rowsOf).join(' union all\n  ')};\n`

const rowsOf = ({ table, list, by, byLikes }: KeyedList) =>
  `select '${list}', ${by}, ${byLikes ? 'likes_count' : 'null'}, id from ${table}`
