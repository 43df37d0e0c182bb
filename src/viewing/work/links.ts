import { sql } from 'kysely'
import { preparedSql, type SlotOf } from '../../db/prepared'
import { html, type Markup } from '../../pages/html'
import type { WorkView } from './view'

/** Sites that know the work, each by its own id. */
const sites: readonly { readonly ns: string; readonly name: string; readonly before: string }[] = [
  { ns: 'annict', name: 'Annict', before: 'https://annict.com/works/' },
  { ns: 'mal', name: 'MyAnimeList', before: 'https://myanimelist.net/anime/' },
  { ns: 'anilist', name: 'AniList', before: 'https://anilist.co/anime/' },
  { ns: 'anidb', name: 'AniDB', before: 'https://anidb.net/anime/' },
  { ns: 'syobocal', name: 'しょぼいカレンダー', before: 'https://cal.syoboi.jp/tid/' },
]

export async function externalLinks({ visit, work }: WorkView): Promise<readonly Markup[]> {
  const ids = await idsOf(visit.deps.read, { work: work.id })
  const known = new Map(ids.map(({ ns, id }) => [ns, id]))
  const { t } = visit.pageContext
  const own = [
    { name: t.work.officialSite, url: work.official_site_url },
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

// SQLite would choose the primary key and walk all works.
const idsOf = preparedSql(
  (slot: SlotOf<{ work: number }>) => sql<{ ns: string; id: string }>`
    select ns, external_id as id from external_ids indexed by external_ids_local
    where local_id = ${slot('work')} and kind = 'work' order by ns, external_id desc`,
)
