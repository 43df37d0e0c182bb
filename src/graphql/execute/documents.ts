import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  MaxIntrospectionDepthRule,
  parse,
  type SelectionSetNode,
  specifiedRules,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { emptiedAtRest } from '../../lib/collect-garbage'
import { ownTurn, pauseIfLong } from '../../lib/turns'
import type { Catalogue } from '../schema/catalogue'
import { type FieldCounts, measure } from './measure'

/** A document that has passed limits and validation. */
export interface CheckedDocument {
  readonly ast: DocumentNode
  /** The selected fields of a type, sorted. */
  fieldsOf(type: string): readonly string[]
  /** The number of fields below a field, for one row. */
  countBelow(nodes: readonly FieldNode[]): number
}

const maxTokens = 15_000

/** Caches documents by their text: most clients send the same few. */
export function createDocuments(catalogue: Catalogue): (query: string) => Promise<CheckedDocument> {
  const kept = emptiedAtRest(
    new LRUCache<string, CheckedDocument>({
      max: 200,
      maxSize: 4_000_000,
      sizeCalculation: (_, query) => query.length * bytesPerCharacter,
    }),
  )
  return async (query) => {
    const known = kept.get(query)
    if (known !== undefined) return known
    const document = await readDocument(catalogue, query)
    kept.set(query, document)
    return document
  }
}

/** Size of a document's tree per character of its text. */
const bytesPerCharacter = 40

/** Throws an error, or several if the document is invalid. A large document is read with pauses. */
async function readDocument(catalogue: Catalogue, query: string): Promise<CheckedDocument> {
  const isLarge = query.length > largeQuery
  const ast = parse(query, { maxTokens })
  if (isLarge) await ownTurn()
  const counts = measure(ast)
  refuseNul(ast)
  for (const some of isLarge ? ruleGroups : [rules]) {
    await pauseIfLong()
    const problems = validate(catalogue.schema, ast, some, { maxErrors: 20 })
    if (problems.length > 0) throw new InvalidDocument(problems)
  }
  if (isLarge) await ownTurn()
  return planned(catalogue, ast, counts)
}

/** In characters. */
const largeQuery = 4000

/** `measure` already limits the depth of introspection. */
const rules = specifiedRules.filter((rule) => rule !== MaxIntrospectionDepthRule)

/** Each goes through the whole document. */
const ruleGroups = Array.from({ length: Math.ceil(rules.length / 4) }, (_, nth) =>
  rules.slice(nth * 4, nth * 4 + 4),
)

export class InvalidDocument extends Error {
  constructor(readonly problems: readonly GraphQLError[]) {
    super('the document is not valid')
  }
}

/** D12: texts must not contain NUL. */
function refuseNul(ast: DocumentNode): void {
  visit(ast, {
    StringValue: (node) => {
      if (node.value.includes('\0'))
        throw new GraphQLError('texts must not contain a NUL character', { nodes: node })
    },
  })
}

function planned(catalogue: Catalogue, ast: DocumentNode, counts: FieldCounts): CheckedDocument {
  const selected = new Map<string, Set<string>>()
  const types = new TypeInfo(catalogue.schema)
  visit(
    ast,
    visitWithTypeInfo(types, {
      Field: ({ name }) => {
        const parent = types.getParentType()?.name ?? ''
        const names = selected.get(parent) ?? new Set()
        selected.set(parent, names.add(name.value))
      },
    }),
  )
  const fields = new Map<string, readonly string[]>()
  return {
    ast,
    fieldsOf: (type) => {
      const known = fields.get(type) ?? catalogue.readFields(type, (name) => selected.get(name) ?? new Set())
      fields.set(type, known)
      return known
    },
    countBelow: (nodes) => nodes.reduce((sum, { selectionSet }) => sum + countOf(counts, selectionSet), 0),
  }
}

const countOf = (counts: FieldCounts, set: SelectionSetNode | undefined) =>
  set === undefined ? 0 : (counts.get(set) ?? 0)
