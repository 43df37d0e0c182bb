import { endDigest, isDigestSecret } from '../../delivery/digest'
import { allowFrom } from '../../http/rate-limit'
import { checkSecret } from '../../lib/secret'
import { html } from '../../pages/html'
import type { PageContent } from '../../pages/layout'
import type { PageRoute } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import type { Visit } from '../../web/visit'

const path = '/unsubscribe/:secret'

/**
 * Ends the e-mails of the morning for whoever has the address from one, without signing in. Opening it changes nothing, as
 * programs also open what is in e-mails. Mail services send the POST with neither cookie nor origin (RFC 8058 §3.2), so it
 * needs no token: the secret is one.
 */
export const unsubscribe: readonly PageRoute[] = [
  {
    method: 'GET',
    path,
    answer: async (visit) => {
      const secret = visit.params.secret ?? ''
      if (!checkSecret('un', secret) || !(await isDigestSecret(visit.deps, secret))) throw notThere(visit)
      const { t, basePath } = visit
      return page(
        t.digest.stopTitle,
        html`<p>${t.digest.stopExplained}</p>
          <form method="post" action="${basePath}/unsubscribe/${secret}"><input type="hidden" name="List-Unsubscribe" value="One-Click" />
          <button class="filled">${t.digest.stop}</button></form>`,
      )
    },
  },
  {
    method: 'POST',
    path,
    answer: async (visit) => {
      const secret = visit.params.secret ?? ''
      if (!checkSecret('un', secret) || !(await endDigest(visit.deps, secret))) throw notThere(visit)
      const { t, basePath } = visit
      return page(
        t.digest.stoppedTitle,
        html`<p>${t.digest.stoppedExplained}</p>
          <p><a href="${basePath}/settings/notifications">${t.destinations.title}</a></p>`,
      )
    },
  },
]

const page = (title: string, text: PageContent['main']): PageContent => ({
  title,
  main: html`<div class="narrow"><h1>${title}</h1>${text}</div>`,
  headers: { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex' },
})

/** A wrong secret counts as a bad token: whoever guesses waits. */
function notThere({ limits, context }: Visit) {
  allowFrom(limits?.byAddress, context.peer)
  return pageNotFound()
}
