import { ProviderRefusal } from '../../accounts/provider/refusal'
import type { Deps } from '../../deps'
import type { Provider } from '../../options/providers'
import { html } from '../../pages/html'
import { anyone, definePage } from '../../web/page'
import { queryText, type Visit } from '../../web/visit'

/** Where to go after the end of this session. */
export async function pageAfterSignOut({ read, config }: Deps, sessionId: number): Promise<string> {
  const began = await read
    .selectFrom('sessions')
    .innerJoin('identities', 'identities.id', 'sessions.identity_id')
    .select('issuer')
    .where('sessions.id', '=', sessionId)
    .executeTakeFirst()
  const provider = config.providers.find(({ issuer }) => issuer === began?.issuer)
  return provider === undefined ? '/' : `/signed_out?provider=${provider.id}`
}

/** After signing out of a session that began with a provider, which may still know the person. */
export const signedOut = definePage({
  path: '/signed_out',
  access: anyone,
  show: async (visit) => {
    const { deps, t, basePath } = visit
    const id = queryText(visit, 'provider')
    const provider = deps.config.providers.find((one) => one.id === id)
    const url = provider && (await signOutThere(visit, provider))
    return {
      title: t.providers.signedOutTitle,
      isBare: true,
      main: html`
        <h1>${t.providers.signedOutTitle}</h1>
        ${provider === undefined ? '' : html`<p>${t.providers.signedOut(provider.name)}</p>`}
        <div class="ways">
          ${
            provider === undefined || url === undefined
              ? ''
              : html`<a class="button" data-act="sign-out-provider" data-provider="${provider.id}" href="${url}">${t.providers.signOutThere(provider.name)}</a>`
          }
          <a class="button quiet" href="${basePath}/sign_in?stay=1">${t.providers.signInAgain}</a>
        </div>`,
    }
  },
})

/** Undefined if the provider has no such page, or does not answer. */
async function signOutThere({ deps }: Visit, provider: Provider): Promise<string | undefined> {
  const { signOutUrl } = await import('../../accounts/provider/protocol')
  try {
    return await signOutUrl(deps, provider, deps.config.baseUrl)
  } catch (cause) {
    if (cause instanceof ProviderRefusal) return undefined
    throw cause
  }
}
