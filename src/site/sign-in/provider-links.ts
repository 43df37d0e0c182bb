import type { Provider } from '../../options/providers'
import { html, type Markup } from '../../pages/html'
import { csrfInput } from '../../web/form-markup'
import type { Visit } from '../../web/visit'

/** *Continue with …* for each provider; empty if there is none. `query`: what the start page takes, encoded. */
export const providerLinks = ({ deps, t, basePath }: Visit, query: string): readonly Markup[] =>
  deps.config.providers.map(
    (provider) =>
      html`<a class="button" data-act="sign-in-with" data-provider="${provider.id}" href="${basePath}/sign_in/with/${provider.id}${query}">${tile(provider)}${t.providers.continueWith(provider.name)}</a>`,
  )

/** Those of `providers` that may confirm who somebody is. */
export const confirmForms = (
  visit: Visit,
  providers: readonly Provider[],
  returnTo: string,
): readonly Markup[] =>
  providers.map(
    (provider) =>
      html`<form method="post" action="${visit.basePath}/confirm/with/${provider.id}" data-act="confirm-with" data-provider="${provider.id}">
        ${csrfInput(visit)}<input type="hidden" name="return_to" value="${returnTo}" />
        <button>${tile(provider)}${visit.t.providers.continueWith(provider.name)}</button>
      </form>`,
  )

/** Other ways below a form, with a word between them if there is one (`hasForm`); nothing if there are none. */
export function otherWays(visit: Visit, ways: readonly Markup[], hasForm: boolean): Markup {
  if (ways.length === 0) return html``
  return html`${hasForm ? orLine(visit) : ''}<div class="ways">${ways}</div>`
}

export const orLine = ({ t }: Visit): Markup => html`<p class="or">${t.providers.or}</p>`

/** The first letter of the provider's name. */
const tile = ({ name }: Provider): Markup =>
  html`<span class="letter" aria-hidden="true">${[...name][0] ?? ''}</span>`

/** Forms that lead to the provider: Chromium applies `form-action` to the whole chain of redirects. */
export const providerTargets = (providers: readonly Provider[]): readonly string[] => [
  'https:',
  ...providers.map(({ issuer }) => new URL(issuer).origin),
]
