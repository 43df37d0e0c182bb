import type { Media } from '../../catalogue/default/sources'
import type { StatusKind } from '../../library/statuses'
import { createCounts } from '../counts'
import type { InputFile } from '../file/input-file'
import { jsonValues } from '../file/json'
import type { ListRow, WorkRef } from '../row'
import { countIn, dayIn, entryOf, fieldsOf, instantIn, objectsIn, scoreIn, textIn } from './fields'
import { watchedOf } from './mal'
import { jsonReader } from './reader'
import { refAt } from './row-parts'

/** The answer of `/library-entries?include=anime,anime.mappings` (JSON:API). */
export const kitsu = jsonReader('kitsu', /^data\[\]\.attributes\.reconsuming$/, async function* (file) {
  const { anime, refs } = await includedIn(file)
  for await (const { value } of jsonValues(file, '$.data.*')) {
    const id = textIn(relatedId(value, 'anime'))
    const row = { ...listEntryOf(value), ...anime.get(id), sourceId: id, refs: refsOf(anime.get(id), refs) }
    yield id === '' ? { ...row, skipped: 'not_anime' } : row
  }
})

/** What the file says about an anime; `mappings` are the ids of its mappings. */
interface Anime extends Pick<ListRow, 'title' | 'year' | 'media' | 'total'> {
  readonly mappings: readonly string[]
}

async function includedIn(file: InputFile) {
  const anime = new Map<string, Anime>()
  const refs = new Map<string, WorkRef>()
  const counts = createCounts()
  for await (const { value } of jsonValues(file, '$.included.*')) {
    const { type, id } = fieldsOf(value)
    counts.add('included')
    if (type === 'anime') anime.set(textIn(id), animeOf(value))
    if (type === 'mappings') for (const ref of refsIn(value)) refs.set(textIn(id), ref)
  }
  return { anime, refs }
}

function animeOf(value: unknown): Anime {
  const { attributes, relationships } = fieldsOf(value)
  const { titles, canonicalTitle, startDate, subtype, episodeCount } = fieldsOf(attributes)
  const { data } = fieldsOf(fieldsOf(relationships).mappings)
  return {
    title: textIn(fieldsOf(titles).ja_jp) || textIn(canonicalTitle),
    year: countIn(textIn(startDate).slice(0, 4)),
    media: entryOf(media, subtype),
    total: countIn(episodeCount) || undefined,
    mappings: objectsIn(data).map(({ id }) => textIn(id)),
  }
}

/** Best first: MyAnimeList, AniList, AniDB, TheTVDB. */
function refsOf(anime: Anime | undefined, refs: ReadonlyMap<string, WorkRef>): readonly WorkRef[] {
  const own = (anime?.mappings ?? []).flatMap((id) => refs.get(id) ?? [])
  return order.flatMap((site) => own.filter((ref) => ref.site === site))
}

const order = ['mal', 'anilist', 'anidb', 'tvdb'] as const

function refsIn(value: unknown): readonly WorkRef[] {
  const { externalSite, externalId } = fieldsOf(fieldsOf(value).attributes)
  const site = entryOf(sites, externalSite)
  const [, id, season] = /^(\d+)(?:\/(\d+))?$/.exec(textIn(externalId)) ?? []
  return site === undefined ? [] : refAt(site, id, site === 'tvdb' ? countIn(season) : undefined)
}

const sites: Readonly<Record<string, WorkRef['site']>> = {
  'myanimelist/anime': 'mal',
  'anilist/anime': 'anilist',
  anidb: 'anidb',
  'thetvdb/series': 'tvdb',
}

function listEntryOf(value: unknown): Omit<ListRow, 'sourceId' | 'refs'> {
  const entry = fieldsOf(fieldsOf(value).attributes)
  const score = scoreIn(entry.ratingTwenty) ?? (scoreIn(entry.rating) ?? 0) * 4
  return {
    title: '',
    ...watchedOf(entryOf(statuses, entry.status), entry.reconsuming === true, countIn(entry.progress)),
    score: score > 0 ? { value: score / 2, scale: 10 } : undefined,
    startedOn: dayIn(entry.startedAt),
    finishedOn: dayIn(entry.finishedAt),
    rewatches: countIn(entry.reconsumeCount),
    note: textIn(entry.notes),
    isPrivate: entry.private === true,
    updatedAt: instantIn(entry.updatedAt),
  }
}

function relatedId(value: unknown, name: string): unknown {
  const relation = fieldsOf(fieldsOf(fieldsOf(value).relationships)[name])
  return fieldsOf(relation.data).id
}

const statuses: Readonly<Record<string, StatusKind>> = {
  current: 'watching',
  planned: 'wanna_watch',
  completed: 'watched',
  on_hold: 'on_hold',
  dropped: 'stop_watching',
}

const media: Readonly<Record<string, Media>> = {
  TV: 'tv',
  movie: 'movie',
  OVA: 'ova',
  special: 'ova',
  ONA: 'web',
  music: 'other',
}
