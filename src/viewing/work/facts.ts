import { sql } from 'kysely'
import { editingRight } from '../../accounts/editing-right'
import { preparedSql, type SlotOf } from '../../db/prepared'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContext } from '../../pages/layout'
import { partialDate } from '../../pages/partial-date'
import { chosenTitle } from '../../pages/title'
import { listEntries } from '../lists/add'
import { actForm } from '../parts/act-form'
import { lock } from '../parts/private-mark'
import { ratingMark, ratingText } from '../parts/rating'
import { exactField, ratingButtons } from '../parts/rating-form'
import { seasonName } from '../parts/season'
import { statusMenu } from '../parts/status'
import { favouriteButton } from '../profile/favourites'
import { again } from './next-box'
import { estimatedSize } from './strip'
import { nameOf, type WorkView } from './view'

export async function workFacts(view: WorkView): Promise<Markup> {
  const { visit, work, progress } = view
  const { t } = visit
  const { episodes, isEstimated } = progress
  const count = isEstimated ? estimatedSize(view) : t.work.episodeCount(episodes.length)
  const links = await externalLinks(view)
  const name = chosenTitle(visit, work).text
  const rows: readonly (readonly [string, string | Markup | readonly Markup[]])[] = [
    [t.library.columns.title, name.length > longTitle ? name : ''],
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

/** The title in the reader's title language, and the other titles in small print. */
export function workHead({ visit, work }: WorkView): Markup {
  const { text, lang } = chosenTitle(visit, work)
  const titles = [
    { text: work.title, lang: 'ja' },
    { text: work.title_en, lang: 'en' },
    { text: work.title_ro, lang: 'ja-Latn' },
  ]
  const shown = titles.find((one) => one.lang === lang)?.text
  const others = titles.filter((one, at) => {
    const isNew = titles.findIndex((other) => other.text === one.text) === at
    return one.text !== '' && one.text !== shown && isNew
  })
  const small = others.map(
    (one, at) => html`${at === 0 ? '' : ' · '}<span lang="${one.lang}">${one.text}</span>`,
  )
  const isLong = text.length > longTitle
  return html`<header class="work-head"><h1 lang="${lang}"${isLong ? html` class="long"` : ''}>${text}</h1>${
    small.length === 0 ? '' : html`<p class="meta">${small}</p>`
  }</header>`
}

/** Characters; what is longer is set smaller, and cut on the screen: the facts have all of it. */
const longTitle = 60

/** The status, one's own rating, and ⋯. */
export async function statusLine(view: WorkView): Promise<Markup> {
  const { visit, work, own } = view
  if (visit.session === undefined) return html``
  const of = {
    workId: work.id,
    title: nameOf(view),
    kind: own.kind ?? undefined,
    private: own.private,
    swap: '#progress, .of-series',
  }
  return html`<div class="buttons status-line">${statusMenu(visit, of)}${ratingMenu(view)}${favouriteButton(visit, { id: work.id, title: nameOf(view), isFavourite: own.favourite === 1 })}${await workMenu(view)}${own.kind === null ? '' : lock(visit.t, own.private)}</div>`
}

async function workMenu(view: WorkView): Promise<Markup> {
  const { visit, work, own, progress } = view
  const { t, basePath } = visit
  const hasBegun = progress.seenCount > 0
  return html`<details class="menu work-menu" name="menu"><summary class="button small" aria-label="${t.work.menuOf(nameOf(view))}">${icon('more')}</summary>
    <div class="entries">${await listEntries(visit, work.id, '#progress')}<a href="${basePath}/works/${work.id}?note=edit#note">${icon('pen')}${own.note === '' ? t.work.writeNote : t.work.editNote}</a>${
      hasBegun ? again(visit, work.id) : ''
    }${slotLink(view)}${meetingLink(view)}${coverLinks(view)}${editLinks(view)}</div></details>`
}

/** Of those who may edit the catalogue, or suggest it. */
function editLinks({ visit, work }: WorkView): Markup | '' {
  const { t, deps, session, basePath } = visit
  const right = editingRight(deps.config, session)
  if (right === undefined) return ''
  const words = right === 'suggest' ? t.editing.suggestEdit : t.editing.edit
  return html`<a href="${basePath}/works/${work.id}/edit">${icon('pen')}${words}</a>`
}

/** A film has no weekday. */
const slotLink = ({ visit, work }: WorkView): Markup | '' =>
  work.no_episodes === 1
    ? ''
    : html`<a href="${visit.basePath}/works/${work.id}/slot?return_to=/works/${work.id}" data-dialog>${icon('clock')}${visit.t.slot.title}</a>`

/** A work without episodes has none to watch together. */
const meetingLink = ({ visit, work, progress }: WorkView): Markup | '' =>
  progress.episodes.length === 0
    ? ''
    : html`<a href="${visit.basePath}/works/${work.id}/meeting">${icon('calendar')}${visit.t.meeting.link}</a>`

function coverLinks({ visit, work }: WorkView): Markup {
  const { t, basePath } = visit
  const link = (page: string, text: string) =>
    html`<a href="${basePath}/works/${work.id}/${page}">${icon('upload')}${text}</a>`
  const forAll = visit.session?.isAdmin ? link('shared_cover', t.work.changeSharedCover) : ''
  return html`${link('cover', t.work.changeCover)}${forAll}`
}

/** One's own rating of the whole: two taps. The first rating of a film is given with its viewing. */
function ratingMenu(view: WorkView): Markup {
  const { visit, work, own, progress } = view
  const { t } = visit
  const isSeries = progress.episodes.length > 0
  const text = ratingText(visit, own)
  if (!isSeries && text === '') return html``
  const remove =
    text === '' ? '' : html`<hr /><button name="rating_state" value="">${t.ratings.remove}</button>`
  const form = { act: 'rating', path: '/rating', fields: { work_id: work.id }, swap: '#progress, .of-series' }
  const chosen = text === '' ? t.ratings.choose : ratingMark(visit, own)
  return html`<details class="menu" name="menu">
    <summary class="button small" aria-label="${text || t.ratings.choose}${t.common.colon}${t.ratings.of(nameOf(view))}" data-focus="rating-${work.id}">${chosen}${icon('down', 14)}</summary>
    <div class="entries">${actForm(visit, form, html`${ratingButtons(visit, own)}${remove}`)}${exactly(view, form)}</div>
  </details>`
}

/** A number that has no button: out of 10 with a tenth, or out of 100. */
function exactly({ visit, own }: WorkView, form: Parameters<typeof actForm>[1]): Markup | '' {
  const field = exactField(visit, own)
  return field === ''
    ? ''
    : actForm(visit, form, html`${field}<button class="small">${visit.t.common.save}</button>`)
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
  const ids = await idsOf(visit.deps.seen, { work: work.id })
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
