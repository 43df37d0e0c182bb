import type { Known, KnownWork } from '../known'
import { otherNames } from '../other-names'
import { isZip, zipMembers } from '../packed/zip'
import {
  type AnswerBody,
  askForFile,
  type CatalogueLine,
  defineSource,
  headerOf,
  type Scope,
} from '../source'
import { type Entry, entriesOf } from './anime-offline-database/entries'
import { idsOf } from './anime-offline-database/ids'

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
  { limit = Number.POSITIVE_INFINITY }: Scope,
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
  }
}

const isNewOrSame = ({ ids }: KnownWork, site: string, id: number) =>
  ids.get(site)?.includes(String(id)) ?? true
