import { joinFacts } from '../../catalogue/default/join'
import {
  Arm,
  type ArmRow,
  BangumiData,
  type BangumiItem,
  withPlainTexts,
} from '../../catalogue/default/sources'
import { workLines } from '../../catalogue/default/work-lines'
import { worksOf } from '../../catalogue/default/works'
import { jsonReader } from '../json-answer'
import type { Known } from '../known'
import { type AnswerBody, type CatalogueLine, defineSource, headerOf, type Scope } from '../source'
import { linesInScope } from './bangumi-data/in-scope'
import { knownPairs } from './bangumi-data/known-pairs'

/** The current versions of the packages that the default catalogue is made of, converted by the code that makes it. */
export const bangumiData = defineSource<Answer>({
  name: 'bangumi-data',
  title: 'bangumi-data, arm',
  licence: 'CC BY 4.0; MIT',
  home: 'https://github.com/bangumi-data/bangumi-data',
  hosts: ['cdn.jsdelivr.net'],
  intervalMs: 7 * 86_400_000,
  pace: { perSecond: 1, perHour: 20 },
  maxBytes: 32 * 2 ** 20,
  settings: [],
  matchTitles: true,
  *requests(_, state) {
    const accept = ['application/json']
    yield { url: 'https://cdn.jsdelivr.net/npm/bangumi-data@0.3/dist/data.json', as: 'items', accept }
    yield { url: 'https://cdn.jsdelivr.net/npm/@kawaiioverflow/arm@0/arm.json', as: 'arm', accept }
    return state
  },
  read: (as, body) => (as === 'items' ? readItems(body) : readArm(body)),
  lines,
})

type Answer = { readonly items: BangumiItem[] } | { readonly armRows: ArmRow[] }

async function readItems(body: AnswerBody): Promise<Answer> {
  return { items: (await itemsReader(body)).items.map(withPlainTexts) }
}

async function readArm(body: AnswerBody): Promise<Answer> {
  return { armRows: await armReader(body) }
}

const itemsReader = jsonReader('data.json', BangumiData)
const armReader = jsonReader('arm.json', Arm)

function* lines(answers: readonly Answer[], known: Known, scope: Scope): Generator<CatalogueLine> {
  const sources = {
    ...unknownHere,
    items: answers.flatMap((answer) => ('items' in answer ? answer.items : [])),
    armRows: answers.flatMap((answer) => ('armRows' in answer ? answer.armRows : [])),
  }
  const { settled, items, facts } = knownPairs(sources, known)
  const joined = joinFacts({ ...sources, items, facts })
  const all = { ...sources, facts: [...facts, ...[...settled.values()].flatMap((fact) => fact ?? [])] }
  for (const [item, fact] of settled) if (fact !== undefined) joined.facts.set(item, fact)
  const works = worksOf(all, joined).filter(({ item }) => item !== undefined)
  yield headerOf('bangumi-data', ['annict'])
  yield* linesInScope(workLines(works, sources), known, scope)
}

/** Inputs that only the build of the default catalogue has. */
const unknownHere = {
  corrections: [],
  airDates: new Map(),
  aliases: new Map(),
  relations: [],
  episodeCounts: new Map(),
}
