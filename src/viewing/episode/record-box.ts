import { progressOf } from '../../library/progress/progress'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import { chosenTitle } from '../../pages/title'
import { returnTarget } from '../../web/return-to'
import { actForm } from '../parts/act-form'
import { episodeName } from '../parts/episode-name'
import type { EpisodeView } from './view'

/** The page's filled button: records this episode, or the next one if this has a record in the current lap. */
export async function recordBox(view: EpisodeView): Promise<Markup> {
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
  const { next } = (await progressOf(deps.read, { userId, workIds: [work.id], now })).get(work.id) ?? {}
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
  return actForm(visit, { act: 'record', path: '/record', swap: '#progress' }, button)
}
