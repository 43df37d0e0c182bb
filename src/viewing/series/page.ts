import { usualMinutes } from '../../catalogue/minutes'
import { type Progress, progressOf } from '../../library/progress/progress'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { readerTime } from '../../pages/local-format'
import { chosenTitle, titleMarkup } from '../../pages/title'
import { catalogueReader, definePage } from '../../web/page'
import { returnTarget } from '../../web/return-to'
import { type MemberVisit, queryText, type Visit } from '../../web/visit'
import { namesOfLists } from '../lists/queries'
import { actForm, actsByKey } from '../parts/act-form'
import { cover, workPath } from '../parts/cover'
import { episodeName } from '../parts/episode-name'
import { linkPreview } from '../parts/link-preview'
import { progressBar } from '../parts/progress-bar'
import { ratingMark } from '../parts/rating'
import { ranksOf, seasonAt, seasonName } from '../parts/season'
import { statusMark } from '../parts/status'
import { mediumName } from '../work/facts'
import { findSeries, type ShownSeries, type WorkOfSeries, worksOfSeries } from './queries'

interface SeriesView {
  readonly visit: Visit
  readonly series: ShownSeries
  readonly works: readonly WorkOfSeries[]
  /** By work; empty for visitors. */
  readonly progress: ReadonlyMap<number, Progress>
  /** The first of the main works that the reader has not finished or given up. */
  readonly next: WorkOfSeries | undefined
}

/** A franchise in order, with how far the reader is in it. `?work=5`: the page that led here. */
export const seriesPage = definePage({
  path: '/series/:id',
  access: catalogueReader,
  show: async (visit): Promise<PageContent> => {
    const series = await findSeries(visit)
    const view = await seriesView(visit, series)
    const name = nameOf(visit, series)
    const [main, others] = [view.works.filter(isMain), view.works.filter((work) => !isMain(work))]
    const content = html`<div class="series-page">${backTo(view)}${await head(view, name)}
      <div id="series-works">${summary(view)}${rowsOf(view, main, 0)}${
        others.length === 0
          ? ''
          : html`${main.length === 0 ? '' : html`<h2>${visit.t.series.others}</h2>`}${rowsOf(view, others, main.length)}`
      }${foot(view)}</div>${visit.session === undefined ? '' : actsByKey(visit)}</div>`
    const preview = linkPreview(visit, {
      ...{ title: name, description: visit.t.series.works(view.works.length), type: 'website' },
      path: `/series/${series.id}`,
    })
    return { title: name, main: content, place: 'find', head: preview }
  },
})

async function seriesView(visit: Visit, series: ShownSeries): Promise<SeriesView> {
  const { deps, session, now, preferences } = visit
  const user = session?.userId ?? 0
  const today = new Date(readerTime(visit, now).dayNumber * 86_400_000).toISOString().slice(0, 10)
  const season = seasonAt(now, preferences.timeZone)
  const asked = { series: series.id, user, today, rank: ranksOf(season).until }
  const works = await worksOfSeries(deps.seen, asked)
  const workIds = works.filter(({ no_episodes }) => no_episodes === 0).map(({ id }) => id)
  const progress =
    session === undefined ? new Map() : await progressOf(deps.seen, { userId: user, workIds, now })
  const isOver = ({ kind }: WorkOfSeries) => kind === 'watched' || kind === 'stop_watching'
  const next = session && works.find((work) => isMain(work) && !isOver(work))
  return { visit, series, works, progress, next }
}

const isMain = ({ media }: WorkOfSeries): boolean => media === 'tv' || media === 'movie' || media === 'web'

function nameOf({ preferences }: Visit, { name, name_en, name_ro }: ShownSeries): string {
  const { titleLanguage } = preferences
  if (titleLanguage === 'english') return name_en || name_ro || name
  return titleLanguage === 'romaji' ? name_ro || name : name
}

function backTo({ visit, works }: SeriesView): Markup | '' {
  const from = works.find(({ id }) => String(id) === queryText(visit, 'work'))
  if (from === undefined) return ''
  return html`<a class="back" href="${workPath(visit, from.id)}">${icon('back', 16)}${chosenTitle(visit, from).text}</a>`
}

async function head(view: SeriesView, name: string): Promise<Markup> {
  const { visit } = view
  const { t } = visit
  const toList = visit.session === undefined ? '' : await listMenu({ ...visit, session: visit.session }, view)
  return html`<div class="head series-head"><h1>${name} <small class="meta">${t.series.name}</small></h1>${toList}</div>`
}

/** All of its works go to the end of a list. */
async function listMenu(visit: MemberVisit, { works }: SeriesView): Promise<Markup | ''> {
  const { t, basePath, deps, session } = visit
  if (works.length === 0) return ''
  const lists = await namesOfLists(deps.seen, session.userId)
  const options = lists.map(({ id, name }) => html`<option value="${id}">${name}</option>`)
  const form = { act: 'list_add', path: '/lists/add', fields: { works: idsOf(works) } }
  const choice =
    lists.length === 0
      ? html`<a href="${basePath}/lists/new">${t.lists.make}</a>`
      : actForm(
          visit,
          form,
          html`<select name="list_id" aria-label="${t.lists.title}">${options}</select><button>${t.lists.chosen}</button>`,
        )
  return html`<details class="menu" name="menu"><summary class="button">${t.lists.addTo}</summary><div class="entries">${choice}</div></details>`
}

const idsOf = (works: readonly WorkOfSeries[]): string => works.map(({ id }) => id).join(',')

/** `95話中68話 · 11作品 · 7作品を見た · 残りは約9時間` */
function summary({ visit, works, progress }: SeriesView): Markup {
  const { t, session } = visit
  const count = t.series.works(works.length)
  if (session === undefined) return html`<p class="meta">${count}</p>`
  const known = works.reduce((sum, { id }) => sum + (progress.get(id)?.known ?? 0), 0)
  const watched = works.reduce((sum, { id }) => sum + (progress.get(id)?.watched ?? 0), 0)
  const seen = works.filter(({ kind }) => kind === 'watched').length
  const hours = Math.round(
    works.reduce((sum, work) => sum + minutesLeft(work, progress.get(work.id)), 0) / 60,
  )
  const facts = [count, t.series.seen(seen), ...(hours > 0 ? [t.series.hoursLeft(hours)] : [])]
  const width = known === 0 ? 0 : Math.round((1000 * watched) / known)
  const bar =
    known === 0
      ? ''
      : html`<div class="running-bar"><svg viewBox="0 0 1000 8" preserveAspectRatio="none" aria-hidden="true"><rect width="${width}" height="8" /></svg></div>`
  const figure = known === 0 ? '' : html`<b>${t.series.episodes(watched, known)}</b> · `
  return html`<p class="meta">${figure}${facts.join(' · ')}</p>${bar}`
}

/** Of what is listed and not seen; a length that nobody says is the usual one (D90). */
function minutesLeft(
  { kind, media, minutes, no_episodes }: WorkOfSeries,
  progress: Progress | undefined,
): number {
  if (kind === 'watched' || kind === 'stop_watching') return 0
  const left = no_episodes === 1 ? 1 : (progress?.known ?? 0) - (progress?.watched ?? 0)
  return left * (minutes ?? usualMinutes[media] ?? 0)
}

function rowsOf(view: SeriesView, works: readonly WorkOfSeries[], before: number): Markup {
  const rows = works.map((work, at) => workRow(view, work, before + at + 1))
  return html`<ol class="rows in-list of-series">${rows}</ol>`
}

function workRow(view: SeriesView, work: WorkOfSeries, nth: number): Markup {
  const { visit, progress, next } = view
  const { t, session } = visit
  const far = progress.get(work.id)
  const isSeen = work.kind === 'watched'
  const waits = work === next ? 'accent' : 'soft'
  const own =
    session === undefined
      ? ''
      : html`<p class="meta">${work.kind === null ? '' : statusMark(t, work.kind)}${far === undefined || far.watched === 0 ? '' : progressBar(far)}${ratingMark(visit, work)}</p>`
  return html`<li class="row${work === next ? ' chosen' : ''}" id="row-${work.id}" data-work="${work.id}"><span class="nth ${isSeen ? 'seen' : waits}" aria-hidden="true">${isSeen ? icon('check', 16) : nth}</span>${cover(visit, work, 48)}
    <div class="text"><a class="work" href="${workPath(visit, work.id)}">${titleMarkup(visit, work)}</a><p class="meta">${facts(visit, work, far)}</p>${own}</div>${session === undefined ? '' : press(visit, work, far)}</li>`
}

/** `2023年夏 · TV · 23話 · 次は第15話` */
function facts(visit: Visit, work: WorkOfSeries, progress: Progress | undefined): string {
  const { t } = visit
  const count =
    work.no_episodes === 1 || work.episodes_count === 0 ? '' : t.search.episodes(work.episodes_count)
  const next = work.kind === 'watching' && progress?.next
  return [
    seasonName(visit, work) || t.search.toBeAnnounced,
    mediumName(visit, work.media),
    count,
    next ? t.series.next(episodeName(visit, { number: next.number, number_text: next.numberText })) : '',
  ]
    .filter((fact) => fact !== '')
    .join(' · ')
}

/** ✓ of the next episode, or one press to plan it. */
function press(visit: Visit, work: WorkOfSeries, progress: Progress | undefined): Markup {
  const { t } = visit
  const title = chosenTitle(visit, work).text
  const next = progress?.next
  if (work.kind === 'watching' && next !== undefined) {
    const episode = episodeName(visit, { number: next.number, number_text: next.numberText })
    const form = {
      act: 'record',
      path: '/record',
      fields: { episode_id: next.id, once: '1' },
      swap: '#series-works',
    }
    const look = next.hasAired ? html`tick aired` : html`tick`
    return actForm(
      visit,
      form,
      html`<button class="${look}" data-focus="record-${work.id}" aria-label="${t.track.record(title, episode)}">${icon('check')}</button>`,
    )
  }
  if (work.kind !== null) return html``
  const form = { act: 'status', path: '/status', fields: { work_id: work.id }, swap: '#series-works' }
  return actForm(
    visit,
    form,
    html`<button class="outlined small" name="kind" value="wanna_watch" data-focus="status-${work.id}" aria-label="${t.statuses.setTo(title, t.statuses.wanna_watch)}">＋ ${t.statuses.wanna_watch}</button>`,
  )
}

function foot({ visit, works, progress }: SeriesView): Markup {
  const { t, basePath, session } = visit
  if (session === undefined || works.length === 0) return html`<p class="meta">${t.series.order}</p>`
  const open = works.filter(({ kind }) => kind === null)
  const isUnrecorded = (work: WorkOfSeries) =>
    work.no_episodes === 1 ? work.viewings === 0 : (progress.get(work.id)?.unseen ?? 0) > 0
  const past = works.filter((work) => work.is_out === 1 && isUnrecorded(work))
  const form = {
    act: 'status_bulk',
    path: '/status/bulk',
    fields: { works: idsOf(open), kind: 'wanna_watch' },
  }
  const plan =
    open.length === 0
      ? ''
      : actForm(visit, form, html`<button data-focus="plan-all">${t.series.planRest}</button>`)
  const record =
    past.length === 0
      ? ''
      : html`<a class="button" href="${basePath}/past?works=${idsOf(past)}&amp;return_to=${returnTarget(visit)}" data-dialog>${t.series.past}</a>`
  return html`<div class="head"><p class="meta">${t.series.order}</p><div class="buttons">${plan}${record}</div></div>`
}
