import { Credits } from '../credits'
import type { Known } from '../known'
import {
  type AnswerBody,
  askForFile,
  type CatalogueLine,
  defineSource,
  headerOf,
  type Scope,
} from '../source'
import { castIn, staffIn } from './madb/credits'
import { titledWorks } from './madb/known-titles'
import { type Resource, resourcesIn } from './madb/resources'

/** Readings, staff and cast of works in the catalogue, found by title, medium and year: it has no ids of other sites. */
export const madb = defineSource<readonly Resource[]>({
  name: 'madb',
  title: 'メディア芸術データベース',
  licence: 'free secondary use, with its name and a note of changes',
  home: 'https://github.com/mediaarts-db/dataset',
  hosts: [
    'github.com',
    'raw.githubusercontent.com',
    'release-assets.githubusercontent.com',
    'objects.githubusercontent.com',
  ],
  intervalMs: undefined,
  pace: { perSecond: 1, perHour: 10 },
  maxBytes: 256 * 2 ** 20,
  settings: ['location'],
  matchTitles: false,
  requests: () =>
    askForFile('application/zip', 'application/octet-stream', 'application/json', 'application/ld+json'),
  read: (_as, body: AnswerBody) => resourcesIn(body),
  lines,
})

function* lines(
  answers: readonly (readonly Resource[])[],
  known: Known,
  { limit = Number.POSITIVE_INFINITY }: Scope,
): Generator<CatalogueLine> {
  const credits = new Credits(known, 'madb')
  const annictOf = titledWorks(known)
  yield headerOf('madb')
  let count = 0
  for (const resource of answers.flat()) {
    const annict = annictOf(resource)
    if (annict === undefined) continue
    if (++count > limit) return
    yield* workLines(resource, annict, known, credits)
  }
}

function* workLines(
  resource: Resource,
  annict: string,
  known: Known,
  credits: Credits,
): Generator<CatalogueLine> {
  const { id, kana, contributor, actor, company } = resource
  yield {
    type: 'work',
    key: `madb:${id}`,
    ids: { annict: Number(annict) },
    ...(kana !== undefined && { title_kana: kana }),
  }
  if (known.hasBetterCredits('annict', annict, 'madb')) return
  yield* credits.staff(id, [...staffIn(contributor), ...staffIn(company)])
  yield* credits.casts(id, castIn(actor), ['annict', annict])
}
