import Type from 'typebox'
import { bearerOf } from '../../api/bearer'
import { required } from '../../api/params'
import type { Application } from '../clients/application'
import { authenticateClient, invalidClient, readCredentials } from '../clients/client'
import { clientParams, credentialParams } from '../clients/client-params'
import { type ClientCall, defineOAuthEndpoint } from '../endpoint'
import { oauthError } from '../error'
import { readDeclared } from '../read-declared'
import { findToken, type KnownToken } from './access-token'

const params = {
  ...credentialParams,
  token: required(clientParams.token),
  token_type_hint: clientParams.token_type_hint,
}

/** RFC 7009, D47: for the client that the token was issued to, or the token's bearer. */
export const revoke = defineOAuthEndpoint({
  path: '/oauth/revoke',
  summary: 'Revokes an access token',
  description:
    'For the client that it was issued to, or for its holder, who sends the same token in the Authorization header.',
  params,
  by: ['client', 'token', 'anyone'],
  schema: Type.Object({}),
  errors: { 403: ['unauthorized_client'] },
  answer: async (call) => {
    const client = await authenticatedClient(call)
    const text = readDeclared(params, 'token', call.sent.get('token'))
    const isHeld = bearerOf(call.request.headers.get('authorization') ?? '') === text
    if (client === undefined && !isHeld) throw invalidClient()
    const token = await findToken(call.deps.read, text)
    if (token !== undefined) {
      checkMayRevoke(token, client, isHeld)
      await deleteToken(call, token)
    }
    return {}
  },
})

/** Wrong credentials are refused even if a bearer token would do. */
async function authenticatedClient({ deps, request, sent }: ClientCall): Promise<Application | undefined> {
  const credentials = readCredentials(request, sent)
  return credentials && (await authenticateClient(deps, credentials))
}

/** A personal token can be revoked only by its bearer (RV-08), any other token also by its client (RV-05). */
function checkMayRevoke(token: KnownToken, client: Application | undefined, isHeld: boolean): void {
  const isAllowed = token.client === null || client === undefined ? isHeld : token.client === client.uid
  if (isAllowed) return
  throw oauthError('unauthorized_client', 'The token was not issued to this client.', {
    status: 403,
    client: client?.uid,
  })
}

async function deleteToken({ deps, context }: ClientCall, { id, userId, client }: KnownToken): Promise<void> {
  const ended = await deps.write((tx) =>
    tx.deleteFrom('tokens').where('id', '=', id).returning('id').execute(),
  )
  if (ended.length > 0) deps.log('token_revoked', { id: context.id, client, user: userId, token: id })
}
