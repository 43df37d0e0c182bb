import { sql } from 'kysely'
import { isStation } from '../../catalogue/shown'
import { prepared, type SlotOf } from '../../db/prepared'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { WorkView } from './view'

/** Streaming sites with addresses, then the channels that broadcast it. */
export async function whereToWatch({ visit, work }: WorkView): Promise<Markup> {
  const { deps } = visit
  const [streams, channels] = await Promise.all([
    streamsOf(deps.seen, { work: work.id }),
    channelsOf(deps.seen, { work: work.id }),
  ])
  const links = streams.map(streamLink)
  const others = channels.filter(({ name }) => links.every((link) => link.name !== name))
  if (links.length + others.length === 0) return html``
  const chips = [...links, ...others.map(({ name }) => ({ name, url: undefined }))].map(({ name, url }) =>
    url === undefined
      ? html`<li class="chip" lang="ja">${name}</li>`
      : html`<li><a class="chip" lang="ja" href="${url}" rel="noreferrer">${name}${icon('out', 14)}</a></li>`,
  )
  return html`<section><h2>${visit.t.work.where}</h2><ul class="places">${chips}</ul></section>`
}

const streamsOf = prepared((read, slot: SlotOf<{ work: number }>) =>
  read
    .selectFrom('streams')
    .select(['site', 'external_id'])
    .where('work_id', '=', slot('work'))
    .orderBy('site')
    .limit(20),
)

// uses programs_work
const channelsOf = prepared((read, slot: SlotOf<{ work: number }>) =>
  read
    .selectFrom('channels')
    .select('name')
    .where('hidden', '=', 0)
    .where(isStation(sql.ref('channels.id')))
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('programs')
        .select('channel_id')
        .where('work_id', '=', slot('work'))
        .where('hidden', '=', 0),
    )
    .orderBy('sort_number')
    .orderBy('id')
    .limit(12),
)

interface StreamSite {
  readonly name: string
  /** What precedes and follows the site's id of a work. */
  readonly before: string
  readonly after?: string
}

/** Keyed by the names of bangumi-data, which the catalogue uses. */
const sites: Readonly<Record<string, StreamSite>> = {
  danime: { name: 'dアニメストア', before: 'https://animestore.docomo.ne.jp/animestore/ci_pc?workId=' },
  unext: { name: 'U-NEXT', before: 'https://video.unext.jp/title/' },
  abema: { name: 'ABEMA', before: 'https://abema.tv/video/title/' },
  nicovideo: { name: 'ニコニコチャンネル', before: 'https://ch.nicovideo.jp/' },
  netflix: { name: 'Netflix', before: 'https://www.netflix.com/title/' },
  prime: { name: 'Prime Video', before: 'https://www.amazon.co.jp/gp/video/detail/' },
  disneyplus: { name: 'Disney+', before: 'https://www.disneyplus.com/series/view/' },
  crunchyroll: { name: 'Crunchyroll', before: 'https://www.crunchyroll.com/series/', after: '/' },
  youtube: { name: 'YouTube', before: 'https://www.youtube.com/playlist?list=' },
}

interface Stream {
  readonly site: string
  readonly external_id: string
}

/** `url` is undefined if only the site is known. */
function streamLink({ site, external_id }: Stream): { name: string; url: string | undefined } {
  const known = sites[site]
  if (known === undefined) return { name: site, url: undefined }
  const { name, before, after = '' } = known
  return { name, url: external_id === '' ? undefined : `${before}${encodeURIComponent(external_id)}${after}` }
}
