import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContext } from '../../pages/layout'

interface Commented {
  readonly kind: 'record' | 'review'
  readonly id: number
  readonly comments_count: number
  /** Whose it is; '' where the page says so. */
  readonly username?: string
}

/** `Comment`, or how many there are: to the record or review with its comments. `spriteIcon` needs `sprite('comment')`. */
export function threadLink(
  { t, basePath }: PageContext,
  { kind, id, comments_count, username = '' }: Commented,
  draw = icon,
): Markup {
  const whose = username === '' ? '' : html`<span class="unseen"> · ${username}</span>`
  return html`<a class="to-thread" href="${basePath}/${kind}s/${id}">${draw('comment')}${t.thread.link(comments_count)}${whose}</a>`
}
