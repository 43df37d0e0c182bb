import { type Broadcast, broadcast } from './broadcast'
import { episodeCount } from './episode-count'
import { releasedOn } from './released-on'
import { seasonName } from './season'
import { type Item, type Sources, siteId } from './sources'
import { type Stream, streams } from './streams'
import { otherTitles } from './titles'
import type { WorkIds } from './work-ids'

export interface WorkLine {
  type: 'work'
  key: string
  ids: WorkIds
  title: string
  title_en?: string | undefined
  media: Item['type']
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

export interface Identified {
  item: Item
  ids: WorkIds
  key: string
  series: string[]
}

/** The line of one work; what nobody knows is left out. */
export function workLine({ item, ids, key, series }: Identified, facts: Facts): WorkLine {
  const bangumiId = siteId(item, 'bangumi') ?? ''
  const released = releasedOn(item, facts.airDates.get(bangumiId))
  const { english, aliases } = otherTitles(item)
  return {
    type: 'work',
    key,
    ids,
    title: item.title,
    title_en: english,
    media: item.type,
    season_name: released ? seasonName(released) : undefined,
    released_on: released ?? undefined,
    official_site_url: webAddress(item.officialSite),
    no_episodes: item.type === 'movie' || undefined,
    aliases: unlessEmpty(aliases),
    series: unlessEmpty(series),
    ...schedule(item),
    episodes_estimate: episodeCount(item, facts.episodeCounts.get(bangumiId)) ?? undefined,
  }
}

type Facts = Pick<Sources, 'airDates' | 'episodeCounts'>

const webAddress = (url: string) => (/^https?:\/\/./.test(url) ? url : undefined)

const unlessEmpty = <T>(list: T[]) => (list.length > 0 ? list : undefined)

// A schedule makes the programs around now, and the episodes still to come. Now may be years after this pack was made,
// but never before: works that had long ended need none, and leaving theirs out keeps the pack small.
function schedule(item: Item): Pick<WorkLine, 'broadcast' | 'streams'> {
  if (item.type === 'movie' || (item.end !== '' && item.end < longEnded)) return {}
  return { broadcast: broadcast(item) ?? undefined, streams: unlessEmpty(streams(item)) }
}

const longEnded = '2024-01-01'
