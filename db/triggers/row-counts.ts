import { blockBits, type CountedList, countedLists, keyedLists } from '../facts/row-counts'
import { keyedTriggers, splitNew, stepsOf } from './keyed-rows'
import { groupsOf, oneOrMoreLines, type Side, sqlAbout, trigger, updateOf } from './trigger'

export const rowCountTriggers = (): readonly string[] =>
  [...new Set([...countedLists, ...keyedLists].map(({ table }) => table))].flatMap(triggersOf)

function triggersOf(table: string): readonly string[] {
  const lists = countedLists.filter((list) => list.table === table)
  const keyed = keyedLists.filter((list) => list.table === table)
  const keys = keyed.map(({ list, by }) => `('${list}', new.${by}, -1, 1)`)
  const when = whenCounted(lists)
  return [
    trigger(
      `${table}_rows_insert`,
      `after insert on ${table}${when('new')}`,
      addTo([...keys, ...lists.flatMap((list) => cellsOf(list, 'new').map((cell) => `(${cell})`))]),
      ...splitNew(keyed),
    ),
    trigger(
      `${table}_rows_delete`,
      `after delete on ${table}${when('old')}`,
      ...lists.map((list) => removeFrom(list, 'old')),
      ...stepsOf(keyed, 'old', -1),
    ),
    ...lists.filter((list) => readBy(list).length > 0).map(updateTrigger),
    ...keyedTriggers(table, keyed),
    ...lists.flatMap(exceptionTriggers),
  ]
}

/** All lists of a table must have the same condition. */
function whenCounted(lists: readonly CountedList[]): (row: Side) => string {
  const [where, ...others] = groupsOf(lists, (list) => list.where ?? '').map(([list]) => list?.where)
  if (others.length > 0) throw new Error('one trigger has one condition')
  return (row) => (where === undefined ? '' : ` when ${sqlAbout(row, where)}`)
}

const readBy = ({ decidedBy, key, where }: CountedList): readonly string[] =>
  [decidedBy, key && `row.${key}`, where].filter((sql) => sql !== undefined)

/** For an update that moves a row to another list or key, or changes whether it is counted. */
function updateTrigger(list: CountedList): string {
  const { table, key, where } = list
  const name = `${table}_rows_update${key === undefined ? '' : `_${key}`}`
  const added = cellsOf(list, 'new').map((cell) =>
    where ? `select ${cell} where ${sqlAbout('new', where)}` : `(${cell})`,
  )
  return trigger(name, updateOf(table, ...readBy(list)), removeFrom(list, 'old'), addTo(added))
}

function exceptionTriggers({ unless, ...list }: CountedList): readonly string[] {
  if (unless === undefined) return []
  const { table, by } = unless
  const added = cellsOf(list, 'old', by).map((cell) => `(${cell})`)
  return [
    trigger(`${table}_rows_insert`, `after insert on ${table}`, removeFrom(list, 'new', by)),
    trigger(`${table}_rows_delete`, `after delete on ${table}`, addTo(added)),
  ]
}

function cellsOf({ list, key, blocks }: CountedList, row: Side, id = 'id'): readonly string[] {
  const under = `${sqlAbout(row, list)}, ${key === undefined ? 0 : `${row}.${key}`}`
  const total = `${under}, -1, 1`
  return blocks ? [`${under}, ${row}.${id} >> ${blockBits}, 1`, total] : [total]
}

/** `cells` are value rows or select statements. */
function addTo(cells: readonly string[]): string {
  const rows = cells[0]?.startsWith('select')
    ? cells.join('\n    union all ')
    : `values\n    ${cells.join(',\n    ')}`
  return `insert into row_counts (list, key, block, n) ${rows}\n  on conflict do update set n = n + 1`
}

function removeFrom({ list, key, where, blocks }: CountedList, row: Side, id = 'id'): string {
  const which = [
    `list = ${sqlAbout(row, list)}`,
    `key = ${key === undefined ? 0 : `${row}.${key}`}`,
    blocks ? `block in (${row}.${id} >> ${blockBits}, -1)` : 'block = -1',
    ...(where ? [sqlAbout(row, where)] : []),
  ]
  return `update row_counts set n = n - 1\n  where ${oneOrMoreLines(which, ' and')}`
}
