import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { watchedTime } from '../../pages/partial-date'
import { chosenTitle } from '../../pages/title'
import { positiveInteger } from '../../values/number'
import { readIfValid } from '../../values/value'
import { anyone, definePage, member } from '../../web/page'
import type { FormProblem } from '../../web/problem'
import { readOrNotFound, type Visit } from '../../web/visit'
import { cover, workPath } from '../parts/cover'
import { episodeName, episodePath } from '../parts/episode-name'
import { readerOf, robotsOf } from '../parts/find-user'
import { hiddenNotices } from '../parts/hidden-notice'
import { comment, likeForm, opinionMenu, personLink } from '../parts/opinion'
import { lock } from '../parts/private-mark'
import { ratingMark } from '../parts/rating'
import { guardsSpoilers, spoilerFold } from '../parts/spoilers'
import { commentsSection } from './comments'
import { type EntryKind, findEntry, seenEntry, type ThreadEntry } from './entry'

/** A record or a review, with what members wrote under it (D77). */
export const threadPages = [threadPage('record'), threadPage('review')]

function threadPage(kind: EntryKind) {
  return definePage({
    path: `/${kind}s/:id`,
    access: anyone,
    show: async (visit) => await showThread(visit, await namedEntry(visit, kind), {}),
  })
}

/** Visitors read those of public profiles, and are sent to sign in from every other address (D64, D72). */
async function namedEntry(visit: Visit, kind: EntryKind): Promise<ThreadEntry> {
  const { session } = visit
  const { id = '' } = visit.params
  if (session !== undefined)
    return await findEntry({ ...visit, session }, kind, readOrNotFound(positiveInteger, id))
  const read = visit.deps.config.publicCatalogue ? readIfValid(positiveInteger, id) : undefined
  const entry = read === undefined ? undefined : await seenEntry(visit, kind, read)
  return entry ?? (await findEntry(member(visit), kind, 0))
}

/** `typed`: the text of a comment that was refused, and why. */
export async function showThread(
  visit: Visit,
  entry: ThreadEntry,
  typed: { readonly text?: string; readonly problem?: FormProblem },
): Promise<PageContent> {
  const { t } = visit
  const isOwn = entry.user_id === readerOf(visit)
  const isRead = isOwn || entry.was_seen === 1 || typed.text !== undefined
  const isGuarded = !isRead && guardsSpoilers(visit)
  const title = t.thread.of(entry.username, chosenTitle(visit, entry).text)
  const below = isGuarded
    ? html`<section id="opinions">${spoilerFold(visit, t.thread.guarded[entry.kind], t.thread.guardedHint[entry.kind])}</section>`
    : await commentsSection(visit, entry, typed)
  const main = html`<article class="thread" data-entry-kind="${entry.kind}"><div class="about-entry">${ofWork(visit, entry)}
    ${await entryMarkup(visit, entry, isGuarded)}</div>${below}</article>`
  const status = typed.problem && { status: typed.problem.status }
  return { title, main, place: 'find', ...robotsOf(entry), ...status }
}

/** The work and the episode, as the way back. */
function ofWork(visit: Visit, entry: ThreadEntry): Markup {
  const { t } = visit
  const { text, lang } = chosenTitle(visit, entry)
  const { episode } = entry
  const about =
    episode === undefined
      ? t.work.whole
      : html`${episodeName(visit, episode)}${episode.episode_title === '' ? '' : html`<span lang="ja">「${episode.episode_title}」</span>`}`
  const inner = html`${cover(visit, { ...entry, id: entry.work_id }, 40)}<span class="text"><b lang="${lang}">${text}</b><small>${about}</small></span>`
  if (entry.hidden === 1) return html`<p class="of-work">${inner}</p>`
  const path = episode === undefined ? workPath(visit, entry.work_id) : episodePath(visit, episode)
  return html`<a class="of-work" href="${path}">${inner}</a>`
}

async function entryMarkup(visit: Visit, entry: ThreadEntry, isGuarded: boolean): Promise<Markup> {
  const { t, basePath } = visit
  const { id, kind, lap, text } = entry
  const isOwn = entry.user_id === readerOf(visit)
  const name = kind === 'record' ? 'record_id' : 'review_id'
  const hidden = isOwn ? (await hiddenNotices(visit, name, [id]))(id) : ''
  const lapText = lap > 1 ? html` · ${t.strip.lap(lap)}` : ''
  const whole = { limit: Number.POSITIVE_INFINITY, path: '' }
  const said = isGuarded || text === '' ? '' : comment(visit, text, whole)
  const editPath = kind === 'record' ? `/records/${id}/edit` : `/viewings/${id}/edit`
  const others = isOwn
    ? html`<a class="button quiet small" href="${basePath}${editPath}">${icon('pen', 16)}${t.common.edit}</a>`
    : opinionMenu(visit, entry)
  return html`<div class="opinion" id="${kind}-${id}"><h1 class="unseen">${t.thread.of(entry.username, chosenTitle(visit, entry).text)}</h1>
    <div class="byline">${personLink(visit, entry)}<span class="meta">${watchedTime(visit, entry.at, entry.precision)}${lapText}</span>${ratingMark(visit, entry)}${lock(t, entry.private)}</div>
    ${said}${hidden}${visit.session === undefined ? '' : html`<div class="opinion-acts">${likeForm(visit, entry)}${others}</div>`}</div>`
}
