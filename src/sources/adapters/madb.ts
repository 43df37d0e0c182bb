import { titleText } from '../../catalogue/title-key'
import { type CastCredit, Credits, type StaffCredit } from '../credits'
import type { Known } from '../known'
import {
  type AnswerBody,
  askForFile,
  type CatalogueLine,
  defineSource,
  headerOf,
  type RunScope,
} from '../source'
import { type MadbResource, resourcesIn } from './madb/resources'

/** Readings, staff and cast of works in the catalogue, found by title, medium and year: it has no ids of other sites. */
export const madb = defineSource<readonly MadbResource[]>({
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
  answers: readonly (readonly MadbResource[])[],
  known: Known,
  { limit = Number.POSITIVE_INFINITY }: RunScope,
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

/** Finds the Annict id of the only work with this title in any notation, this medium, and a year at most one apart. */
function titledWorks(known: Known): (resource: MadbResource) => string | undefined {
  const listed = [...known.workIds('annict')].flatMap((annict) => {
    const work = known.work('annict', annict)
    return work?.seasonYear == null ? [] : [{ annict, year: work.seasonYear, ...work }]
  })
  const byTitle = Map.groupBy(listed, ({ media, title }) => `${media} ${titleText(title)}`)
  return ({ media, title, year }) => {
    const near = byTitle
      .get(`${media} ${titleText(title)}`)
      ?.filter((work) => Math.abs(work.year - year) <= 1)
    const [only, another] = near ?? []
    return another === undefined ? only?.annict : undefined
  }
}

function* workLines(
  resource: MadbResource,
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

/** `[監督]人 ／ [音楽、音響]人`: ignores text in any other form. */
export const staffIn = (text: string): StaffCredit[] =>
  [...text.matchAll(/\[([^[\]／]+)\]([^[\]／]+)/g)].flatMap(([, roles = '', name = '']) =>
    isName(name)
      ? [
          {
            roles: roles
              .split(/[、・]/)
              .map(plain)
              .filter(isName),
            names: [plain(name)],
          },
        ]
      : [],
  )

/** `【役】人 ／ 【役】人` */
export const castIn = (text: string): CastCredit[] =>
  [...text.matchAll(/【([^【】／]+)】([^【】／]+)/g)].flatMap(([, character = '', name = '']) =>
    isName(name) && isName(character) ? [{ characters: [plain(character)], names: [plain(name)] }] : [],
  )

/** Names may be spaced out to fill a line: ス ザ ク. */
function plain(text: string): string {
  const trimmed = text.replace(/\s+/gu, ' ').trim()
  return /^\S(?: \S){2,}$/u.test(trimmed) ? trimmed.replaceAll(' ', '') : trimmed
}

/** Remarks and unbalanced brackets are not names. */
const isName = (text: string): boolean => {
  const name = plain(text)
  return name !== '' && name.length <= 100 && !/[()（）「」[\]【】]/.test(name)
}
