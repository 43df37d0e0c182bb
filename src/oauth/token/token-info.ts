import Type, { type Static } from 'typebox'
import { badToken, bearerToken, noToken } from '../../api/bearer'
import { nullable } from '../../api/paging'
import { integer, text, word } from '../../api/schema'
import { readQuery } from '../../http/request-values'
import type { RouteContext } from '../../http/route'
import { answerClient, commonErrors, errorsLike } from '../endpoint'
import type { OAuthRoute } from '../operation'
import { namesIn, scopeNames } from '../scope'
import { findToken, inSeconds, isLive, type KnownToken } from './access-token'

const infoSchema = Type.Object({
  resource_owner_id: integer('The user it acts for', 3),
  scopes: Type.Array(word(scopeNames, 'Its scopes')),
  expires_in_seconds: nullable(integer('Seconds until it expires; null if it does not', 3600)),
  application: Type.Object({
    uid: nullable(
      text('The client ID of its application; null for a personal access token', 'mJ4vT0aYw1QkRz7uXcB2Ng'),
    ),
  }),
  created_at: integer('When it was issued, in Unix seconds', 1_775_044_800),
})

/** D46 */
export const tokenInfo: OAuthRoute = {
  method: 'GET',
  path: '/oauth/token/info',
  operation: {
    summary: 'Describes the access token in the request',
    params: {},
    by: ['token'],
    answers: { schema: infoSchema, errors: { ...commonErrors, ...errorsLike(['unauthorized']) } },
  },
  answer: (asked) => answerClient(asked, async () => presentInfo(await heldToken(asked), asked.deps.now())),
}

async function heldToken({ deps, request }: RouteContext): Promise<KnownToken> {
  const text = bearerToken(request, readQuery(request, { repeats: false }), deps.config)
  if (text === undefined) throw noToken()
  const token = await findToken(deps.read, text)
  if (token === undefined || !isLive(token, deps.now())) throw badToken()
  return token
}

const presentInfo = (
  { userId, scope, expiresAt, client, createdAt }: KnownToken,
  at: number,
): Static<typeof infoSchema> => ({
  resource_owner_id: userId,
  scopes: namesIn(scope),
  expires_in_seconds: expiresAt === null ? null : Math.ceil((expiresAt - at) / 1000),
  application: { uid: client },
  created_at: inSeconds(createdAt),
})
