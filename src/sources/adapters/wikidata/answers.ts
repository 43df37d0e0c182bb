import Type from 'typebox'
import { webUrl } from '../../../catalogue/import/kinds/cells'
import { minutesIn } from '../../../catalogue/minutes'
import { InvalidValue } from '../../../values/value'
import { jsonReader } from '../../json-answer'
import type { AnswerBody, Asking, SourceState } from '../../source'

export interface WikidataAnswer {
  readonly property: string
  /** Items such as `Q1`, each with the text of one value. */
  readonly values: readonly (readonly [item: string, text: string])[]
}

/** The values of an item are combined from all answers. */
export function* requests(): Asking<WikidataAnswer, SourceState> {
  for (const { name } of properties)
    yield {
      url: `https://query.wikidata.org/sparql?format=json&query=${encodeURIComponent(queryOf(name))}`,
      as: name,
      accept: ['application/sparql-results+json', 'application/json'],
      isUnconditional: true,
    }
  return {}
}

export interface Property {
  readonly name: string
  /** A namespace of ids, or a field of a work's line. */
  readonly gives: string
  /** The value for the line; undefined if the text has another shape. */
  read(text: string): string | number | undefined
}

const numbered = (text: string) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined)

const prefixed = (prefix: string) => (text: string) =>
  numbered(text) === undefined ? undefined : `${prefix}/${text}`

const matching = (pattern: RegExp) => (text: string) => (pattern.test(text) ? text : undefined)

/** In the order in which a line lists them. TMDB and TheTVDB number films and series separately. */
export const idProperties: readonly Property[] = [
  { name: 'P4086', gives: 'mal', read: numbered },
  { name: 'P8729', gives: 'anilist', read: numbered },
  { name: 'P5646', gives: 'anidb', read: numbered },
  { name: 'P5732', gives: 'bangumi', read: numbered },
  { name: 'P11495', gives: 'kitsu', read: numbered },
  { name: 'P1985', gives: 'ann', read: numbered },
  { name: 'P345', gives: 'imdb', read: matching(/^tt\d{7,10}$/) },
  { name: 'P4835', gives: 'tvdb', read: numbered },
  { name: 'P12196', gives: 'tvdb', read: prefixed('movie') },
  { name: 'P4983', gives: 'tmdb', read: prefixed('tv') },
  { name: 'P4947', gives: 'tmdb', read: prefixed('movie') },
]

const duration = 'P2047'

export const textProperties: readonly Property[] = [
  { name: 'P1814', gives: 'title_kana', read: kana },
  { name: 'P856', gives: 'official_site_url', read: address },
  { name: 'P2002', gives: 'twitter_username', read: matching(/^\w{1,15}$/) },
  { name: duration, gives: 'minutes', read: minutes },
]

/** An item's other titles, in Japanese and English. */
export const labels: Property = { name: 'labels', gives: 'aliases', read: title }

const properties: readonly Property[] = [...idProperties, ...textProperties, labels]

const hasKana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u

function kana(text: string): string | undefined {
  return hasKana.test(text) && !/\p{Script=Han}/u.test(text) ? title(text) : undefined
}

function address(text: string): string | undefined {
  return text === '' || webUrl.take(text) instanceof InvalidValue ? undefined : text
}

/** Of an episode, or the film; Wikidata converts the unit to seconds. */
function minutes(text: string): number | undefined {
  return /^\d{1,6}(\.\d+)?$/.test(text) ? minutesIn(Number(text)) : undefined
}

function title(text: string): string | undefined {
  return text.trim() === '' || text.length > 1000 || /[\0\p{Cs}]/u.test(text) ? undefined : text
}

export async function readAnswer(as: string, body: AnswerBody): Promise<WikidataAnswer> {
  const { results } = await read(body)
  const values = results.bindings.flatMap(({ item, v }) => {
    const [, name] = /^https?:\/\/www\.wikidata\.org\/entity\/(Q[1-9]\d*)$/.exec(item.value) ?? []
    return name === undefined ? [] : [[name, v.value] as const]
  })
  return { property: as, values }
}

const value = Type.Object({ value: Type.String() })

const read = jsonReader(
  'the answer',
  Type.Object({
    results: Type.Object({ bindings: Type.Array(Type.Object({ item: value, v: value })) }),
  }),
)

/** Selects anime (Q1107): series and films. */
const queryOf = (name: string): string =>
  `SELECT ?item ?v WHERE { ?item wdt:P31/wdt:P279* wd:Q1107; ${patternOf(name)} }`

function patternOf(name: string): string {
  if (name === labels.name)
    return 'wdt:P4086 ?mal; rdfs:label|skos:altLabel ?v. FILTER(LANG(?v) IN ("ja", "en"))'
  if (name === duration)
    return `p:${duration} ?s. ?s a wikibase:BestRank; psn:${duration}/wikibase:quantityAmount ?v`
  return `wdt:${name} ?v`
}
