import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ask as authorize } from '../../../src/oauth/authorize/authorize'
import { oauthErrors } from '../../../src/oauth/error'
import { oauthEndpoints } from '../../../src/oauth/routes'
import { codesFor, decideOn, poll, registerDevice } from '../../support/device'
import { readDocument } from '../../support/document'
import { type Body, createInstance, withToken } from '../../support/instance'
import {
  authorizeUrl,
  type Client,
  codeFor,
  exchange,
  postAs,
  redeem,
  registerClient,
  tokenFor,
} from '../../support/oauth'
import { createMember, createVisitor } from '../../support/visitor'

const documentedRoutes = [authorize, ...oauthEndpoints]

const kiroku = await createInstance({ config: { rateLimit: 600 } })
const { ask } = kiroku
afterAll(kiroku.close)
const document: Body = await (await ask('/openapi.json')).json()
const { operationOf, answerOf, mismatches, headerMismatches } = readDocument(document)

let client: Client
beforeAll(async () => {
  client = await registerClient(kiroku)
})

const credentials = () => ({ client_id: client.uid, client_secret: client.secret })
const introspect = (token: string) => postAs(kiroku, '/oauth/introspect', { ...credentials(), token })

/** How a response of an operation differs from the document. */
async function unlikeDocument(method: string, path: string, answer: Response): Promise<unknown[]> {
  const said = answerOf(method, path, answer.status)
  const { schema } = said.content['application/json']
  return [...mismatches(schema, await answer.json()), ...headerMismatches(answer, said)]
}

describe('the document', () => {
  test.each(documentedRoutes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'has %s, with examples that are right (D44 to D48)',
    (_, { method, path, operation }) => {
      const { summary, parameters, requestBody, responses } = operationOf(method, path)
      expect(summary).toBe(operation.summary)
      const fields = parameters.map(({ name }: Body) => name)
      for (const { schema, example } of Object.values<Body>(requestBody?.content ?? {})) {
        expect(Object.keys(schema.properties)).toEqual(Object.keys(operation.params))
        expect(mismatches(schema, example)).toEqual([])
      }
      if (method === 'GET') expect(fields).toEqual(Object.keys(operation.params))
      for (const { content } of Object.values<Body>(responses)) {
        const { schema, example } = content?.['application/json'] ?? { schema: {} }
        expect(mismatches(schema, example)).toEqual([])
      }
    },
  )

  test('names forms first among the kinds of bodies, which are required and never in the query (D45, TK-09)', () => {
    for (const { method, path, operation } of documentedRoutes.filter((route) => route.method === 'POST')) {
      const { required, description, content } = operationOf(method, path).requestBody
      expect(required).toBe(Object.values(operation.params).some((one) => one.required))
      expect(Object.keys(content)[0]).toBe('application/x-www-form-urlencoded')
      expect(description).toContain('Never only in the query')
    }
  })

  test('lists every error that is not sent by redirect', () => {
    const told = documentedRoutes.flatMap(({ operation: { answers } }) =>
      'errors' in answers ? Object.values(answers.errors).flat() : [],
    )
    const byRedirect = ['unsupported_response_type']
    expect([...new Set([...told, ...byRedirect])].sort()).toEqual(Object.keys(oauthErrors).sort() as never)
  })

  test('describes the three ways to send a token, and agrees with the metadata about the flow (D30, D48)', async () => {
    const { bearer, access_token, oauth2, client } = document.components.securitySchemes
    expect([bearer.type, bearer.scheme]).toEqual(['http', 'bearer'])
    expect([access_token.type, access_token.in, access_token.name]).toEqual([
      'apiKey',
      'query',
      'access_token',
    ])
    expect([client.type, client.scheme]).toEqual(['http', 'basic'])
    const metadata: Body = await (await ask('/.well-known/oauth-authorization-server')).json()
    const { authorizationUrl, tokenUrl, scopes } = oauth2.flows.authorizationCode
    expect([authorizationUrl, tokenUrl, Object.keys(scopes)]).toEqual([
      metadata.authorization_endpoint,
      metadata.token_endpoint,
      metadata.scopes_supported,
    ])
  })

  test('does not mention tokens in the query if they are turned off, and starts addresses with the base URL (ASVS 14.2.1)', async () => {
    const baseUrl = 'https://kiroku.example/log'
    const other = await createInstance({ config: { queryTokens: false, baseUrl } })
    const { components, paths, security }: Body = await (await other.ask('/openapi.json')).json()
    await other.close()
    expect(Object.keys(components.securitySchemes)).toEqual(['bearer', 'oauth2', 'client'])
    expect(components.securitySchemes.oauth2.flows.authorizationCode.tokenUrl).toBe(`${baseUrl}/oauth/token`)
    expect(security).toEqual([{ bearer: [] }])
    expect(paths['/v1/works'].get.security).toEqual([{ bearer: ['read'] }, { oauth2: ['read'] }])
  })
})

describe('responses match the document', () => {
  test('to a request that lacks a required parameter, which they name', async () => {
    for (const { method, path, operation } of documentedRoutes) {
      for (const [name, { required }] of Object.entries(operation.params)) {
        if (!required || method === 'GET') continue
        const params = { ...credentials(), token: 'x', grant_type: 'authorization_code', [name]: undefined }
        const refused = await postAs(kiroku, path, params)
        const { error_description } = (await refused.clone().json()) as Body
        expect([refused.status, error_description]).toEqual([400, `${name} is required.`])
        expect(await unlikeDocument(method, path, refused)).toEqual([])
      }
    }
  })

  test('to an unknown client, and to an unknown token', async () => {
    for (const { method, path } of documentedRoutes.filter((route) => route.method === 'POST')) {
      const params = { client_id: 'nobody', grant_type: 'authorization_code', token: 'x' }
      const refused = await postAs(kiroku, path, params)
      expect([path, refused.status]).toEqual([path, 401])
      expect(await unlikeDocument(method, path, refused)).toEqual([])
    }
    for (const init of [{}, withToken('x')])
      expect(await unlikeDocument('GET', '/oauth/token/info', await ask('/oauth/token/info', init))).toEqual(
        [],
      )
  })

  test('to exchanging a code, and to requests about its token until it is revoked', async () => {
    const wrong = await postAs(kiroku, '/oauth/token', exchange(client, 'wrong'))
    expect(await unlikeDocument('POST', '/oauth/token', wrong)).toEqual([])
    expect(await unlikeDocument('POST', '/oauth/token', await redeem(kiroku, client))).toEqual([])
    const token = await tokenFor(kiroku, client)
    for (const held of [token, kiroku.token]) {
      const info = await ask('/oauth/token/info', withToken(held))
      expect([info.status, await unlikeDocument('GET', '/oauth/token/info', info)]).toEqual([200, []])
    }
    expect(await unlikeDocument('POST', '/oauth/introspect', await introspect(token))).toEqual([])
    expect(await unlikeDocument('POST', '/oauth/introspect', await introspect('other'))).toEqual([])
    const others = await postAs(kiroku, '/oauth/revoke', { ...credentials(), token: kiroku.token })
    expect([others.status, await unlikeDocument('POST', '/oauth/revoke', others)]).toEqual([403, []])
    const revoked = await postAs(kiroku, '/oauth/revoke', { ...credentials(), token })
    expect([revoked.status, await unlikeDocument('POST', '/oauth/revoke', revoked)]).toEqual([200, []])
  })

  test('for the metadata, and for consent, which leads to a page first', async () => {
    const path = '/.well-known/oauth-authorization-server'
    expect(await unlikeDocument('GET', path, await ask(path))).toEqual([])
    const { responses } = operationOf('GET', '/oauth/authorize')
    const member = await createMember(kiroku, 'mio')
    const stranger = createVisitor(kiroku)
    const statuses = [
      (await member.open(authorizeUrl(client))).status,
      (await stranger.open(authorizeUrl(client))).status,
      (await stranger.open('/oauth/authorize')).status,
    ]
    expect(statuses).toEqual([200, 303, 400])
    expect(Object.keys(responses)).toEqual([...statuses.map(String), '429'])
    expect(await codeFor(kiroku, client)).toStartWith('kir_ac_')
  })

  test('for a device, from its codes to its token (RFC 8628)', async () => {
    kiroku.clock.now += 60_000
    const owner = await createMember(kiroku, 'azusa')
    const device = await registerDevice(kiroku, owner)
    const path = '/oauth/device_authorization'
    const answers = [
      await postAs(kiroku, path, { client_id: device.uid, scope: 'all' }),
      await postAs(kiroku, path, credentials()),
      await postAs(kiroku, path, { client_id: device.uid }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 200])
    for (const answer of answers) expect(await unlikeDocument('POST', path, answer)).toEqual([])
    const codes = await codesFor(kiroku, device)
    expect(await unlikeDocument('POST', '/oauth/token', await poll(kiroku, device, codes))).toEqual([])
    await decideOn(owner, codes, 'approve')
    kiroku.clock.now += 5000
    const issued = await poll(kiroku, device, codes)
    expect([issued.status, await unlikeDocument('POST', '/oauth/token', issued)]).toEqual([200, []])
  })
})
