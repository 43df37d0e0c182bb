import { type Counter, counters, truthOf } from '../facts/counters'
import { unlistOld, withholdNew } from './audiences'
import { columnsOf, groupsOf, oneOrMoreLines, type Side, sqlAbout, trigger, updateOf } from './trigger'

export const counterTriggers = (): readonly string[] =>
  groupsOf(counters, ({ counts }) => counts).flatMap(triggersOf)

/** `counted`: all counters of one table's rows. One statement updates all counters on the same parent row. */
function triggersOf(counted: readonly Counter[]): readonly string[] {
  const [{ counts: table } = { counts: '' }] = counted
  const groups = groupsOf(counted, (counter) => `${counter.table} ${counter.by}`)
  return [
    trigger(
      `${table}_counts_insert`,
      `after insert on ${table}`,
      ...groups.map((group) => countStep(group, 'new')),
      ...withholdNew(table),
    ),
    trigger(
      `${table}_counts_delete`,
      `after delete on ${table}`,
      ...groups.map((group) => countStep(group, 'old')),
      ...unlistOld(table),
    ),
    ...groups.map((group) => moveTrigger(table, group)),
    ...counted.flatMap(readTriggers),
  ]
}

/** Adds a new row, or subtracts an old one. */
function countStep(group: readonly Counter[], row: Side): string {
  const [{ table, by } = { table: '', by: '' }] = group
  const sign = row === 'new' ? '+' : '-'
  const alone = group.length === 1
  const set = group.map(({ column, where }) => {
    const one = alone || where === undefined ? '1' : `(${sqlAbout(row, where)})`
    return `${column} = ${column} ${sign} ${one}`
  })
  const where = [`id = ${row}.${by}`, ...(alone ? group.flatMap((counter) => conditions(counter, row)) : [])]
  return update(table, set, where)
}

function conditions({ counts, by, where, distinct }: Counter, row: Side): readonly string[] {
  const counted = where === undefined ? [] : [sqlAbout(row, where)]
  if (distinct === undefined) return counted
  const same = [by, distinct].map((column) => `row.${column} = ${row}.${column}`)
  const others = [...same, ...(where === undefined ? [] : [where]), `row.id <> ${row}.id`]
  return [...counted, `not exists (select 1 from ${counts} as row where ${oneOrMoreLines(others, ' and')})`]
}

/** For an update that moves a row to another parent, or changes whether it is counted. */
function moveTrigger(table: string, group: readonly Counter[]): string {
  const [first] = group
  if (first === undefined) throw new Error('a group has a counter')
  const { by, distinct } = first
  const event = updateOf(table, `row.${by}`, ...(distinct ? [`row.${distinct}`] : []), ...decidedBy(group))
  const name = `${table}_counts_update_${by}`
  if (distinct !== undefined) return trigger(name, event, recountStatement(first, `old.${by}, new.${by}`))
  return trigger(name, event, countStep(group, 'old'), countStep(group, 'new'))
}

/** The condition, or the columns it reads if those are shorter. */
function decidedBy(group: readonly Counter[]): readonly string[] {
  const conditions = group.flatMap(({ where }) => where ?? [])
  const isLong = conditions.length > 1 || group.some(({ reads }) => reads !== undefined)
  return isLong ? columnsOf(...conditions).map((column) => `row.${column}`) : conditions
}

function readTriggers(counter: Counter): readonly string[] {
  const { counts, reads } = counter
  if (reads === undefined) return []
  const event = updateOf(reads.table, `row.${reads.column}`)
  return [
    trigger(
      `${reads.table}_counts_${counts}`,
      event,
      recountStatement(counter, sqlAbout('new', reads.affects)),
    ),
  ]
}

function recountStatement(counter: Counter, ids: string): string {
  const { table, column } = counter
  const truth = truthOf(counter)
  return update(table, [`${column} = ${truth}`], [`id in (${ids})`, `${column} <> ${truth}`])
}

function update(table: string, set: readonly string[], where: readonly string[]): string {
  const head = `update ${table} set ${oneOrMoreLines([...set, 'version = version + 1'], ',')}`
  return `${head}\n  where ${oneOrMoreLines(where, ' and')}`
}
