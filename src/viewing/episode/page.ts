import { sql } from 'kysely'
import { isOnlyOfItsNumber } from '../../catalogue/shown'
import { prepared, type SlotOf } from '../../db/prepared'
import { progressOf } from '../../library/progress/progress'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { timeMarkup } from '../../pages/moment'
import { watchedTime } from '../../pages/partial-date'
import { chosenTitle } from '../../pages/title'
import { catalogueReader, definePage } from '../../web/page'
import { returnTarget } from '../../web/return-to'
import type { Visit } from '../../web/visit'
import { actForm } from '../parts/act-form'
import { channelName } from '../parts/channel'
import { cover, workPath } from '../parts/cover'
import { episodeName, episodePath } from '../parts/episode-name'
import { hiddenNotices } from '../parts/hidden-notice'
import { linkPreview } from '../parts/link-preview'
import { ownMenu } from '../parts/own-menu'
import { lock } from '../parts/private-mark'
import { ratingMark } from '../parts/rating'
import { seasonName } from '../parts/season'
import { threadLink } from '../parts/thread-link'
import { mediumName } from '../work/facts'
import { broadcastsOf } from '../work/next-box'
import { findWork, ownState } from '../work/view'
import { recordsOfOthers } from './others'
import { type EpisodeView, findEpisode, ownRecordsOf } from './view'

/** `number`: as in the catalogue, or `id-2001`. */
export const episodePage = definePage({
  path: '/works/:id/episodes/:number',
  access: catalogueReader,
  show: showEpisode,
})

async function showEpisode(visit: Visit): Promise<PageContent> {
  const view = await episodeView(visit)
  const { work, episode } = view
  const name = episodeName(visit, episode)
  const title = episode.title === '' ? '' : html` <span lang="ja">「${episode.title}」</span>`
  const main = html`<article class="episode-page" id="progress" data-work="${work.id}" data-episode="${episode.id}">
    <div class="about-episode">
      ${backToWork(view)}
      <h1>${name}${title}</h1>
      ${await broadcast(view)}
      ${await ownRecords(view)}
      ${await recordBox(view)}
      ${await neighbours(view)}
    </div>
    ${await recordsOfOthers(view)}
  </article>`
  const heading = `${chosenTitle(visit, work).text} ${name}`
  const head = linkPreview(visit, {
    title: heading,
    description: episode.title,
    type: 'video.episode',
    path: episodePath({ basePath: '' }, episode),
    cover: work.cover_hash,
  })
  return { title: heading, main, place: 'find', head }
}

async function episodeView(visit: Visit): Promise<EpisodeView> {
  const { seen: read } = visit.deps
  const work = await findWork(visit)
  const episode = await findEpisode(visit, work.id)
  const userId = visit.session?.userId ?? 0
  const { lap } = await ownState(read, userId, work.id)
  const records = await ownRecordsOf(read, { user: userId, episode: episode.id })
  return { visit, work, episode, userId, lap, records }
}

function backToWork(view: EpisodeView): Markup {
  const { visit, work } = view
  const { t } = visit
  const { text, lang } = chosenTitle(visit, work)
  const facts = [mediumName(visit, work.media), seasonName(visit, work), episodeCount(view)]
  return html`<a class="of-work" href="${workPath(visit, work.id)}">${cover(visit, work, 40)}<span class="text"><b lang="${lang}">${text}</b><small>${facts
    .filter((fact) => fact !== '')
    .join(t.common.dot)}</small></span></a>`
}

/** '' if nobody knows: an estimated list starts with one episode (D99). */
function episodeCount({ visit: { t }, work, episode }: EpisodeView): string {
  const { episodes_count: count, is_counted } = work
  if (episode.estimated === 0) return t.work.episodesOf(count)
  if (is_counted === 1) return t.work.aboutEpisodesOf(count)
  return count > 1 ? t.work.atLeastEpisodesOf(count) : ''
}

async function broadcast({ visit, episode, userId }: EpisodeView): Promise<Markup> {
  const { deps, t } = visit
  const [program] = await broadcastsOf(deps.seen, { user: userId, episode: episode.id })
  if (program === undefined) return html``
  const mark =
    program.program_estimated === 1 ? html` <span class="estimated">${t.work.estimated}</span>` : ''
  return html`<p class="meta">${timeMarkup(visit, program.started_at)} · ${channelName(t, program.channel)}${mark}</p>`
}

/** One's own records of the episode, from every lap. */
async function ownRecords({ visit, records, lap: current }: EpisodeView): Promise<Markup> {
  if (records.length === 0) return html``
  const { t } = visit
  const hasLaps = current > 1 || records.some(({ lap }) => lap > 1)
  const hidden = await hiddenNotices(
    visit,
    'record_id',
    records.map(({ id }) => id),
  )
  const entries = records.map((record) => {
    const name = hasLaps ? t.strip.lap(record.lap) : t.episode.recorded
    const text = record.comment === '' ? '' : html`<p class="comment">${record.comment}</p>`
    return html`<li id="record-${record.id}"><div class="byline"><span class="state seen">${icon('check', 14)}${name}</span>
      <span class="meta">${watchedTime(visit, record.watched_at, record.precision)}</span>${ratingMark(visit, record)}${lock(t, record.private)}
      ${ownMenu(visit, { kind: 'record', id: record.id, name: hasLaps ? t.episode.recordOf(name) : t.episode.ownRecord })}</div>${text}${text === '' && record.comments_count === 0 ? '' : threadLink(visit, { ...record, kind: 'record' })}${hidden(record.id)}</li>`
  })
  return html`<section class="own-records"><h2>${t.episode.own}</h2><ul>${entries}</ul></section>`
}

/** The page's filled button: records this episode, or the next one if this has a record in the current lap. */
async function recordBox(view: EpisodeView): Promise<Markup> {
  const { visit, lap, records } = view
  const { t, basePath } = visit
  if (visit.session === undefined)
    return html`<div class="box record-box"><p>${t.work.forMembers}</p><a class="button filled" href="${basePath}/sign_in?return_to=${returnTarget(visit)}">${t.signIn.title}</a></div>`
  return records.some((record) => record.lap >= lap) ? await recordNext(view) : recordThis(view)
}

function recordThis({ visit, work, episode }: EpisodeView): Markup {
  const { t, basePath } = visit
  const name = episodeName(visit, episode)
  const skip = { act: 'skip', path: '/skip', fields: { episode_id: episode.id }, swap: '#progress' }
  const sheet = `${basePath}/record/new?episode=${episode.id}&return_to=${returnTarget(visit)}`
  return html`<div class="box record-box">
    ${recordForm(visit, { title: chosenTitle(visit, work).text, id: episode.id, text: t.strip.record(name) })}
    <a class="button" href="${sheet}" data-dialog data-keys="R">${t.work.sheet}</a>
    ${actForm(visit, skip, html`<button class="quiet" aria-label="${t.strip.skip(name)}">${t.episode.skip}</button>`)}
  </div>`
}

async function recordNext({ visit, work, userId }: EpisodeView): Promise<Markup> {
  const { deps, t, now } = visit
  const { next } = (await progressOf(deps.seen, { userId, workIds: [work.id], now })).get(work.id) ?? {}
  if (next === undefined) return html``
  const name = episodeName(visit, { number: next.number, number_text: next.numberText })
  return recordForm(visit, {
    title: chosenTitle(visit, work).text,
    id: next.id,
    text: t.episode.recordNext(name),
  })
}

interface Recorded {
  readonly title: string
  readonly id: number
  readonly text: string
}

function recordForm(visit: EpisodeView['visit'], { title, id, text }: Recorded): Markup {
  const label = visit.t.strip.recordOf(title, text)
  const button = html`<button class="filled" name="episode_id" value="${id}" data-focus="record" aria-label="${label}">${icon('check')}${text}</button>`
  return actForm(visit, { act: 'record', path: '/record', fields: { once: 1 }, swap: '#progress' }, button)
}

/** Links to the previous and the next episode of the work. */
async function neighbours({ visit, episode }: EpisodeView): Promise<Markup> {
  const { deps, t } = visit
  const place = { work: episode.work_id, sort: episode.sort_number, id: episode.id }
  const [[previous], [next]] = await Promise.all([before(deps.seen, place), after(deps.seen, place)])
  if (previous === undefined && next === undefined) return html``
  const link = (label: string, kind: 'previous' | 'next', one: typeof next) =>
    one === undefined
      ? html`<span></span>`
      : html`<a class="${kind}" rel="${kind === 'next' ? 'next' : 'prev'}" href="${episodePath(visit, one)}">${icon(
          kind === 'next' ? 'next' : 'back',
        )}<span><small>${label}</small><b>${episodeName(visit, one)}</b></span></a>`
  return html`<nav class="neighbours" aria-label="${t.episode.neighbours}">${link(t.episode.previous, 'previous', previous)}${link(t.episode.next, 'next', next)}</nav>`
}

type EpisodePosition = { work: number; sort: number; id: number }

const neighbour = (sign: '<' | '>', direction: 'asc' | 'desc') =>
  prepared((read, slot: SlotOf<EpisodePosition>) =>
    read
      .selectFrom('episodes')
      .select(['id', 'work_id', 'number', 'number_text', isOnlyOfItsNumber.as('is_only')])
      // uses episodes_work
      .where('work_id', '=', slot('work'))
      .where('hidden', '=', 0)
      .where(sql<boolean>`(sort_number, id) ${sql.raw(sign)} (${slot('sort')}, ${slot('id')})`)
      .orderBy('sort_number', direction)
      .orderBy('id', direction)
      .limit(1),
  )

const before = neighbour('<', 'desc')
const after = neighbour('>', 'asc')
