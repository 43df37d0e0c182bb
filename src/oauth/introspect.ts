import { findToken, inSeconds, isLive, type KnownToken } from './access-token'
import { authenticateClient, invalidClient, readCredentials } from './client'
import { defineOAuthEndpoint } from './endpoint'
import { oauthError } from './error'

/** POST /oauth/introspect (RFC 7662, D48): a client that can prove who it is asks about a token of its own. */
export const introspect = defineOAuthEndpoint({
  path: '/oauth/introspect',
  answer: async ({ deps, request, sent }) => {
    const client = await authenticateClient(deps, readCredentials(request, sent))
    if (!client.isConfidential) throw invalidClient()
    const text = sent.get('token')
    if (text === undefined) throw oauthError('invalid_request', 'token is required.')
    const token = await findToken(deps.read, text)
    const isTold = token !== undefined && token.client === client.uid && isLive(token, deps.now())
    return isTold ? presentActive(token, deps.config.baseUrl) : { active: false }
  },
})

const presentActive = (token: KnownToken, issuer: string) => ({
  active: true,
  scope: token.scope,
  client_id: token.client,
  username: token.username,
  token_type: 'bearer',
  sub: String(token.userId),
  iss: issuer,
  iat: inSeconds(token.createdAt),
  ...(token.expiresAt === null ? {} : { exp: inSeconds(token.expiresAt) }),
})
