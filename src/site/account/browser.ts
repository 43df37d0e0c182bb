import { addBrowser } from '../../delivery/browsers'
import type { NewsDestination } from '../../delivery/destinations'
import { pushKeys } from '../../delivery/web-push'
import { FetchRefused } from '../../fetching/refused'
import { html, type Markup } from '../../pages/html'
import { setFlash } from '../../web/flash'
import { defineAction, formText } from '../../web/form'
import { csrfInput } from '../../web/form-markup'
import { member, seeOther } from '../../web/page'
import { FormProblem, namedProblem } from '../../web/problem'
import type { MemberVisit } from '../../web/visit'

const path = '/settings/notifications'

/** What the script of the page sends after a press: what the browser's maker gave it (RFC 8030). */
export const addBrowserAction = defineAction({
  path: `${path}/browser`,
  access: member,
  run: async (visit, sent) => {
    const { deps, session } = visit
    const [url, p256dh, auth] = [formText(sent, 'endpoint'), formText(sent, 'p256dh'), formText(sent, 'auth')]
    await addBrowser(deps, session, { url, p256dh, auth }).catch((cause) => {
      if (!(cause instanceof FetchRefused)) throw cause
      throw namedProblem(new FormProblem('endpoint', (t) => t.destinations.browserRefused))
    })
    setFlash(visit, 'saved')
    return seeOther(visit, path)
  },
})

/** Nothing unless the operator wants it (`--web-push`). The script shows the form if the browser can. */
export async function browserSection(
  visit: MemberVisit,
  all: readonly NewsDestination[],
): Promise<Markup | ''> {
  const { t, deps, basePath, session } = visit
  const keys = await pushKeys(deps)
  if (keys === undefined) return ''
  const own = all.find(({ session_id, is_on }) => session_id === session.id && is_on === 1)
  const texts = t.destinations
  const ask = html`<p class="soft">${texts.browserExplained}</p>
    <form method="post" action="${basePath}${path}/browser" data-push="${keys.publicKey}" data-denied="${texts.browserDenied}" data-failed="${texts.browserFailed}" hidden>
      ${csrfInput(visit)}<input type="hidden" name="endpoint" value="" /><input type="hidden" name="p256dh" value="" /><input type="hidden" name="auth" value="" />
      <button class="outlined">${texts.askBrowser}</button><p class="problem" role="alert"></p></form>
    <p class="soft" data-no-push>${texts.noBrowserHere}</p>`
  return html`<h2>${texts.browserTitle}</h2>${own === undefined ? ask : html`<p>${texts.browserOn(own.host)}</p>`}`
}
