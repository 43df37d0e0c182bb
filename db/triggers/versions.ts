import { type DependentVersion, dependentVersions, hiddenWithWork, versioned } from '../facts/versions'
import { sqlAbout, trigger, updateOf } from './trigger'

/** Raises a row's version unless the update does so itself: cached renderings are keyed by it. */
export const versionTriggers = (): readonly string[] =>
  versioned.map((table) =>
    trigger(
      `${table}_version`,
      `after update on ${table} when new.version = old.version`,
      `update ${table} set version = old.version + 1 where id = new.id`,
    ),
  )

export const dependentVersionTriggers = (): readonly string[] => dependentVersions.flatMap(triggersOf)

function triggersOf(raise: DependentVersion): readonly string[] {
  const { table, column, where, after, columns } = raise
  const set = [...new Set([column, 'version'])].map((name) => `${name} = ${name} + 1`).join(', ')
  const step = (row: 'old' | 'new') => `update ${table} set ${set} where ${sqlAbout(row, where)}`
  if (columns !== undefined) {
    const event = updateOf(after, ...columns.map((name) => `row.${name}`))
    return [trigger(`${after}_${column}_of_${table}`, event, step('new'))]
  }
  return [
    trigger(`${after}_${column}_insert`, `after insert on ${after}`, step('new')),
    trigger(`${after}_${column}_delete`, `after delete on ${after}`, step('old')),
  ]
}

/** Hiding a work hides its rows, showing it shows them again. Guards refuse a row that disagrees with its work. */
export const hiddenTriggers = (): readonly string[] => [
  trigger(
    'works_hide',
    'after update of hidden on works when old.hidden <> new.hidden',
    ...hiddenWithWork.map(
      (table) =>
        `update ${table} set hidden = (hidden & 1) | (new.hidden * 2), version = version + 1 where work_id = new.id`,
    ),
  ),
  ...hiddenWithWork.flatMap((table) => [
    guard(`${table}_guard_insert`, `before insert on ${table}`, table),
    guard(`${table}_guard_update`, `before update of work_id, hidden on ${table}`, table),
  ]),
]

const guard = (name: string, event: string, table: string) =>
  trigger(
    name,
    `${event}\nwhen (new.hidden >> 1) <> (select hidden from works where id = new.work_id)`,
    `select raise(abort, '${table}.hidden disagrees with its work')`,
  )
