import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

/** How a product that people run at home answers, by its documentation. */
export interface ProviderHabits {
  /** Of the issuer. */
  readonly path: string
  /** Also in the ID token, not by userinfo alone. */
  readonly inIdToken: boolean
  readonly claims: Readonly<Record<string, unknown>>
}

/** The npm package `oidc-provider` on this machine; whoever signs in by its pages gets these claims, and their name as `sub`. */
export async function startOidcProvider(habits: ProviderHabits, redirectUris: readonly string[]) {
  let answer: ReturnType<Provider['callback']> | undefined
  const { pathname } = new URL(habits.path, 'http://localhost')
  const mount = pathname.replace(/\/$/, '')
  const server = createServer((request, response) => {
    const { url = '/' } = request
    Object.assign(request, {
      originalUrl: url,
      url: url.startsWith(mount) ? url.slice(mount.length) || '/' : url,
    })
    answer?.(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}${habits.path}`
  const provider = new Provider(issuer, {
    clients: [
      {
        ...{ client_id: 'kiroku', client_secret: 'hush', redirect_uris: redirectUris },
        post_logout_redirect_uris: redirectUris.map((uri) => uri.replace(/sign_in\/with.*/, '')),
      },
    ],
    claims: {
      openid: ['sub'],
      profile: ['name', 'preferred_username', 'realm_access'],
      email: ['email', 'email_verified'],
      groups: ['groups'],
    },
    conformIdTokenClaims: !habits.inIdToken,
    cookies: { keys: ['a key of the test'] },
    findAccount: async (_: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ ...habits.claims, sub: id }),
    }),
    ttl: { AccessToken: 60, Grant: 600, IdToken: 60, Interaction: 600, Session: 600 },
    pkce: { required: () => true },
  })
  answer = provider.callback()
  return {
    issuer,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
