import { sql } from 'kysely'
import { preparedSql, type SlotOf } from '../../db/prepared'
import { html, type Markup } from '../../pages/html'
import type { PageContext } from '../../pages/layout'
import { partialDate } from '../../pages/partial-date'
import { seasonName } from '../parts/season'
import { estimatedSize } from './strip'
import type { WorkView } from './view'

export async function workFacts(view: WorkView): Promise<Markup> {
  const { visit, work, progress } = view
  const { t } = visit
  const { episodes, isEstimated } = progress
  const count = isEstimated ? estimatedSize(view) : t.work.episodeCount(episodes.length)
  const links = await externalLinks(view)
  const rows: readonly (readonly [string, string | Markup | readonly Markup[]])[] = [
    [t.work.medium, mediumName(visit, work.media)],
    [t.work.seasonTitle, seasonName(visit, work)],
    [t.strip.title, episodes.length === 0 ? '' : count],
    [
      work.media === 'tv' ? t.work.aired : t.work.released,
      work.released_on === '' ? '' : partialDate(visit, work.released_on),
    ],
    [t.work.watchers, work.watchers_count === 0 ? '' : t.work.people(work.watchers_count)],
    [t.work.links, links],
  ]
  const shown = rows.filter(([, value]) => value !== '' && !(Array.isArray(value) && value.length === 0))
  return html`<section class="facts"><h2 class="unseen">${t.work.facts}</h2><dl>${shown.map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
  )}</dl></section>`
}

export const mediumName = ({ t }: PageContext, medium: string): string =>
  isMedium(t.media, medium) ? t.media[medium] : medium

const isMedium = (words: PageContext['t']['media'], medium: string): medium is keyof typeof words =>
  medium in words

/** Sites with a page about the work, found by their own ids. */
const sites: readonly { readonly ns: string; readonly name: string; readonly before: string }[] = [
  { ns: 'annict', name: 'Annict', before: 'https://annict.com/works/' },
  { ns: 'mal', name: 'MyAnimeList', before: 'https://myanimelist.net/anime/' },
  { ns: 'anilist', name: 'AniList', before: 'https://anilist.co/anime/' },
  { ns: 'anidb', name: 'AniDB', before: 'https://anidb.net/anime/' },
  { ns: 'syobocal', name: 'しょぼいカレンダー', before: 'https://cal.syoboi.jp/tid/' },
]

async function externalLinks({ visit, work }: WorkView): Promise<readonly Markup[]> {
  const ids = await idsOf(visit.deps.read, { work: work.id })
  const known = new Map(ids.map(({ ns, id }) => [ns, id]))
  const own = [
    { name: visit.t.work.officialSite, url: work.official_site_url },
    { name: 'Wikipedia', url: work.wikipedia_url },
    { name: `@${work.twitter_username}`, url: twitterUrl(work.twitter_username) },
  ]
  const others = sites.map(({ ns, name, before }) => {
    const id = known.get(ns) ?? { mal: work.mal_anime_id, syobocal: work.syobocal_tid }[ns] ?? ''
    return { name, url: id === '' ? '' : `${before}${encodeURIComponent(id)}` }
  })
  return [...own, ...others]
    .filter(({ url }) => /^https?:\/\//i.test(url))
    .map(({ name, url }) => html`<a href="${url}" rel="noreferrer">${name}</a> `)
}

const twitterUrl = (name: string) => (name === '' ? '' : `https://x.com/${encodeURIComponent(name)}`)

// SQLite would use the primary key and walk all works.
const idsOf = preparedSql(
  (slot: SlotOf<{ work: number }>) => sql<{ ns: string; id: string }>`
    select ns, external_id as id from external_ids indexed by external_ids_local
    where local_id = ${slot('work')} and kind = 'work' order by ns, external_id desc`,
)
