import type { Answer } from './answers'
import { idProperties, labels, type Property, textProperties } from './properties'

export interface Item {
  /** Such as `Q1`. */
  readonly name: string
  readonly ids: ReadonlyMap<string, string | number>
  readonly texts: ReadonlyMap<string, string | number>
  readonly titles: readonly string[]
}

type Values = ReadonlyMap<string, ReadonlySet<string | number>>

/**
 * An item may stand for a whole franchise: an id counts only if no other item has it and the item has no other at that
 * site, a text only if the item has no other.
 */
export function* itemsIn(answers: readonly Answer[]): Generator<Item> {
  const bySite = valuesOf(answers, idProperties)
  const byField = valuesOf(answers, textProperties)
  const titles = valuesOf(answers, [labels]).get(labels.gives)
  const names = new Set([...bySite.values()].flatMap((values) => [...values.keys()]))
  const shared = new Map([...bySite].map(([site, values]) => [site, sharedIn(values)]))
  for (const name of names) {
    const ids = onlyValues(bySite, name)
    for (const [site, id] of ids) if (shared.get(site)?.has(id)) ids.delete(site)
    const aliases = [...(titles?.get(name) ?? [])].map(String)
    yield { name, ids, texts: onlyValues(byField, name), titles: aliases }
  }
}

function valuesOf(answers: readonly Answer[], of: readonly Property[]): Map<string, Values> {
  const found = new Map<string, Map<string, Set<string | number>>>()
  for (const property of of) {
    const values = found.get(property.gives) ?? new Map<string, Set<string | number>>()
    found.set(property.gives, values)
    for (const [item, text] of valuesIn(answers, property.name)) {
      const value = property.read(text)
      if (value !== undefined) values.set(item, (values.get(item) ?? new Set()).add(value))
    }
  }
  return found
}

const valuesIn = (answers: readonly Answer[], name: string) =>
  answers.filter(({ property }) => property === name).flatMap(({ values }) => values)

function onlyValues(all: ReadonlyMap<string, Values>, item: string): Map<string, string | number> {
  const only = new Map<string, string | number>()
  for (const [name, values] of all) {
    const [first, another] = values.get(item) ?? []
    if (first !== undefined && another === undefined) only.set(name, first)
  }
  return only
}

function sharedIn(values: Values): ReadonlySet<string | number> {
  const seen = new Set<string | number>()
  const shared = new Set<string | number>()
  for (const ids of values.values()) for (const id of ids) (seen.has(id) ? shared : seen).add(id)
  return shared
}
