import { dayOrBlank, webUrl } from '../../../catalogue/import/kinds/cells'
import { seasonName } from '../../../catalogue/labels'
import { InvalidValue, type Value } from '../../../values/value'
import { rolesByLabel } from '../../credits'
import { type CatalogueLine, headerOf } from '../../source'
import type { AnnictAnswer, MoreEpisodes, ReleaseDate } from './answers'
import type { AnnictEpisode, AnnictName, AnnictProgram, AnnictWork, Cast, Staff } from './shapes'

/** Each row once, after those it refers to. */
export function* linesOf(answers: readonly AnnictAnswer[]): Generator<CatalogueLine> {
  yield headerOf('annict', ['annict'])
  const dates = new Map(datesIn(answers).map((date) => [date.id, date]))
  const more = Map.groupBy(moreIn(answers), ({ work }) => work)
  const told = new Set<string>()
  for (const work of worksIn(answers)) {
    const episodes = [work.episodes.nodes, ...(more.get(work.annictId) ?? []).map((page) => page.episodes)]
    for (const line of linesOfWork(work, episodes.flat(), dates.get(work.annictId))) {
      const name = `${line.type} ${line.key}`
      if (!told.has(name)) yield line
      told.add(name)
    }
  }
}

function* linesOfWork(
  work: AnnictWork,
  episodes: readonly AnnictEpisode[],
  date: ReleaseDate | undefined,
): Generator<CatalogueLine> {
  for (const series of work.seriesList.nodes) {
    const { name, nameRo, nameEn } = series
    yield lineOf('series', series, { ids: idsOf(series), name, name_ro: nameRo, name_en: nameEn })
  }
  yield workLine(work, date)
  for (const episode of episodes) yield episodeLine(annictKey(work), episode)
  for (const cast of work.casts.nodes) yield* castLines(annictKey(work), cast)
  for (const staff of work.staffs.nodes) yield* staffLines(annictKey(work), staff)
  yield* programLines(work, new Set(episodes.map(({ annictId }) => annictId)))
}

interface Numbered {
  readonly annictId: number
}

/** Omits fields that are null, undefined or empty. */
const lineOf = (type: string, node: Numbered, fields: Readonly<Record<string, unknown>>): CatalogueLine => ({
  type,
  key: annictKey(node),
  ...Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  ),
})

const annictKey = ({ annictId }: Numbered): string => `annict:${annictId}`

const idsOf = ({ annictId }: Numbered) => ({ annict: annictId })

const namedLine = (type: string, named: AnnictName): CatalogueLine =>
  lineOf(type, named, {
    ids: idsOf(named),
    name: named.name,
    name_kana: named.nameKana,
    name_en: named.nameEn,
  })

const workLine = (work: AnnictWork, date: ReleaseDate | undefined): CatalogueLine =>
  lineOf('work', work, {
    ids: siteIdsOf(work),
    title: work.title,
    title_kana: work.titleKana,
    title_en: work.titleEn,
    title_ro: work.titleRo,
    media: work.media.toLowerCase(),
    season_name: seasonName(work.seasonYear, work.seasonName?.toLowerCase() ?? null),
    released_on: validOrBlank(dayOrBlank, date?.released_on),
    released_on_about: date?.released_on_about,
    official_site_url: validOrBlank(webUrl, work.officialSiteUrl),
    wikipedia_url: validOrBlank(webUrl, work.wikipediaUrl),
    twitter_username: work.twitterUsername,
    twitter_hashtag: work.twitterHashtag,
    no_episodes: work.noEpisodes,
    series:
      work.seriesList.nodes.length === 0 ? undefined : [...new Set(work.seriesList.nodes.map(annictKey))],
  })

function siteIdsOf({ annictId, malAnimeId, syobocalTid }: AnnictWork): Readonly<Record<string, number>> {
  const mal = /^[1-9]\d{0,14}$/.test(malAnimeId ?? '') ? Number(malAnimeId) : 0
  return {
    annict: annictId,
    ...(mal > 0 && { mal }),
    ...(syobocalTid !== null && syobocalTid > 0 && { syobocal: syobocalTid }),
  }
}

/** Annict's users type these fields in, so they may be invalid. */
function validOrBlank(value: Value<string>, text: string | null | undefined): string {
  const valid = value.take(text ?? '')
  return valid instanceof InvalidValue ? '' : valid
}

const episodeLine = (work: string, episode: AnnictEpisode): CatalogueLine =>
  lineOf('episode', episode, {
    ids: idsOf(episode),
    work,
    number: episode.number?.toString(),
    number_text: episode.numberText,
    sort_number: episode.sortNumber,
    title: episode.title,
  })

const worksIn = (answers: readonly AnnictAnswer[]): AnnictWork[] =>
  answers.flatMap((answer) => (answer.as === 'works' ? answer.works : []))

const moreIn = (answers: readonly AnnictAnswer[]): MoreEpisodes[] =>
  answers.flatMap((answer) => (answer.as === 'episodes' ? answer.more : []))

const datesIn = (answers: readonly AnnictAnswer[]): ReleaseDate[] =>
  answers.flatMap((answer) => (answer.as === 'dates' ? answer.dates : []))

function* castLines(work: string, cast: Cast): Generator<CatalogueLine> {
  const { character, person, name, nameEn, sortNumber } = cast
  yield namedLine('character', character)
  yield namedLine('person', person)
  yield lineOf('cast', cast, {
    work,
    character: annictKey(character),
    person: annictKey(person),
    name,
    name_en: nameEn,
    sort_number: sortNumber,
  })
}

function* staffLines(work: string, staff: Staff): Generator<CatalogueLine> {
  const { resource, name, nameEn, roleText, roleOther, sortNumber } = staff
  const type = resource.__typename === 'Person' ? 'person' : 'organization'
  const role = rolesByLabel.get(roleText ?? '') ?? 'other'
  yield namedLine(type, resource)
  yield lineOf('staff', staff, {
    work,
    [type]: annictKey(resource),
    name,
    name_en: nameEn,
    role,
    role_text: role === 'other' ? roleText : undefined,
    role_other: roleOther,
    sort_number: sortNumber,
  })
}

/** By time, without those of episodes that Annict does not show. */
function* programLines(work: AnnictWork, episodes: ReadonlySet<number>): Generator<CatalogueLine> {
  const programs = work.programs?.nodes ?? []
  const listed = programs.filter(({ episode }) => episodes.has(episode.annictId))
  for (const program of listed.toSorted(byTime)) {
    const { channel, episode, startedAt, rebroadcast } = program
    yield* channelLines(channel)
    yield lineOf('program', program, {
      ids: idsOf(program),
      channel: annictKey(channel),
      work: annictKey(work),
      episode: annictKey(episode),
      started_at: startedAt,
      rebroadcast,
    })
  }
}

function* channelLines(channel: AnnictProgram['channel']): Generator<CatalogueLine> {
  const { name, scChid, channelGroup: group } = channel
  yield lineOf('channel_group', group, { ids: idsOf(group), name: group.name, sort_number: group.sortNumber })
  yield lineOf('channel', channel, {
    ids: { ...idsOf(channel), ...(scChid !== null && scChid > 0 && { syobocal: scChid }) },
    name,
    group: annictKey(group),
  })
}

const byTime = (one: AnnictProgram, other: AnnictProgram) =>
  Date.parse(one.startedAt) - Date.parse(other.startedAt) || one.annictId - other.annictId
