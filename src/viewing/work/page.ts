import { html, type Markup } from '../../pages/html'
import type { PageContent } from '../../pages/layout'
import { catalogueReader, definePage } from '../../web/page'
import { returnTarget } from '../../web/return-to'
import type { Visit } from '../../web/visit'
import { actForm } from '../parts/act-form'
import { cover } from '../parts/cover'
import { viewingForm } from '../viewing/form'
import { viewingStart } from '../viewing/proposed'
import { firstStarts } from './airing'
import { workFacts } from './facts'
import { findWork } from './find-work'
import { statusLine, workHead } from './head'
import { nextBox } from './next-box'
import { privateNote } from './note'
import { workOpinions } from './opinions'
import { ownState } from './own-state'
import { peopleHere } from './people'
import { progressOf } from './progress'
import { seriesRows } from './series'
import { episodeStrip, seenUpTo } from './strip'
import { nameOf, type WorkView } from './view'
import { ownViewings } from './viewings'
import { whereToWatch } from './where'

export const workPage = definePage({ path: '/works/:id', access: catalogueReader, show: showWork })

export const workPageBySlug = definePage({
  path: '/works/:id/:slug',
  access: catalogueReader,
  show: showWork,
})

async function showWork(visit: Visit): Promise<PageContent> {
  const view = await workView(visit)
  const { work } = view
  const main = html`<article class="work-page" data-work="${work.id}">
    <div class="work-cover">${cover(visit, work, 192)}</div>
    ${workHead(view)}
    <div class="mine" id="progress">${statusLine(view)}${await episodesOrViewings(view)}${privateNote(view)}</div>
    <aside class="beside">${await whereToWatch(view)}${await peopleHere(view)}${await seriesRows(view)}</aside>
    ${await workFacts(view)}
    <div class="written">${await workOpinions(view)}</div>
  </article>`
  return { title: nameOf(view), main, place: 'find' }
}

async function workView(visit: Visit): Promise<WorkView> {
  const { read } = visit.deps
  const work = await findWork(visit)
  const userId = visit.session?.userId ?? 0
  const own = await ownState(read, userId, work.id)
  const progress = await progressOf(read, { user: userId, work: work.id, lap: own.lap })
  const starts = await firstStarts(read, work.id)
  return { visit, work, userId, own, progress, starts }
}

async function episodesOrViewings(view: WorkView): Promise<Markup> {
  const viewings = view.visit.session === undefined ? html`` : await ownViewings(view)
  if (view.progress.episodes.length > 0) return html`${await nextBox(view)}${episodeStrip(view)}${viewings}`
  return html`${await viewingBox(view)}${unlistedEpisodes(view)}${viewings}`
}

/** For a work without episodes (D60): the viewing form. */
async function viewingBox({ visit, work }: WorkView): Promise<Markup> {
  const { t, basePath, session } = visit
  if (session === undefined)
    return html`<div class="box next-box"><p>${t.work.forMembers}</p><a class="button filled wide" href="${basePath}/sign_in?return_to=${returnTarget(visit)}">${t.signIn.title}</a></div>`
  const { times, texts } = await viewingStart({ ...visit, session }, work.id)
  return viewingForm({ ...visit, session }, { ...work, times }, texts)
}

/** A work that is not a film but has no list: its first episode may be added (D62). */
function unlistedEpisodes({ visit, work, progress }: WorkView): Markup {
  const { t } = visit
  if (work.no_episodes === 1 || visit.session === undefined) return html``
  const form = { act: 'add_episode', path: '/episodes', fields: { work_id: work.id }, swap: '#progress' }
  const add = html`<button class="link" data-focus="add-episode">${t.strip.addFirst}</button>`
  return html`<section class="episodes"><div class="below"><span>${t.strip.unlisted}</span>${actForm(visit, form, add)}${seenUpTo({ visit, work, progress })}</div></section>`
}
