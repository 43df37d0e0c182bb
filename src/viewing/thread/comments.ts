import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import { timeMarkup } from '../../pages/moment'
import { longestComment, takesComments } from '../../social/comments/write-comment'
import { positiveInteger } from '../../values/number'
import { readIfValid } from '../../values/value'
import type { FormProblem } from '../../web/problem'
import { returnTarget } from '../../web/return-to'
import { type MemberVisit, queryText, type Visit } from '../../web/visit'
import { actForm } from '../parts/act-form'
import { type HiddenNotice, hiddenNotices } from '../parts/hidden-notice'
import { personLink, writerName } from '../parts/opinion'
import { reportLink } from '../report/page'
import { commentsUnder, type ThreadComment, type ThreadKind } from './entry'

const pageSize = 50

interface TypedComment {
  readonly text?: string
  readonly problem?: FormProblem
}

/** What comments stand under. `comments_count`: as many as the reader sees. */
export interface ThreadOf {
  readonly kind: ThreadKind
  readonly id: number
  /** Whose it is. */
  readonly user_id: number
  readonly username: string
  readonly comments_count: number
  /** Whether the reader may write whomever its owner takes comments from. */
  readonly isAsked?: boolean
  /** In place of what was written after a time, in epoch milliseconds. */
  readonly folded?: { readonly after: number; readonly fold: Markup }
}

/** Oldest first: the newest fifty, from which a link leads to those before. */
export async function commentsSection(visit: Visit, entry: ThreadOf, typed: TypedComment): Promise<Markup> {
  const { t, deps } = visit
  const { kind, id, folded } = entry
  const before = readIfValid(positiveInteger, queryText(visit, 'before')) ?? Number.MAX_SAFE_INTEGER
  const until = folded === undefined ? {} : { until: folded.after }
  const found = await commentsUnder(deps.crowd, kind, { id, before, limit: pageSize + 1, ...until })
  const shown = found.slice(0, pageSize).reverse()
  const hiddenIds = shown.flatMap(({ id, hidden_by }) => (hidden_by === null ? [] : [id]))
  const hidden = await hiddenNotices(visit, 'comment_id', hiddenIds)
  const path = threadPath(visit, entry)
  const earlier =
    found.length > pageSize
      ? html`<a class="button small" rel="next" href="${path}?before=${shown[0]?.id ?? 0}#comments">${t.thread.earlier}</a>`
      : ''
  const isLast = before === Number.MAX_SAFE_INTEGER
  const newest = isLast ? '' : html`<a class="button small" href="${path}#comments">${t.thread.newest}</a>`
  const list =
    shown.length === 0
      ? ''
      : html`<ul>${shown.map((comment) => commentLine(visit, { entry, comment, hidden }))}</ul>`
  const form =
    visit.session === undefined
      ? signInToComment(visit)
      : await commentForm({ ...visit, session: visit.session }, entry, typed)
  return html`<section class="comments" id="comments"><h2>${kind === 'meeting' ? t.meeting.talk : t.thread.title} <small>${entry.comments_count}</small></h2>
    ${earlier}${list}${newest}${folded?.fold ?? ''}${form}</section>`
}

const threadPath = ({ basePath }: Visit, { kind, id }: Pick<ThreadOf, 'kind' | 'id'>): string =>
  `${basePath}/${kind}s/${id}`

interface ShownComment {
  readonly entry: ThreadOf
  readonly comment: ThreadComment
  readonly hidden: HiddenNotice
}

function commentLine(visit: Visit, { entry, comment, hidden }: ShownComment): Markup {
  return html`<li id="comment-${comment.id}" data-comment="${comment.id}"><div class="byline">${personLink(visit, comment)}<span class="meta">${timeMarkup(visit, comment.created_at)}</span>
    ${visit.session === undefined ? '' : commentMenu({ ...visit, session: visit.session }, entry, comment)}</div><p class="comment" dir="auto">${comment.body}</p>${hidden(comment.id)}</li>`
}

/** To delete it, for its writer and for whose record or review it stands under; others' comments can be reported. */
function commentMenu(visit: MemberVisit, entry: ThreadOf, comment: ThreadComment): Markup {
  const { t, session } = visit
  const mayDelete = [comment.user_id, entry.user_id].includes(session.userId)
  const name = writerName(visit, comment.username)
  const report =
    comment.user_id === session.userId ? '' : reportLink(visit, { name: 'comment_id', id: comment.id }, name)
  const form = {
    ...{ act: 'comment_delete', path: '/comments/delete', fields: { comment_id: comment.id } },
    ...{ swap: '#comments', returnTo: returnPathOf(visit, entry) },
  }
  const remove = html`<button class="danger">${icon('close')}${t.thread.delete(name)}</button>`
  const deleting = mayDelete ? html`${report === '' ? '' : html`<hr />`}${actForm(visit, form, remove)}` : ''
  return html`<details class="menu" name="menu"><summary aria-label="${t.thread.menuOf(name)}">${icon('more')}</summary>
    <div class="entries">${report}${deleting}</div></details>`
}

/** Its newest comments; what was unfolded stays so. */
const returnPathOf = (visit: MemberVisit, { kind, id }: ThreadOf): string =>
  `/${kind}s/${id}${queryText(visit, 'spoilers') === 'show' ? '?spoilers=show' : ''}`

const signInToComment = (visit: Visit): Markup =>
  html`<p><a class="button" href="${visit.basePath}/sign_in?return_to=${returnTarget(visit)}">${visit.t.thread.signIn}</a></p>`

async function commentForm(visit: MemberVisit, entry: ThreadOf, typed: TypedComment): Promise<Markup> {
  const { t, deps, session } = visit
  const { userId } = session
  const isOpen =
    entry.user_id === userId ||
    entry.isAsked === true ||
    (await takesComments(deps.seen, entry.user_id, userId))
  // What was typed is not thrown away.
  if (!isOpen && typed.text === undefined)
    return html`<p class="meta">${t.thread.closed(writerName(visit, entry.username))}</p>`
  const form = {
    ...{ act: 'comment', path: '/comments', fields: { [`${entry.kind}_id`]: entry.id } },
    ...{ swap: '#comments', returnTo: returnPathOf(visit, entry) },
  }
  const problem =
    typed.problem === undefined
      ? ''
      : html`<div class="problems" role="alert"><h3>${t.thread.failed}</h3><p>${typed.problem.text(t)}</p></div>`
  const body = html`<div class="write"><textarea name="body" rows="2" maxlength="${longestComment}" required aria-label="${t.thread.write}" placeholder="${t.thread.write}" aria-describedby="who-reads">${'\n'}${typed.text ?? ''}</textarea><button class="outlined" data-focus="comment">${t.thread.send}</button></div>
    <p class="hint" id="who-reads">${t.thread.whoReads[entry.kind]}</p>`
  return html`${problem}${actForm(visit, form, body)}`
}
