import Type, { type Static } from 'typebox'
import { isObject } from '../../catalogue/import/file/json'
import { minutesIn } from '../../catalogue/minutes'
import { checkOf } from '../../values/value'
import type { CatalogueWork, Known } from '../known'
import { otherNames } from '../other-names'
import { jsonLines } from '../packed/json-lines'
import { isZip, zipMembers } from '../packed/zip'
import {
  type AnswerBody,
  askForFile,
  type CatalogueLine,
  defineSource,
  headerOf,
  type RunScope,
  ShapeError,
} from '../source'

/** Adds ids, synonyms and episode counts to works in the catalogue. Data from it must stay on this instance (ODbL). */
export const animeOfflineDatabase = defineSource<AnswerBody>({
  name: 'anime-offline-database',
  title: 'anime-offline-database',
  licence: 'ODbL 1.0',
  home: 'https://github.com/manami-project/anime-offline-database',
  hosts: ['github.com', 'release-assets.githubusercontent.com', 'objects.githubusercontent.com'],
  intervalMs: undefined,
  pace: { perSecond: 1, perHour: 10 },
  maxBytes: 256 * 2 ** 20,
  settings: ['location'],
  matchTitles: false,
  requests: () =>
    askForFile('application/octet-stream', 'application/json', 'application/zstd', 'application/zip'),
  read: async (_as, body) => body,
  lines,
})

async function* lines(
  answers: readonly AnswerBody[],
  known: Known,
  { limit = Number.POSITIVE_INFINITY }: RunScope,
): AsyncGenerator<CatalogueLine> {
  const [body] = answers
  if (body === undefined) return
  yield headerOf('anime-offline-database')
  let count = 0
  for await (const entry of entriesOf(await contentOf(body))) {
    const line = lineOf(entry, known)
    if (line === undefined) continue
    if (++count > limit) return
    yield line
  }
}

const Entry = Type.Object({
  sources: Type.Array(Type.String()),
  title: Type.String(),
  episodes: Type.Integer({ minimum: 0 }),
  synonyms: Type.Array(Type.String()),
  duration: Type.Optional(Type.Object({ value: Type.Number(), unit: Type.String() })),
})

type Entry = Static<typeof Entry>

/** Reads JSON Lines whose first line describes the file. */
async function* entriesOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<Entry> {
  let number = 0
  for await (const value of jsonLines('the file', content, maxBytes)) {
    number += 1
    if (number === 1) {
      if (!isHead(value)) throw new ShapeError('the file', 'is no anime-offline-database in JSON Lines')
      continue
    }
    if (!isShaped(value)) throw new ShapeError(`the file, entry ${number - 1},`, 'has another shape')
    yield value
  }
  if (number === 0) throw new ShapeError('the file', 'is empty')
}

const isShaped = checkOf(Entry)
const maxBytes = 2 ** 30

const isHead = (value: unknown) => isObject(value) && 'license' in value && 'lastUpdate' in value

async function contentOf(body: AnswerBody): Promise<AsyncIterable<Uint8Array>> {
  if (!(await isZip(body))) return body.stream()
  const member = (await zipMembers(body)).find(({ name }) => /\.jsonl?$/.test(name))
  return member?.bytes() ?? body.stream()
}

/** For the work that the entry's ids lead to, unless they lead to several. */
function lineOf(entry: Entry, known: Known): CatalogueLine | undefined {
  const ids = idsOf(entry.sources)
  const found = Object.entries(ids).flatMap(([site, id]) => {
    const work = known.work(site, String(id))
    return work === undefined ? [] : [{ key: `${site}:${id}`, work }]
  })
  const [first] = found
  if (first === undefined || found.some(({ work }) => work.id !== first.work.id)) return undefined
  const { key, work } = first
  return {
    type: 'work',
    key,
    ids: Object.fromEntries(Object.entries(ids).filter(([site, id]) => isNewOrSame(work, site, id))),
    aliases: otherNames(work.title, [entry.title, ...entry.synonyms]),
    ...(entry.episodes > 0 && work.media !== 'movie' && { episodes_estimate: entry.episodes }),
    ...minutesOf(entry),
  }
}

/** Of an episode, or the film. */
function minutesOf({ duration }: Entry): { minutes?: number } {
  const minutes = duration?.unit === 'SECONDS' ? minutesIn(duration.value) : undefined
  return minutes === undefined ? {} : { minutes }
}

/** The addresses of an entry at other sites, in order of preference for its key. */
const sites: readonly (readonly [site: string, address: RegExp])[] = [
  ['mal', /^https?:\/\/(?:www\.)?myanimelist\.net\/anime\/([1-9]\d*)/],
  ['anilist', /^https?:\/\/(?:www\.)?anilist\.co\/anime\/([1-9]\d*)/],
  ['anidb', /^https?:\/\/(?:www\.)?anidb\.net\/(?:anime\/|a)([1-9]\d*)/],
  ['kitsu', /^https?:\/\/(?:www\.)?kitsu\.(?:app|io)\/anime\/([1-9]\d*)/],
  ['anisearch', /^https?:\/\/(?:www\.)?anisearch\.com\/anime\/([1-9]\d*)/],
  ['livechart', /^https?:\/\/(?:www\.)?livechart\.me\/anime\/([1-9]\d*)/],
  ['simkl', /^https?:\/\/(?:www\.)?simkl\.com\/anime\/([1-9]\d*)/],
  ['ann', /^https?:\/\/(?:www\.)?animenewsnetwork\.com\/.*[?&]id=([1-9]\d*)/],
]

export function idsOf(addresses: readonly string[]): Record<string, number> {
  const ids: Record<string, number> = {}
  for (const [site, address] of sites) {
    const found = addresses.flatMap((url) => Number(address.exec(url)?.[1]) || [])
    const [id] = found
    // Two ids at one site mean that the entry is two works.
    if (id !== undefined && found.length === 1 && Number.isSafeInteger(id)) ids[site] = id
  }
  return ids
}

const isNewOrSame = ({ ids }: CatalogueWork, site: string, id: number) =>
  ids.get(site)?.includes(String(id)) ?? true
