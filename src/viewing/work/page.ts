import { sql } from 'kysely'
import { prepared, type SlotOf } from '../../db/prepared'
import type { Precision } from '../../library/watched'
import { pageScript } from '../../pages/assets'
import { html, type Markup } from '../../pages/html'
import type { PageContent } from '../../pages/layout'
import { watchedTime } from '../../pages/partial-date'
import { catalogueReader, definePage, member } from '../../web/page'
import { returnTarget } from '../../web/return-to'
import { queryText, type Visit } from '../../web/visit'
import { actForm } from '../parts/act-form'
import { cover } from '../parts/cover'
import { hiddenNotices } from '../parts/hidden-notice'
import { linkPreview } from '../parts/link-preview'
import { comment } from '../parts/opinion'
import { ownMenu } from '../parts/own-menu'
import { lock } from '../parts/private-mark'
import { ratingMark } from '../parts/rating'
import { seasonName } from '../parts/season'
import { threadLink } from '../parts/thread-link'
import { viewingForm, viewingStart } from '../viewing/form'
import { peopleHere, seriesRows, whereToWatch } from './beside'
import { mediumName, statusLine, workFacts, workHead } from './facts'
import { hiddenWorkPage } from './hidden'
import { firstStarts, nextBox } from './next-box'
import { textLimit, workOpinions } from './opinions'
import { episodeStrip, seenUpTo } from './strip'
import { findOwnWork, nameOf, ownState, progressOf, type ShownWork, type WorkView } from './view'

export const workPage = definePage({ path: '/works/:id', access: catalogueReader, show: showWork })

export const workPageBySlug = definePage({
  path: '/works/:id/:slug',
  access: catalogueReader,
  show: showWork,
})

async function showWork(visit: Visit): Promise<PageContent> {
  const work = await findOwnWork(visit)
  if (work.hidden !== 0) return await hiddenWorkPage(member(visit), work)
  const view = await workView(visit, work)
  const main = html`<article class="work-page" data-work="${work.id}">
    <div class="work-cover">${cover(visit, work, 192)}</div>
    ${workHead(view)}
    <div class="mine" id="progress">${await statusLine(view)}${await episodesOrViewings(view)}${privateNote(view)}</div>
    <aside class="beside">${await whereToWatch(view)}${await peopleHere(view)}${await seriesRows(view)}</aside>
    ${await workFacts(view)}
    <div class="written">${await workOpinions(view)}</div>
  </article>`
  const head = html`${pageScript(visit, 'strip.js')}${preview(view)}`
  return { title: nameOf(view), main, place: 'find', head }
}

function preview(view: WorkView): Markup {
  const { visit, work } = view
  return linkPreview(visit, {
    title: nameOf(view),
    description: [mediumName(visit, work.media), seasonName(visit, work)]
      .filter((part) => part !== '')
      .join(' · '),
    type: work.media === 'movie' ? 'video.movie' : 'video.tv_show',
    path: `/works/${work.id}`,
    cover: work.cover_hash,
  })
}

async function workView(visit: Visit, work: ShownWork): Promise<WorkView> {
  const { seen: read } = visit.deps
  const userId = visit.session?.userId ?? 0
  const own = await ownState(read, userId, work.id)
  const progress = await progressOf(read, { user: userId, work, lap: own.lap })
  const starts = await firstStarts(read, work.id)
  return { visit, work, userId, own, progress, starts }
}

async function episodesOrViewings(view: WorkView): Promise<Markup> {
  const viewings = view.visit.session === undefined ? html`` : await ownViewings(view)
  if (view.progress.episodes.length > 0) return html`${await nextBox(view)}${episodeStrip(view)}${viewings}`
  return html`${await viewingBox(view)}${unlistedEpisodes(view)}${viewings}`
}

/**
 * The reader's own viewings and reviews of the work, newest first, each with its menu. Leaves out a rating alone, which
 * is shown next to the status.
 */
async function ownViewings({ visit, work, userId }: WorkView): Promise<Markup> {
  const rows = await viewingsOf(visit.deps.seen, { user: userId, work: work.id })
  if (rows.length === 0) return html``
  const { t } = visit
  const hidden = await hiddenNotices(
    visit,
    'review_id',
    rows.map(({ id }) => id),
  )
  const items = rows.map((row, index) => {
    const name = t.work.nthViewing(rows.length - index)
    const path = `${visit.basePath}/works/${work.id}?texts=whole#viewing-${row.id}`
    const text = row.body === '' ? '' : comment(visit, row.body, { limit: textLimit(visit), path })
    const at = row.watched_at ?? row.created_at
    return html`<li class="viewing" id="viewing-${row.id}" data-viewing="${row.id}">
      <div class="byline"><b>${name}</b> ${watchedTime(visit, at, row.precision)} ${ratingMark(visit, row)}${lock(t, row.private)}
      ${ownMenu(visit, { kind: 'viewing', id: row.id, name, swap: '#progress' })}</div>${text}${text === '' && row.comments_count === 0 ? '' : threadLink(visit, { ...row, kind: 'review' })}${hidden(row.id)}</li>`
  })
  return html`<section><h2>${t.work.ownViewings}</h2><ul class="viewings">${items}</ul></section>`
}

// uses reviews_user
const viewingsOf = prepared((read, slot: SlotOf<{ user: number; work: number }>) =>
  read
    .selectFrom('reviews')
    .select([
      'id',
      'body',
      'rating_overall_state as rating',
      'score',
      'watched_at',
      'created_at',
      'private',
      'comments_count',
    ])
    .select(sql<Precision>`ifnull(watched_at_precision, 'time')`.as('precision'))
    .where('user_id', '=', slot('user'))
    .where('work_id', '=', slot('work'))
    .where(({ or, eb }) => or([eb('has_body', '=', 1), eb('watched_at', 'is not', null)]))
    .orderBy('id', 'desc')
    .limit(50),
)

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

/** Visible only to its author. */
function privateNote({ visit, work, own }: WorkView): Markup {
  const { t, basePath } = visit
  if (visit.session === undefined) return html``
  if (queryText(visit, 'note') === 'edit') return noteForm(visit, work.id, own.note)
  if (own.note === '') return html``
  return html`<section class="own-note" id="note"><h2>${t.work.note} <small>${t.work.notePrivate}</small></h2><p class="comment">${own.note}</p>
    <a class="button small" href="${basePath}/works/${work.id}?note=edit#note">${t.work.editNote}</a></section>`
}

function noteForm(visit: WorkView['visit'], work_id: number, text: string): Markup {
  const { t, basePath } = visit
  const fields = { work_id }
  const form = { act: 'note', path: '/notes', fields, returnTo: `/works/${work_id}`, isLong: true } as const
  return html`<section class="own-note" id="note"><h2><label for="note-text">${t.work.note}</label> <small>${t.work.notePrivate}</small></h2>${actForm(
    visit,
    form,
    html`<textarea id="note-text" name="text" rows="4" autofocus>${'\n'}${text}</textarea>
    <div class="buttons"><button>${t.common.save}</button><a class="button quiet" href="${basePath}/works/${work_id}">${t.common.cancel}</a></div>`,
  )}</section>`
}
