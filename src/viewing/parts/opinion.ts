import { isDeletedName } from '../../accounts/account/user'
import { avatar, type PicturedUser, userAvatar } from '../../pages/avatar'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContext } from '../../pages/layout'
import { type DatePrecision, watchedTime } from '../../pages/partial-date'
import type { Visit } from '../../web/visit'
import { reportLink } from '../report/page'
import { actForm } from './act-form'
import { ratingMark } from './rating'
import { threadLink } from './thread-link'

/** A record or a review as other users see it; times are epoch milliseconds. */
export interface Opinion extends PicturedUser {
  readonly id: number
  readonly kind: 'record' | 'review'
  readonly text: string
  readonly rating: string | null
  readonly score: number | null
  readonly at: number
  readonly precision: DatePrecision
  readonly likes_count: number
  readonly comments_count: number
  readonly liked: number
}

type Liked = Pick<Opinion, 'id' | 'kind' | 'username' | 'likes_count' | 'liked'>

interface Shown {
  /** What it is about, unless the page says so. */
  readonly subject?: string
  readonly path: string
  /** Leaves out the text, because the reader has not come that far. */
  readonly isGuarded: boolean
  /** Characters. */
  readonly limit: number
}

export function opinionEntry(visit: Visit, opinion: Opinion, shown: Shown): Markup {
  const { id, kind, at, precision } = opinion
  const subject = shown.subject === undefined ? '' : html`<span class="meta">${shown.subject}</span>`
  return html`<li class="opinion" id="${kind}-${id}"><div class="byline">${personLink(visit, opinion)}${subject}
    <span class="meta">${watchedTime(visit, at, precision)}</span>${ratingMark(visit, opinion)}</div>${
      shown.isGuarded ? '' : html`${comment(visit, opinion.text, shown)}${opinionActs(visit, opinion)}`
    }</li>`
}

/** Visitors only read the comments. */
function opinionActs(visit: Visit, opinion: Opinion): Markup | '' {
  const isVisitor = visit.session === undefined
  if (isVisitor && opinion.comments_count === 0) return ''
  const thread = threadLink(visit, { ...opinion, username: writerName(visit, opinion.username) })
  if (isVisitor) return html`<div class="opinion-acts">${thread}</div>`
  return html`<div class="opinion-acts">${likeForm(visit, opinion)}${thread}${opinionMenu(visit, opinion)}</div>`
}

/** Cut after `limit` characters or some lines, with a link to the whole text at `path`; whole without a limit. */
export function comment(
  { t }: PageContext,
  text: string,
  { limit, path }: Pick<Shown, 'limit' | 'path'>,
): Markup {
  const beginning = limit === Number.POSITIVE_INFINITY ? undefined : beginningOf(text, limit)
  if (beginning === undefined) return html`<p class="comment">${text}</p>`
  return html`<p class="comment">${beginning}… <a href="${path}">${t.work.readOn}</a></p>`
}

/** A text may be 10,000 line ends, which would push away what others wrote. */
const mostLines = 24

/** What a list shows of a text, at most so many characters; undefined where that is all of it. */
export function beginningOf(text: string, mostCharacters: number): string | undefined {
  const lines = text.split('\n', mostLines + 1)
  const few = lines.length > mostLines ? lines.slice(0, mostLines).join('\n').trimEnd() : text
  const characters = Array.from(few)
  if (characters.length > mostCharacters) return characters.slice(0, mostCharacters).join('')
  return few === text ? undefined : few
}

/** Replaces the element of the page whose id is `record-501` or `review-31`. `spriteIcon` needs `sprite('heart')`. */
export function likeForm(
  visit: Visit,
  { id, kind, username, likes_count, liked }: Liked,
  draw = icon,
): Markup {
  const fields = { [`${kind}_id`]: id, liked: 1 - liked }
  const form = { act: 'like', path: '/likes', fields, swap: `#${kind}-${id}` }
  const name = visit.t.episode.like(writerName(visit, username), likes_count)
  const button = html`<button class="like" data-focus="like-${kind}-${id}" aria-pressed="${String(liked === 1)}" aria-label="${name}">${draw('heart')}${likes_count === 0 ? '' : String(likes_count)}</button>`
  return actForm(visit, form, button)
}

export function opinionMenu(visit: Visit, { id, kind, username }: Liked): Markup {
  const { t } = visit
  const name = writerName(visit, username)
  return html`<details class="menu" name="menu"><summary aria-label="${t.episode.opinionMenu(name)}">${icon('more')}</summary>
    <div class="entries">${reportLink(visit, { name: `${kind}_id`, id }, name)}</div></details>`
}

export const writerName = ({ t }: PageContext, username: string): string =>
  isDeletedName(username) ? t.common.formerMember : username

/** Avatar and name, linked to the profile; a deleted account has none. */
export const personLink = (pageContext: PageContext, user: PicturedUser): Markup =>
  isDeletedName(user.username)
    ? html`<span class="person">${avatar('?', 28)}<b>${writerName(pageContext, user.username)}</b></span>`
    : html`<a class="person" href="${pageContext.basePath}/@${user.username}">${userAvatar(pageContext, user, 28)}<b>${user.username}</b></a>`
