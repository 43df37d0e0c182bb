import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import { type HiddenThing, hiddenProfileReason, hiddenReasons } from '../../social/hide'
import type { Visit } from '../../web/visit'

/** For one's own record, review or comment that an administrator hid: says so, and why. */
export type HiddenNotice = (id: number) => Markup | ''

export async function hiddenNotices(
  visit: Visit,
  name: HiddenThing,
  ids: readonly number[],
): Promise<HiddenNotice> {
  const { deps, session } = visit
  const isAsked = session !== undefined && ids.length > 0
  const reasons = isAsked ? await hiddenReasons(deps.read, session.userId, { name, ids }) : new Map()
  return (id) => notice(visit, reasons.get(id))
}

/** The same for what one's own profile says. */
export const hiddenProfileNotice = async (visit: Visit, userId: number): Promise<Markup | ''> =>
  notice(visit, await hiddenProfileReason(visit.deps.read, userId))

function notice({ t }: Visit, reason: string | undefined): Markup | '' {
  if (reason === undefined) return ''
  return html`<p class="note hidden-notice">${icon('lock', 16)}${t.reports.hiddenHere}${t.common.colon}<span dir="auto">${reason}</span></p>`
}
