import Type from 'typebox'
import { jsonReader } from '../../json-answer'
import type { AnswerBody, Asking, SourceState } from '../../source'
import { labels, properties } from './properties'

export interface Answer {
  readonly property: string
  /** Items such as `Q1`, each with the text of one value. */
  readonly values: readonly (readonly [item: string, text: string])[]
}

/** The values of an item are combined from all answers. */
export function* requests(): Asking<Answer, SourceState> {
  for (const { name } of properties)
    yield {
      url: `https://query.wikidata.org/sparql?format=json&query=${encodeURIComponent(queryOf(name))}`,
      as: name,
      accept: ['application/sparql-results+json', 'application/json'],
      isUnconditional: true,
    }
  return {}
}

export async function readAnswer(as: string, body: AnswerBody): Promise<Answer> {
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

const patternOf = (name: string) =>
  name === labels.name
    ? 'wdt:P4086 ?mal; rdfs:label|skos:altLabel ?v. FILTER(LANG(?v) IN ("ja", "en"))'
    : `wdt:${name} ?v`
