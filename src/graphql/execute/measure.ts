import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'

const maxDepth = 15
const maxIntrospectionDepth = 20
const maxFields = 5000
const maxMutations = 250
const maxNested = 3
const maxDefinitions = 100

/** Pairs of fields that validation compares. */
const maxPairs = 250_000

/** Estimated size of an introspection's answer; the usual query comes to half of this. */
const maxIntrospected = 130_000

/** Average lengths of introspection's lists; for `__type`, how much larger a named type may be. */
const lengths: Readonly<Record<string, number | undefined>> = {
  __type: 7,
  types: 110,
  fields: 5,
  args: 2,
  inputFields: 2,
  enumValues: 2,
  possibleTypes: 2,
  directives: 6,
}

/** A type that something refers to has more fields than average. */
const lengthOf = (name: string, { nested }: Size) =>
  name === 'type' && nested > 0 ? 2 : (lengths[name] ?? 1)

interface Size {
  readonly fields: number
  readonly depth: number
  /** How deeply `fields` of `__Type` are nested. */
  readonly nested: number
  readonly introspected: number
}

/** The number of fields in each selection; a fragment's count each time it is spread. */
export type FieldCounts = ReadonlyMap<SelectionSetNode, number>

/** Runs before validation, whose cost grows with the square of what is counted here. Throws if a limit is exceeded. */
export function measure(document: DocumentNode): FieldCounts {
  const measurer = new Measurer(document)
  const executable = document.definitions.filter((one) => 'selectionSet' in one)
  if (executable.length > maxDefinitions) throw tooMuch(`has more than ${maxDefinitions} fragments`)
  for (const one of executable) {
    checkSize(measurer.sizeOf(one.selectionSet), isIntrospection(one.selectionSet))
    if (one.kind === 'OperationDefinition') checkRoots(one, measurer.fieldsIn(one.selectionSet))
    if (measurer.pairsIn(one.selectionSet) > maxPairs) throw tooMuch('has too many fields with the same name')
  }
  return measurer.counts
}

/** True for fragments too, as in the usual introspection query. */
const isIntrospection = ({ selections }: SelectionSetNode): boolean =>
  selections.every((one) => one.kind === 'Field' && one.name.value.startsWith('__'))

function checkSize({ fields, depth, nested, introspected }: Size, introspects: boolean): void {
  const deepest = introspects ? maxIntrospectionDepth : maxDepth
  if (depth > deepest) throw tooMuch(`is more than ${deepest} fields deep`)
  if (fields > maxFields) throw tooMuch(`has more than ${maxFields.toLocaleString('en')} fields`)
  if (nested > maxNested) throw tooMuch(`has fields of types more than ${maxNested} times inside each other`)
  if (introspected > maxIntrospected) throw tooMuch('asks for too much of the schema at once')
}

function checkRoots({ operation }: OperationDefinitionNode, roots: readonly FieldNode[]): void {
  if (operation === 'mutation' && roots.length > maxMutations)
    throw tooMuch(`has more than ${maxMutations} mutations`)
  if (roots.filter(({ name }) => name.value === '__schema').length > 1)
    throw tooMuch('has more than one __schema')
}

const tooMuch = (what: string) => new GraphQLError(`the query ${what}`)

const empty: Size = { fields: 0, depth: 0, nested: 0, introspected: 0 }

/** Measures each selection and fragment once. */
class Measurer {
  readonly counts = new Map<SelectionSetNode, number>()
  readonly #sizes = new Map<SelectionSetNode, Size>()
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly #open = new Set<SelectionSetNode>()
  #followed = 0

  constructor({ definitions }: DocumentNode) {
    this.#fragments = new Map(
      definitions.flatMap((one) =>
        one.kind === 'FragmentDefinition' ? [[one.name.value, one] as const] : [],
      ),
    )
  }

  sizeOf(set: SelectionSetNode | undefined): Size {
    if (set === undefined) return empty
    const known = this.#sizes.get(set)
    if (known !== undefined) return known
    if (this.#open.has(set)) throw new GraphQLError('a fragment must not spread itself')
    if (this.#open.size > deepestNesting) throw tooMuch('is nested too deeply')
    this.#open.add(set)
    const size = set.selections.map((selection) => this.#sizeOfSelection(selection)).reduce(together, empty)
    this.#open.delete(set)
    this.#sizes.set(set, size)
    this.counts.set(set, size.fields)
    return size
  }

  #sizeOfSelection(selection: SelectionNode): Size {
    if (selection.kind === 'FragmentSpread') return this.sizeOf(this.#fragmentOf(selection.name.value))
    const inside = this.sizeOf(selection.selectionSet)
    if (selection.kind === 'InlineFragment') return inside
    const name = selection.name.value
    return {
      fields: inside.fields + 1,
      depth: inside.depth + 1,
      nested: inside.nested + (name === 'fields' ? 1 : 0),
      introspected: (inside.introspected + 1) * lengthOf(name, inside),
    }
  }

  /** The fields directly in a selection, including those of its fragments. */
  fieldsIn(set: SelectionSetNode): FieldNode[] {
    this.#followed += set.selections.length
    if (this.#followed > maxFollowed) throw tooMuch('spreads its fragments too often')
    return set.selections.flatMap((selection) => {
      if (selection.kind === 'Field') return [selection]
      const inside =
        selection.kind === 'InlineFragment' ? selection.selectionSet : this.#fragmentOf(selection.name.value)
      return inside === undefined ? [] : this.fieldsIn(inside)
    })
  }

  /** The number of pairs of fields with the same name in the same place. */
  pairsIn(...sets: readonly SelectionSetNode[]): number {
    const named = Map.groupBy(
      sets.flatMap((set) => this.fieldsIn(set)),
      ({ alias, name }) => (alias ?? name).value,
    )
    let pairs = 0
    for (const fields of named.values()) {
      const inside = fields.flatMap(({ selectionSet }) => selectionSet ?? [])
      pairs += (fields.length * (fields.length - 1)) / 2 + (inside.length === 0 ? 0 : this.pairsIn(...inside))
    }
    return pairs
  }

  #fragmentOf(name: string): SelectionSetNode | undefined {
    return this.#fragments.get(name)?.selectionSet
  }
}

/** Nested fragments may have no fields between them, so depth does not limit them. */
const deepestNesting = 200

/** The most selections looked through, counting a fragment's each time it is spread. */
const maxFollowed = 40_000

const together = (one: Size, other: Size): Size => ({
  fields: one.fields + other.fields,
  depth: Math.max(one.depth, other.depth),
  nested: Math.max(one.nested, other.nested),
  introspected: one.introspected + other.introspected,
})
