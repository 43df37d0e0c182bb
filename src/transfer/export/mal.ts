import { type StatusKind, statusKinds } from '../../library/statuses'
import { type Exporter, entriesOf } from './entries'
import type { Entry } from './entry'
import { type ListedWork, listedWorks } from './listed-works'
import { malDocument } from './mal-document'

/** An entry of MyAnimeList, which may be several works here. */
interface Anime {
  readonly malId: string
  readonly works: readonly ListedWork[]
}

/** MyAnimeList's own export format, version 1.1.0, with updates of existing entries requested. */
export async function* malXml(exporter: Exporter): AsyncGenerator<string> {
  const animes = animesOf(await listedWorks(exporter.read, { user: exporter.userId }))
  const works = animes.flatMap((anime) => anime.works)
  const kinds = animes.map((anime) => worst(anime.works.flatMap(({ status }) => status ?? [])))
  yield* malDocument(await usernameOf(exporter), kinds, merged(entriesOf(exporter, works)))
}

const animesOf = (works: readonly ListedWork[]): readonly Anime[] =>
  [
    ...Map.groupBy(
      works.filter(({ malId, status }) => malId !== '' && status !== null),
      ({ malId }) => malId,
    ),
  ].map(([malId, sharing]) => ({ malId, works: sharing }))

async function usernameOf({ read, userId }: Exporter): Promise<string> {
  const query = read.selectFrom('users').select('username').where('id', '=', userId)
  return (await query.executeTakeFirstOrThrow()).username
}

const finishedness: readonly StatusKind[] = ['wanna_watch', 'stop_watching', 'on_hold', 'watching', 'watched']

const worst = (kinds: readonly StatusKind[]): StatusKind =>
  finishedness.find((kind) => kinds.includes(kind)) ?? statusKinds[0]

/** Merges neighbouring entries with the same id. */
async function* merged(entries: AsyncIterable<Entry>): AsyncGenerator<Entry> {
  let last: Entry | undefined
  for await (const entry of entries) {
    if (last !== undefined && last.malId !== entry.malId) yield last
    last = last?.malId === entry.malId ? joined(last, entry) : entry
  }
  if (last !== undefined) yield last
}

function joined(one: Entry, other: Entry): Entry {
  const status = worst([one.status, other.status].filter((kind) => kind !== null))
  const starts = [one.startedOn, other.startedOn].filter((date) => date !== null).sort()
  const ends = [one.finishedOn, other.finishedOn].filter((date) => date !== null).sort()
  return {
    ...one,
    status,
    progress: one.progress + other.progress,
    total: one.total + other.total,
    rewatches: Math.min(one.rewatches, other.rewatches),
    rating: one.rating ?? other.rating,
    note: [one.note, other.note].filter((note) => note !== '').join('\n\n'),
    startedOn: starts.at(0) ?? null,
    finishedOn: status === 'watched' ? (ends.at(-1) ?? null) : other.finishedOn,
  }
}
