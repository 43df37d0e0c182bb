import { seasonOf } from '../season'
import { type Broadcast, broadcast, type StreamTimes, streams } from './broadcast'
import { episodeCount, weeksOf } from './episode-count'
import type { RelatedCount, RelatedIds } from './relations'
import { releasedOn } from './released-on'
import { type BangumiItem, type Media, type Sources, siteId } from './sources'
import type { WorkIds } from './work-ids'
import type { JoinedWork } from './works'

export interface WorkLine {
  type: 'work'
  key: string
  ids: WorkIds
  title: string
  title_en?: string | undefined
  media: Media
  season_name?: string | undefined
  released_on?: string | undefined
  official_site_url?: string | undefined
  no_episodes?: boolean | undefined
  aliases?: string[] | undefined
  series?: string[] | undefined
  broadcast?: Broadcast | undefined
  streams?: StreamTimes[] | undefined
  episodes_estimate?: number | undefined
}

export interface KeyedWork extends JoinedWork {
  key: string
  series: string[]
}

export function workLine(
  { item, fact, twins, correction, title, ids, key, series }: KeyedWork,
  facts: Facts,
): WorkLine {
  const media = fact?.media ?? item?.type ?? 'other'
  const released = item && releasedOn(item, facts.airDates.get(siteId(item, 'bangumi') ?? ''))
  const { english, aliases } = otherTitles(title, item ? [item, ...twins] : [])
  const episodes = media === 'movie' ? undefined : countOf({ item, correction, ids, media }, facts)
  return {
    type: 'work',
    key,
    ids,
    title,
    title_en: english,
    media,
    season_name: fact?.season ?? (released && item ? seasonOf(item, released, episodes ?? 0) : undefined),
    released_on: released ?? undefined,
    official_site_url: item && webAddress(item.officialSite),
    no_episodes: media === 'movie' || undefined,
    aliases: unlessEmpty(aliases),
    series: unlessEmpty(series),
    ...(item && media !== 'movie' ? schedule(item, episodes) : {}),
    episodes_estimate: episodes,
  }
}

interface Facts extends Pick<Sources, 'airDates' | 'episodeCounts'> {
  readonly relatedCount: (ids: RelatedIds) => RelatedCount
}

/** Undefined if nobody knows it. */
function countOf({ item, correction, ids, media }: Counted, facts: Facts): number | undefined {
  if (correction?.episodes !== undefined) return correction.episodes ?? undefined
  const known = knownCount({ item, ids, media }, facts)
  if (item === undefined) return known
  // A film that Annict lists under another medium has an episode.
  const type = item.type === 'movie' || media === 'web' ? media : item.type
  return episodeCount({ ...item, type }, known) ?? undefined
}

type Counted = Pick<JoinedWork, 'item' | 'correction' | 'ids'> & { readonly media: Media }

/**
 * A continuation in another work lowers a count, which may be that of both, but never raises it. Where none is known, it
 * is the numbers before the continuation, or those with which the work itself continues another one.
 */
function knownCount(
  { item, ids, media }: Omit<Counted, 'correction'>,
  { relatedCount, episodeCounts }: Facts,
): number | undefined {
  const known = episodeCounts.get(String(ids.bangumi))
  if (media !== 'tv' && media !== 'web') return known
  const { before, ranges } = relatedCount(ids)
  if (known !== undefined) return Math.min(known, before ?? known)
  if (before !== undefined && before <= mostRelated) return before
  const weeks = (item && weeksOf(item)) ?? Number.POSITIVE_INFINITY
  return ranges.filter((range) => range <= Math.min(mostRelated, weeks + 3)).toSorted((a, b) => b - a)[0]
}

/** Some rules renumber in jest. */
const mostRelated = 200

const webAddress = (url: string) => (/^https?:\/\/./.test(url) ? url : undefined)

export const unlessEmpty = <T>(list: T[]) => (list.length > 0 ? list : undefined)

/**
 * Omitted for works that ended long before the build, which keeps the pack small. If the count is unknown, the span still
 * tells how long the list is at least.
 */
function schedule(item: BangumiItem, episodes: number | undefined): Pick<WorkLine, 'broadcast' | 'streams'> {
  if (item.type === 'movie') return {}
  const { end } = item
  const span = episodes === undefined && item.type !== 'ova' && weeksOf(item) !== null ? { end } : undefined
  if (end !== '' && end < longEnded) return { broadcast: span }
  return { broadcast: broadcast(item) ?? span, streams: unlessEmpty(streams(item)) }
}

const longEnded = '2024-01-01'

/** The English title and aliases, including the items' other titles, without duplicates in width or case. */
export function otherTitles(
  title: string,
  items: Pick<BangumiItem, 'title' | 'titleTranslate'>[],
): {
  english: string | undefined
  aliases: string[]
} {
  const titlesIn = (language: string) =>
    items.flatMap(({ titleTranslate }) =>
      (titleTranslate[language] ?? []).filter((one) => one !== '').map((one) => misspelt[one] ?? one),
    )
  const english = titlesIn('en')[0]
  const seen = new Set([title, english ?? title].map(folded))
  const aliases = [...items.map((item) => item.title), ...languages.flatMap(titlesIn)].filter((alias) => {
    const isNew = !seen.has(folded(alias))
    seen.add(folded(alias))
    return isNew
  })
  return { english, aliases }
}

const misspelt: Readonly<Record<string, string>> = {
  'Prison Schoo': 'Prison School',
  'ONE PANCH MAN': 'ONE PUNCH MAN',
}

const languages = ['ja', 'en', 'zh-Hant', 'zh-Hans']

const folded = (title: string) => title.normalize('NFKC').toLowerCase()
