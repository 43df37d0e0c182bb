import { badToken, bearerToken, noToken } from '../http/bearer'
import type { Asked, Route } from '../http/route'
import { readQuery } from '../http/sent'
import { findToken, inSeconds, isLive, type KnownToken } from './access-token'
import { answerClient } from './endpoint'
import { namesIn } from './scope'

/** GET /oauth/token/info: what a token is good for, for who holds it (D46). */
export const tokenInfo: Route = {
  method: 'GET',
  path: '/oauth/token/info',
  answer: (asked) => answerClient(asked, async () => presentInfo(await heldToken(asked), asked.deps.now())),
}

async function heldToken({ deps, request }: Asked): Promise<KnownToken> {
  const text = bearerToken(request, readQuery(request, { repeats: false }), deps.config)
  if (text === undefined) throw noToken()
  const token = await findToken(deps.read, text)
  if (token === undefined || !isLive(token, deps.now())) throw badToken()
  return token
}

const presentInfo = ({ userId, scope, expiresAt, client, createdAt }: KnownToken, at: number) => ({
  resource_owner_id: userId,
  scopes: namesIn(scope),
  expires_in_seconds: expiresAt === null ? null : Math.ceil((expiresAt - at) / 1000),
  application: { uid: client },
  created_at: inSeconds(createdAt),
})
