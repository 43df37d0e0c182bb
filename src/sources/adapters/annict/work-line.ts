import { dayOrBlank, webUrl } from '../../../catalogue/import/kinds/cells'
import { seasonName } from '../../../catalogue/labels'
import { InvalidValue, type Value } from '../../../values/value'
import type { CatalogueLine } from '../../source'
import type { ReleaseDate } from './answers'
import { keyOf, lineOf } from './line'
import type { Work } from './shapes'

export const workLine = (work: Work, date: ReleaseDate | undefined): CatalogueLine =>
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
    series: work.seriesList.nodes.length === 0 ? undefined : [...new Set(work.seriesList.nodes.map(keyOf))],
  })

function siteIdsOf({ annictId, malAnimeId, syobocalTid }: Work): Readonly<Record<string, number>> {
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
