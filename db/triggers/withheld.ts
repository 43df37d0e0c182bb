import { type Withheld, withheld, withheldTruth } from '../facts/withheld'
import { trigger, updateOf } from './trigger'

export const withheldTriggers = (): readonly string[] => [
  ...withheld.flatMap(triggersOf),
  ...[...new Set(withheld.flatMap(({ refersTo }) => Object.values(refersTo)))].map(triggerOfOther),
]

function triggersOf(rows: Withheld): readonly string[] {
  const { table, refersTo } = rows
  const columns = Object.keys(refersTo).map((column) => `row.${column}`)
  const truth = withheldTruth(rows, 'new')
  return [
    trigger(
      `${table}_withheld_insert`,
      `after insert on ${table}\nwhen ${truth}`,
      `update ${table} set withheld = 1 where id = new.id`,
    ),
    trigger(
      `${table}_withheld_move`,
      updateOf(table, ...columns),
      `update ${table} set withheld = ${truth}\n  where id = new.id`,
    ),
  ]
}

/** Hiding a row withholds all rows that refer to it; showing it undoes that. */
function triggerOfOther(other: string): string {
  const updates = withheld.flatMap((rows) =>
    Object.entries(rows.refersTo)
      .filter(([, table]) => table === other)
      .map(
        ([column]) =>
          `update ${rows.table} set withheld = ${withheldTruth(rows)}\n  where ${column} = new.id`,
      ),
  )
  return trigger(`${other}_withhold`, updateOf(other, 'row.hidden = 0'), ...updates)
}
