import Type from 'typebox'
import { described, type Param, param, required } from '../../api/params'
import { integer, text, word } from '../../api/schema'
import { anyText } from '../../values/text'
import { InvalidValue, mapped, type Value } from '../../values/value'
import { authenticateClient, readCredentials } from '../clients/client'
import { clientParams, credentialParams } from '../clients/client-params'
import { deviceGrant } from '../device/grant'
import { type ClientCall, defineOAuthEndpoint } from '../endpoint'
import { readDeclared } from '../read-declared'
import { type IssuedToken, inSeconds } from './access-token'
import { codeGrant } from './code-grant'
import type { Grant } from './grant'

export const grants: readonly Grant[] = [codeGrant, deviceGrant]

const types = grants.map(({ type }) => type)

const grantType: Value<Grant> = {
  ...mapped(anyText, (text) => {
    return grants.find(({ type }) => type === text) ?? new InvalidValue((t) => t.values.either(types))
  }),
  schema: Type.String({ enum: types }),
}

const { description, example } = clientParams.grant_type
const grantParams = { grant_type: required(param(grantType, description, example)) }

/** RFC 6749 §3.2, D45 */
export const token = defineOAuthEndpoint({
  path: '/oauth/token',
  summary: 'Issues an access token',
  params: { ...grantParams, ...credentialParams, ...Object.fromEntries(grants.flatMap(paramsOf)) },
  schema: Type.Object({
    access_token: text('The access token; it cannot be retrieved again', 'kir_at_…'),
    token_type: word(['bearer'], 'Token type'),
    scope: text('The granted scopes, separated by a space', 'read write'),
    created_at: integer('Now, in Unix seconds', 1_775_044_800),
  }),
  errors: { 400: ['unsupported_grant_type', ...new Set(grants.flatMap(({ errors }) => errors))] },
  answer: async (call) => {
    const type = call.sent.get('grant_type')
    const grant = readDeclared(grantParams, 'grant_type', type, 'unsupported_grant_type')
    const client = await authenticateClient(call.deps, readCredentials(call.request, call.sent))
    const issued = await grant.redeem({ ...call, client })
    logIssued(call, client.uid, grant, issued)
    return presentIssued(issued)
  },
})

/** No parameter is required by all grants. */
function paramsOf({ type, params }: Grant): (readonly [string, Param<unknown>])[] {
  return Object.entries<Param<unknown>>(params).map(([name, param]) => {
    const said = `${param.description}; ${param.required ? 'required' : 'only'} where grant_type is ${type}`
    return [name, { ...described(param, said), required: false }] as const
  })
}

function logIssued({ deps, context }: ClientCall, client: string, grant: Grant, issued: IssuedToken): void {
  const facts = { client, user: issued.userId, token: issued.id, grant: grant.type, scope: issued.scope }
  deps.log('token_issued', { id: context.id, ...facts })
}

const presentIssued = ({ token: access_token, scope, createdAt }: IssuedToken) => ({
  access_token,
  token_type: 'bearer',
  scope,
  created_at: inSeconds(createdAt),
})
