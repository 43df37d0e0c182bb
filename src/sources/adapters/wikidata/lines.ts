import { fold } from '../../../lib/fold'
import type { Known, KnownWork } from '../../known'
import { type CatalogueLine, headerOf } from '../../source'
import type { Answer } from './answers'
import { type Item, itemsIn } from './items'

/** Only for works in the catalogue: the importer refuses new ones without a title. */
export function* linesOf(answers: readonly Answer[], known: Known): Generator<CatalogueLine> {
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

/** Undefined if the item's ids lead to several works or contradict those of the work. */
function workOf({ name, ids }: Item, known: Known): KnownWork | undefined {
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

function lineOf({ name, ids, texts, titles }: Item, work: KnownWork): CatalogueLine {
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
