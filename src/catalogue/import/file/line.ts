import { inEnglish } from '../../../messages/languages'
import { InvalidValue } from '../../../values/value'
import { type Cell, key, siteId } from '../kinds/cells'
import type { Field, Kind } from '../kinds/field'
import { findKind } from '../kinds/kinds'
import { isObject, shown } from './json'
import { limits } from './limits'
import { readLists, type WorkLists } from './lists'

/** A field cleared with null: it becomes blank again, and any source may fill it. */
export const cleared = Symbol('cleared')

export type Given = Cell | typeof cleared | undefined

export interface Line {
  readonly kind: Kind
  readonly key: string | undefined
  /** By namespace; null removes the id. */
  readonly ids: ReadonlyMap<string, string | null>
  /** In the order of the kind's fields; a reference is still a key here, not an id. */
  readonly given: Given[]
  readonly lists: WorkLists
  readonly deleted: boolean
  readonly mergedInto: string | undefined
  /** Only files of corrections have it. */
  readonly was: Was | undefined
}

/** What sources said where a line's fields were corrected. Undefined: the line does not correct that, or not in this list. */
export interface Was {
  readonly ids: ReadonlyMap<string, string | null>
  readonly given: readonly Given[]
  readonly lists: WorkLists
  readonly deleted: boolean | undefined
}

/** Returns an error sentence if the line breaks a rule. */
export function readLine(value: unknown, warn: (sentence: string) => void): Line | string {
  if (!isObject(value)) return 'not a JSON object'
  const { type } = value
  const kind = typeof type === 'string' ? findKind(type) : undefined
  if (kind === undefined) return `type ${shown(type)} is unknown`
  warnOfUnknown(kind, value, warn)
  const known = readIdentity(kind, value)
  if (typeof known === 'string') return known
  const given = readFields(kind, value)
  if (typeof given === 'string') return given
  const lists = readLists(kind, value)
  if (typeof lists === 'string') return lists
  const was = readWas(kind, value.was)
  if (typeof was === 'string') return was
  return { kind, given, lists, was, ...known }
}

function readWas(kind: Kind, was: unknown): Was | string | undefined {
  if (was === undefined) return undefined
  if (!isObject(was)) return 'was must be an object'
  const { deleted } = was
  const ids = readIds(was.ids)
  if (typeof ids === 'string') return `was.${ids}`
  if (deleted !== undefined && typeof deleted !== 'boolean') return 'was.deleted must be true or false'
  const given = readCells(kind, was)
  if (typeof given === 'string') return `was.${given}`
  const lists = readLists(kind, was)
  return typeof lists === 'string' ? `was.${lists}` : { ids, given, lists, deleted }
}

type Identity = Pick<Line, 'key' | 'ids' | 'deleted' | 'mergedInto'>

function readIdentity(kind: Kind, value: Record<string, unknown>): Identity | string {
  const { deleted = false, merged_into: mergedInto } = value
  const ids = readIds(value.ids)
  if (typeof ids === 'string') return ids
  if (typeof deleted !== 'boolean') return 'deleted must be true or false'
  const mustHaveKey = kind.keyless !== true || deleted || mergedInto !== undefined
  const ownKey = readKey(value.key)
  if (ownKey instanceof InvalidValue) return `key ${inEnglish(ownKey.rule)}`
  if (ownKey === undefined && mustHaveKey) return 'key is missing'
  const target = readKey(mergedInto)
  if (target instanceof InvalidValue) return `merged_into ${inEnglish(target.rule)}`
  return { key: ownKey, ids, deleted, mergedInto: target }
}

const readKey = (value: unknown) => (value === undefined ? undefined : key.take(value))

function readIds(value: unknown): Map<string, string | null> | string {
  const ids = new Map<string, string | null>()
  if (value === undefined || value === null) return ids
  if (!isObject(value)) return 'ids must be an object'
  if (Object.keys(value).length > limits.ids) return `ids must not name more than ${limits.ids} sites`
  for (const [namespace, id] of Object.entries(value)) {
    if (!/^[A-Za-z][\w-]{0,39}$/.test(namespace)) return `ids.${namespace} is no name of a site`
    const read = id === null ? null : siteId(namespace).take(id)
    if (read instanceof InvalidValue) return `ids.${namespace} ${inEnglish(read.rule)}`
    ids.set(namespace, read)
  }
  return ids
}

function readFields(kind: Kind, value: Record<string, unknown>): Given[] | string {
  const given = readCells(kind, value)
  if (typeof given === 'string') return given
  const isGiven = (column: string) => {
    const cell = given[kind.fields.findIndex((field) => field.column === column)]
    return cell !== undefined && cell !== cleared
  }
  const isRow = value.deleted !== true && value.merged_into === undefined
  return (isRow ? kind.rule?.(isGiven) : undefined) ?? given
}

function readCells(kind: Kind, value: Record<string, unknown>): Given[] | string {
  const given: Given[] = []
  for (const field of kind.fields) {
    const cell = readField(field, value)
    if (cell instanceof InvalidValue) return `${field.path.join('.')} ${inEnglish(cell.rule)}`
    given.push(cell)
  }
  return given
}

function readField(field: Field, line: Record<string, unknown>): Given | InvalidValue {
  const value = valueAt(field.path, line)
  if (value === undefined || value instanceof InvalidValue) return value ?? field.absent
  const blank =
    value === null || (field.required === true && typeof value === 'string' && value.trim() === '')
  if (!blank) return field.value.take(value)
  return field.required === true ? mustNotBeBlank : cleared
}

/** Null for an object clears all of its fields. */
function valueAt([name, inner]: Field['path'], line: Record<string, unknown>): unknown {
  const value = line[name]
  if (inner === undefined || value === undefined || value === null) return value
  return isObject(value) ? value[inner] : notObject
}

function warnOfUnknown(kind: Kind, line: Record<string, unknown>, warn: (sentence: string) => void): void {
  const known = knownNames(kind)
  for (const name in line) {
    if (!known.has(name)) warn(`unknown field "${name}" of ${kind.name} is ignored`)
    const inner = known.get(name)
    const value = line[name]
    if (inner === undefined || inner.size === 0 || !isObject(value)) continue
    for (const part in value) {
      if (!inner.has(part)) warn(`unknown field "${name}.${part}" of ${kind.name} is ignored`)
    }
  }
}

function knownNames(kind: Kind): Map<string, Set<string>> {
  const before = namesByKind.get(kind)
  if (before !== undefined) return before
  const names = new Map([...common, ...(kind.lists ?? [])].map((name) => [name, new Set<string>()]))
  for (const { path } of kind.fields) {
    const [name, inner] = path
    const inside = names.get(name) ?? new Set()
    if (inner !== undefined && name !== 'ids') inside.add(inner)
    names.set(name, inside)
  }
  namesByKind.set(kind, names)
  return names
}

const namesByKind = new Map<Kind, Map<string, Set<string>>>()
const common = ['type', 'key', 'ids', 'sources', 'deleted', 'merged_into', 'was', 'reason', 'evidence']
const notObject = new InvalidValue((t) => t.values.inObject)
const mustNotBeBlank = new InvalidValue((t) => t.values.notBlank)
