import Type from 'typebox'
import { required } from '../../api/params'
import { boolean, integer, text, word } from '../../api/schema'
import { authenticateClient, invalidClient, readCredentials } from '../clients/client'
import { clientParams, credentialParams } from '../clients/client-params'
import { defineOAuthEndpoint } from '../endpoint'
import { readDeclared } from '../read-declared'
import { findToken, inSeconds, isLive, type KnownToken } from './access-token'

const params = {
  ...credentialParams,
  token: required(clientParams.token),
  token_type_hint: clientParams.token_type_hint,
}

/** RFC 7662, D48: for confidential clients, about their own tokens. */
export const introspect = defineOAuthEndpoint({
  path: '/oauth/introspect',
  summary: 'Extension: describes a token to the application that it was issued to',
  params,
  schema: Type.Object({
    active: boolean('Whether the token is valid; for an invalid token this is the only field', true),
    scope: Type.Optional(text('Its scopes', 'read write')),
    client_id: Type.Optional(text('The client it was issued to', 'mJ4vT0aYw1QkRz7uXcB2Ng')),
    username: Type.Optional(text('The user it acts for', 'mio')),
    token_type: Type.Optional(word(['bearer'], 'Token type')),
    sub: Type.Optional(text("The user's id", '3')),
    iss: Type.Optional(text('The issuer: this instance', 'https://kiroku.example')),
    iat: Type.Optional(integer('When it was issued, in Unix seconds', 1_775_044_800)),
    exp: Type.Optional(integer('When it expires, in Unix seconds; absent if it does not', 1_806_580_800)),
  }),
  answer: async ({ deps, request, sent }) => {
    const client = await authenticateClient(deps, readCredentials(request, sent))
    if (!client.isConfidential) throw invalidClient()
    const text = readDeclared(params, 'token', sent.get('token'))
    const token = await findToken(deps.read, text)
    const isActive = token !== undefined && token.client === client.uid && isLive(token, deps.now())
    return isActive ? presentActive(token, client.uid, deps.config.baseUrl) : { active: false }
  },
})

const presentActive = (token: KnownToken, client_id: string, issuer: string) => ({
  active: true,
  scope: token.scope,
  client_id,
  username: token.username,
  token_type: 'bearer',
  sub: String(token.userId),
  iss: issuer,
  iat: inSeconds(token.createdAt),
  ...(token.expiresAt === null ? {} : { exp: inSeconds(token.expiresAt) }),
})
