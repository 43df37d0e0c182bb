import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import { hiddenReasons } from '../../social/hide'
import type { Visit } from '../../web/visit'

/** For one's own record or review that an administrator hid: says so, and why. */
export type HiddenNotice = (id: number) => Markup | ''

export async function hiddenNotices(
  { deps, session, t }: Visit,
  name: 'record_id' | 'review_id',
  ids: readonly number[],
): Promise<HiddenNotice> {
  const isAsked = session !== undefined && ids.length > 0
  const reasons = isAsked ? await hiddenReasons(deps.read, session.userId, { name, ids }) : new Map()
  return (id) => {
    const reason = reasons.get(id)
    if (reason === undefined) return ''
    return html`<p class="note hidden-notice">${icon('lock', 16)}${t.reports.hiddenHere}${t.common.colon}<span dir="auto">${reason}</span></p>`
  }
}
