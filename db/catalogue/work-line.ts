import { type Broadcast, broadcast } from './broadcast'
import { episodeCount } from './episode-count'
import type { Media } from './fact'
import { releasedOn } from './released-on'
import { seasonOf } from './season'
import { type Item, type Sources, siteId } from './sources'
import { type Stream, streams } from './streams'
import { otherTitles } from './titles'
import type { WorkIds } from './work-ids'
import type { Work } from './works'

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
  streams?: Stream[] | undefined
  episodes_estimate?: number | undefined
}

export interface Named extends Work {
  key: string
  series: string[]
}

export function workLine(
  { item, fact, twins, correction, title, ids, key, series }: Named,
  facts: Facts,
): WorkLine {
  const media = fact?.media ?? item?.type ?? 'other'
  const released = item && releasedOn(item, facts.airDates.get(siteId(item, 'bangumi') ?? ''))
  const { english, aliases } = otherTitles(title, item ? [item, ...twins] : [])
  const known = correction?.episodes ?? knownCount(ids, media, facts)
  // A film that Annict lists under another medium has an episode.
  const counted = item
    ? episodeCount({ ...item, type: item.type === 'movie' ? media : item.type }, known)
    : known
  const episodes = media === 'movie' ? undefined : (counted ?? undefined)
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
    ...(item && media !== 'movie' ? schedule(item) : {}),
    episodes_estimate: episodes,
  }
}

type Facts = Pick<Sources, 'airDates' | 'episodeCounts' | 'relatedCounts'>

/** Manual counts come first if a series continues in another work. */
function knownCount(
  { mal, anilist, bangumi }: WorkIds,
  media: Media,
  { relatedCounts, episodeCounts }: Facts,
) {
  const related =
    media === 'tv' || media === 'web'
      ? (relatedCounts.mal.get(mal ?? 0) ?? relatedCounts.anilist.get(anilist ?? 0))
      : undefined
  return related ?? episodeCounts.get(String(bangumi))
}

const webAddress = (url: string) => (/^https?:\/\/./.test(url) ? url : undefined)

export const unlessEmpty = <T>(list: T[]) => (list.length > 0 ? list : undefined)

// Omitted for works that ended long before the build, which keeps the pack small.
function schedule(item: Item): Pick<WorkLine, 'broadcast' | 'streams'> {
  if (item.type === 'movie' || (item.end !== '' && item.end < longEnded)) return {}
  return { broadcast: broadcast(item) ?? undefined, streams: unlessEmpty(streams(item)) }
}

const longEnded = '2024-01-01'
