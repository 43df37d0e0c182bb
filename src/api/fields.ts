import { type Bytes, bytesOf, textOf } from '../http/bytes'
import { matching } from '../values/text'
import { described, param } from './params'

/** Selected fields by name: `true` selects a whole field, a tree selects inside it (D16). */
export type Selection = ReadonlyMap<string, Selection | true>

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

export const fieldsNote =
  'With `fields`, only the selected fields are returned, although the schema requires all.'

export const fieldsParam = param(
  matching('^[a-z0-9_.,]+$', (t) => t.values.fields),
  `Only these fields are returned; \`work.title\` selects a field of a nested object, \`work\` the whole object. ${fieldsNote}`,
  'id,title',
)

/** The parameter `fields` of a write (D16). */
export const replyFieldsParam = described(
  fieldsParam,
  `Extension: only these fields of the reply are returned. ${fieldsNote}`,
)

export const itemFieldsParam = described(
  fieldsParam,
  `Extension: only these fields of each item of the reply are returned, as in lists. ${fieldsNote}`,
)

/** Unknown and malformed names stay in the tree, where they match nothing. */
export function parseFields(text: string): Selection {
  const root = new Map<string, Selection | true>()
  for (const path of text.split(',')) addPath(root, path.split('.', maxDepth + 1))
  return root
}

/** Nothing is nested deeper, so a longer path matches nothing. */
const maxDepth = 6

function addPath(tree: Map<string, Selection | true>, [name = '', ...rest]: string[]): void {
  if (name === '') return
  const inside = tree.get(name)
  if (inside === true) return
  if (rest.length === 0) {
    tree.set(name, true)
    return
  }
  const branch = (inside as Map<string, Selection | true> | undefined) ?? new Map<string, Selection | true>()
  tree.set(name, branch)
  addPath(branch, rest)
}

/** Omits an object with nothing selected, keeps null, and selects from arrays item by item (D16). */
export function select(
  value: { readonly [name: string]: Json },
  selection: Selection,
): { [name: string]: Json } {
  const kept: [string, Json][] = []
  for (const [name, inside] of selectedEntries(value, selection)) kept.push([name, inside])
  return Object.fromEntries(kept)
}

/** `items`: key of the array to select from. Parsing its items one by one would take twice as long. */
export function selectJson(json: Bytes, selection: Selection, items?: string): Bytes {
  const value = JSON.parse(textOf(json))
  const selected =
    items === undefined
      ? selectAny(value, selection)
      : { ...value, [items]: selectAny(value[items], selection) }
  return bytesOf(JSON.stringify(selected))
}

const selectAny = (
  value: { readonly [name: string]: Json } | readonly { readonly [name: string]: Json }[],
  selection: Selection,
) => (isArray(value) ? value.map((item) => select(item, selection)) : select(value, selection))

function* selectedEntries(value: { readonly [name: string]: Json }, selection: Selection) {
  for (const name of Object.keys(value)) {
    const chosen = selection.get(name)
    const field = value[name]
    if (chosen === undefined || field === undefined) continue
    const kept = chosen === true ? field : selectInside(field, chosen)
    if (kept !== undefined) yield [name, kept] as const
  }
}

function selectInside(value: Json, selection: Selection): Json | undefined {
  if (value === null) return null
  if (isArray(value)) return selectItems(value, selection)
  if (typeof value !== 'object') return undefined
  const kept = select(value, selection)
  return Object.keys(kept).length === 0 ? undefined : kept
}

function selectItems(items: readonly Json[], selection: Selection): readonly Json[] | undefined {
  const kept = items.map((item) => selectInside(item, selection))
  if (items.length > 0 && kept.every((item) => item === undefined)) return undefined
  return kept.map((item) => item ?? {})
}

const isArray = (value: Json): value is readonly Json[] => Array.isArray(value)
