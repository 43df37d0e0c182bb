import { fold } from '../../lib/fold'
import type { CatalogueWork, Known } from '../known'
import { type CatalogueLine, defineSource, headerOf } from '../source'
import {
  idProperties,
  labels,
  type Property,
  readAnswer,
  requests,
  textProperties,
  type WikidataAnswer,
} from './wikidata/answers'

/** Adds missing ids and texts to works in the catalogue. */
export const wikidata = defineSource<WikidataAnswer>({
  name: 'wikidata',
  title: 'Wikidata',
  licence: 'CC0',
  home: 'https://www.wikidata.org/',
  hosts: ['query.wikidata.org'],
  intervalMs: 30 * 86_400_000,
  // Each minute allows one minute of query time, which a single query may use up.
  pace: { perSecond: 0.2 },
  maxBytes: 32 * 1024 * 1024,
  settings: [],
  matchTitles: false,
  requests,
  read: readAnswer,
  lines: linesOf,
})

/** Only for works in the catalogue: the importer refuses new ones without a title. */
function* linesOf(answers: readonly WikidataAnswer[], known: Known): Generator<CatalogueLine> {
  yield headerOf('wikidata')
  const found = [...itemsIn(answers)].flatMap((item) => {
    const work = workOf(item, known)
    return work === undefined ? [] : [{ item, work }]
  })
  const byWork = Map.groupBy(found, ({ work }) => work.id)
  // If there are several items, it is unknown which one is the work.
  for (const [only, another] of byWork.values())
    if (only !== undefined && another === undefined) yield lineOf(only.item, only.work)
}

interface Item {
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
function* itemsIn(answers: readonly WikidataAnswer[]): Generator<Item> {
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

function valuesOf(answers: readonly WikidataAnswer[], of: readonly Property[]): Map<string, Values> {
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

const valuesIn = (answers: readonly WikidataAnswer[], name: string) =>
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

/** Undefined if the item's ids lead to several works or contradict those of the work. */
function workOf({ name, ids }: Item, known: Known): CatalogueWork | undefined {
  const found = [
    known.work('wikidata', name),
    ...sitesOf(ids).map(([site, id]) => known.onlyWork(site, String(id))),
  ]
  const works = new Map(found.flatMap((one) => (one === undefined ? [] : [[one.id, one]])))
  const [work, another] = works.values()
  if (work === undefined || another !== undefined) return undefined
  const contradicts = sitesOf(ids).some(([site, id]) => work.ids.get(site)?.includes(String(id)) === false)
  return contradicts ? undefined : work
}

const sitesOf = (ids: Item['ids']) => [...ids].filter(([site]) => matching.includes(site))

/** Sites by whose ids the importer finds a work; others assign ids to whole series. */
const matching = ['mal', 'anilist', 'anidb', 'bangumi']

function lineOf({ name, ids, texts, titles }: Item, work: CatalogueWork): CatalogueLine {
  const aliases = titles.filter((title) => fold(title) !== fold(work.title))
  const names = work.ids.get('wikidata') ?? [name]
  return {
    type: 'work',
    // An item merged into another keeps its old name here: a work has one key per source.
    key: `wikidata:${names.includes(name) ? name : names[0]}`,
    ids: Object.fromEntries(ids),
    ...Object.fromEntries(texts),
    ...(aliases.length > 0 && { aliases: aliases.slice(0, mostAliases) }),
  }
}

const mostAliases = 100
