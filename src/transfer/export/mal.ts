import type { Media } from '../../catalogue/default/sources'
import { type StatusKind, statusKinds } from '../../library/statuses'
import { type Exporter, entriesOf } from './entries'
import { type Entry, wholeTenOf } from './entry'
import { type ListedWork, listedWorks } from './listed-works'
import { cdata } from './texts'

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

/** `kinds` are the statuses of all entries, which the document counts at its start. */
export async function* malDocument(
  username: string,
  kinds: readonly StatusKind[],
  entries: AsyncIterable<Entry>,
): AsyncGenerator<string> {
  yield headOf(username, kinds)
  for await (const entry of entries) yield elementOf(entry)
  yield '</myanimelist>\n'
}

function headOf(username: string, kinds: readonly StatusKind[]): string {
  const count = (kind: StatusKind) => kinds.filter((one) => one === kind).length
  return `<?xml version="1.0" encoding="UTF-8" ?>
<!--
 Created by kiroku
 Version 1.1.0
-->
<myanimelist>
<myinfo>
<user_id>0</user_id>
<user_name>${username}</user_name>
<user_export_type>1</user_export_type>
<user_total_anime>${kinds.length}</user_total_anime>
<user_total_watching>${count('watching')}</user_total_watching>
<user_total_completed>${count('watched')}</user_total_completed>
<user_total_onhold>${count('on_hold')}</user_total_onhold>
<user_total_dropped>${count('stop_watching')}</user_total_dropped>
<user_total_plantowatch>${count('wanna_watch')}</user_total_plantowatch>
</myinfo>
`
}

const elementOf = (entry: Entry): string => `<anime>
<series_animedb_id>${entry.malId}</series_animedb_id>
<series_title>${cdata(entry.title)}</series_title>
<series_type>${types[entry.media]}</series_type>
<series_episodes>${entry.total}</series_episodes>
<my_id>0</my_id>
<my_watched_episodes>${entry.progress}</my_watched_episodes>
<my_start_date>${wholeDate(entry.startedOn)}</my_start_date>
<my_finish_date>${wholeDate(entry.finishedOn)}</my_finish_date>
<my_rated></my_rated>
<my_score>${wholeTenOf(entry) ?? 0}</my_score>
<my_storage></my_storage>
<my_storage_value>0.00</my_storage_value>
<my_status>${entry.status === null ? '' : statuses[entry.status]}</my_status>
<my_comments>${cdata(entry.note)}</my_comments>
<my_times_watched>${entry.rewatches}</my_times_watched>
<my_rewatch_value></my_rewatch_value>
<my_priority>LOW</my_priority>
<my_tags><![CDATA[]]></my_tags>
<my_rewatching>0</my_rewatching>
<my_rewatching_ep>0</my_rewatching_ep>
<my_discuss>1</my_discuss>
<my_sns>default</my_sns>
<update_on_import>1</update_on_import>
</anime>
`

/** Unknown parts of a date are zeros, as in MyAnimeList's files. */
const wholeDate = (date: string | null) => `${date ?? '0000'}-00-00`.slice(0, 10)

const types: Readonly<Record<Media, string>> = {
  tv: 'TV',
  ova: 'OVA',
  movie: 'Movie',
  web: 'ONA',
  other: 'Unknown',
}

const statuses: Readonly<Record<StatusKind, string>> = {
  watching: 'Watching',
  watched: 'Completed',
  on_hold: 'On-Hold',
  stop_watching: 'Dropped',
  wanna_watch: 'Plan to Watch',
}

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

const opinionOf = ({ rating, score }: Entry) => ({ rating, score })

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
    ...opinionOf(one.rating === null && one.score === null ? other : one),
    note: [one.note, other.note].filter((note) => note !== '').join('\n\n'),
    startedOn: starts.at(0) ?? null,
    finishedOn: status === 'watched' ? (ends.at(-1) ?? null) : other.finishedOn,
  }
}
