import type { CoveredWork } from '../../catalogue/cover-path'
import { type RawValues, textOrBlank } from '../../http/request-values'
import { progressOf } from '../../library/progress/progress'
import type { Messages } from '../../messages/en'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { chosenTitle, type Titles, titleMarkup } from '../../pages/title'
import { positiveInteger } from '../../values/number'
import { formText } from '../../web/form'
import { csrfInput } from '../../web/form-markup'
import { definePage, member } from '../../web/page'
import { type FormProblem, pageNotFound } from '../../web/problem'
import { safeReturn } from '../../web/return-to'
import { type MemberVisit, queryText, readOrNotFound } from '../../web/visit'
import { actForm, longForm, queue } from '../parts/act-form'
import { cover, workPath } from '../parts/cover'
import { episodeName } from '../parts/episode-name'
import { type OpinionTexts, typedOpinion } from '../parts/opinion-texts'
import { privateBox } from '../parts/private-mark'
import { noRating, ratingChoice } from '../parts/rating-form'
import { statusMark } from '../parts/status'
import { episodeToRecord } from './episode-to-record'

/** `episode`: its id. `return_to`: the page to return to, by default Track. */
export const recordSheet = definePage({
  path: '/record/new',
  access: member,
  show: async (visit) => {
    const episode = await findEpisode(visit, queryText(visit, 'episode'))
    const return_to = safeReturn(queryText(visit, 'return_to'), visit.deps.config.baseUrl)
    return page(visit, episode, {
      comment: '',
      ...noRating,
      watched_at: '',
      precision: 'time',
      return_to,
      isPrivate: episode.private_by_default === 1,
    })
  },
})

/** Shows the sheet again with what was typed and its problem. */
export async function sheetWithProblem(
  visit: MemberVisit,
  problem: FormProblem,
  sent: RawValues,
): Promise<PageContent> {
  const episode = await findEpisode(visit, textOrBlank(sent, 'episode_id'))
  const typed = typedOpinion(sent)
  const texts = {
    ...typed,
    precision: typed.precision || 'time',
    return_to: safeReturn(formText(sent, 'return_to'), visit.deps.config.baseUrl),
    problem: problem.text(visit.t),
  }
  return { ...page(visit, episode, texts), status: problem.status }
}

function page(visit: MemberVisit, episode: SheetEpisode, texts: OpinionTexts): PageContent {
  const title = visit.t.sheet.title(episodeName(visit, episode), episode.title)
  return { title, main: sheet(visit, episode, texts), place: 'track', isKept: true }
}

async function findEpisode({ deps, session, now }: MemberVisit, sent: string): Promise<SheetEpisode> {
  const id = readOrNotFound(positiveInteger, sent)
  const [episode] = await episodeToRecord(deps.seen, { id, user: session.userId })
  if (episode === undefined) throw pageNotFound()
  const asked = { userId: session.userId, workIds: [episode.work_id], now }
  const progress = (await progressOf(deps.seen, asked)).get(episode.work_id)
  return { ...episode, unseen: progress?.next?.id === episode.id ? progress.unseen : 0 }
}

/** `id` and the numbers are the episode's, the titles and the cover are its work's. */
interface SheetEpisode extends CoveredWork, Titles {
  readonly work_id: number
  readonly number: string | null
  readonly number_text: string
  readonly episode_title: string
  readonly aired_at: number | null
  readonly earlier: number
  /** How many records the reader has of it in the current lap. */
  readonly recorded: number
  /** How many episodes from this one on have been broadcast and have no record; 0 unless it is the next one. */
  readonly unseen: number
  /** 1 if the reader's new entries are private. */
  readonly private_by_default: number
}

/** The form for one record; with script, a dialog over the page. Enter presses the first button. */
function sheet(visit: MemberVisit, episode: SheetEpisode, texts: OpinionTexts): Markup {
  const { basePath, t } = visit
  const swap = swapped(episode.work_id)
  const about = `${chosenTitle(visit, episode).text} ${episodeName(visit, episode)}`
  return html`<div class="sheet-page" id="sheet">
    ${head(visit, episode, texts)}
    ${problemBox(visit, texts)}
    <form method="post" action="${basePath}/record" data-act="record"${longForm} data-swap="${swap}"${queue('/record', about)}>
      ${csrfInput(visit)}
      <input type="hidden" name="return_to" value="${texts.return_to}" />
      <input type="hidden" name="episode_id" value="${episode.id}" />
      ${episode.recorded > 0 ? '' : html`<input type="hidden" name="once" value="1" />`}
      <div class="fields">
        ${ratingChoice(visit, texts, { takesFocus: true })}
        <label for="comment">${t.sheet.comment}</label>
        <textarea id="comment" name="comment" rows="3" maxlength="10000">${'\n'}${texts.comment}</textarea>
        ${when(visit, episode, texts)}
        ${privateBox(t, texts.isPrivate)}
      </div>
      <div class="actions">
        <button class="filled">${button(t, episode, texts)}</button>
        ${episode.earlier > 0 ? html`<button class="plain" formaction="${basePath}/record/up_to" aria-label="${t.sheet.upToAll(episode.earlier + 1)}">${t.sheet.upTo}</button>` : ''}
      </div>
    </form>
    ${others(visit, episode, texts)}
  </div>`
}

/** What was refused because it has a record by now would be a second one. */
function button(t: Messages, { recorded }: SheetEpisode, { problem }: OpinionTexts): string {
  if (problem === undefined) return t.sheet.record
  return recorded > 0 ? t.phone.addComment : t.common.again
}

/** Fragments that a record changes on the pages that open the sheet; `#sheet` is for refusals. */
const swapped = (workId: number) => `#row-${workId}, #today, #progress, #sheet`

function head(visit: MemberVisit, episode: SheetEpisode, texts: OpinionTexts): Markup {
  const { t, basePath } = visit
  const title = episode.episode_title === '' ? '' : html` <span lang="ja">「${episode.episode_title}」</span>`
  return html`<div class="sheet-head">
      ${cover(visit, { ...episode, id: episode.work_id }, 40)}
      <div class="text">
        <h1><a href="${workPath(visit, episode.work_id)}">${titleMarkup(visit, episode)}</a></h1>
        <p class="meta">${episodeName(visit, episode)}${title}</p>
      </div>
      <a class="close" href="${basePath}${texts.return_to}" aria-label="${t.common.close}">${icon('close')}</a>
    </div>`
}

const problemBox = ({ t }: MemberVisit, { problem }: OpinionTexts): Markup | '' =>
  problem === undefined
    ? ''
    : html`<div class="problems" role="alert"><h2>${t.sheet.failed}</h2><p>${problem}</p></div>`

/** The style sheet shows the date field once "Date" is chosen. */
function when({ t }: MemberVisit, episode: SheetEpisode, texts: OpinionTexts): Markup {
  const choices = [
    ['time', t.sheet.now],
    ...(episode.aired_at === null ? [] : [['aired', t.sheet.aired] as const]),
    ['date', t.sheet.date],
    ['none', t.sheet.unknown],
  ] as const
  const chip = ([value, label]: readonly [string, string]) =>
    html`<label class="chip"><input type="radio" name="precision" value="${value}"${
      value === texts.precision ? html` checked` : ''
    } /><span>${label}</span></label>`
  return html`<fieldset class="chips when"><legend>${t.sheet.when}</legend>${choices.map(chip)}
      <div class="date">
        <input type="text" name="watched_at" value="${texts.watched_at}" inputmode="numeric" autocomplete="off" aria-label="${t.sheet.date}" aria-describedby="date-hint" placeholder="2019" />
        <p class="hint" id="date-hint">${t.sheet.dateHint}</p>
      </div>
    </fieldset>`
}

/** What else can be done here with the episode or its work. */
function others(visit: MemberVisit, episode: SheetEpisode, { return_to }: OpinionTexts): Markup {
  const { t } = visit
  const { id, work_id, unseen } = episode
  const swap = swapped(work_id)
  const skip = { act: 'skip', path: '/skip', fields: { episode_id: id }, swap, returnTo: return_to }
  const status = { act: 'status', path: '/status', fields: { work_id }, swap, returnTo: return_to }
  const aired = { act: 'aired', path: '/record/aired', fields: { work_id }, swap, returnTo: return_to }
  const kinds = ['on_hold', 'stop_watching', 'watched'] as const
  return html`<div class="others">
      <a class="button quiet small" href="${visit.basePath}/works/${work_id}/slot?return_to=${encodeURIComponent(return_to)}">${t.slot.title}</a>
      ${unseen > 1 ? actForm(visit, aired, html`<button class="quiet small">${t.sheet.catchUp(unseen)}</button>`) : ''}
      ${actForm(visit, skip, html`<button class="quiet small">${t.sheet.skip}</button>`)}
      ${actForm(
        visit,
        status,
        html`${kinds.map((kind) => html`<button class="quiet small" name="kind" value="${kind}">${statusMark(t, kind)}</button>`)}`,
      )}
    </div>`
}
