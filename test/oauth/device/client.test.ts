import { expect, test } from 'bun:test'
import * as oauth from 'oauth4webapi'
import { decideOn, registerDevice } from '../../support/device'
import { createInstance, requestOf } from '../../support/instance'
import { createMember } from '../../support/visitor'

test('oauth4webapi gets a token by a device code, with and without a secret (RFC 8628)', async () => {
  const kiroku = await createInstance()
  const mio = await createMember(kiroku, 'mio')
  const issuer = new URL(kiroku.deps.config.baseUrl)
  const options = {
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: (url: string, init: object) =>
      kiroku.handle(requestOf(url.slice(issuer.origin.length), init as RequestInit)),
  }
  const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...options })
  const server = await oauth.processDiscoveryResponse(issuer, discovered)
  for (const confidential of ['1', '']) {
    const { uid, secret } = await registerDevice(kiroku, mio, { confidential })
    const client = { client_id: uid }
    const proof = confidential === '' ? oauth.None() : oauth.ClientSecretBasic(secret)
    const asked = await oauth.deviceAuthorizationRequest(server, client, proof, { scope: 'read' }, options)
    const codes = await oauth.processDeviceAuthorizationResponse(server, client, asked)
    const poll = async () =>
      oauth.processDeviceCodeResponse(
        server,
        client,
        await oauth.deviceCodeGrantRequest(server, client, proof, codes.device_code, options),
      )
    const pending = await poll().catch((cause) => cause)
    expect([pending.constructor, pending.error]).toEqual([oauth.ResponseBodyError, 'authorization_pending'])
    await decideOn(mio, codes, 'approve')
    const { access_token, token_type, scope } = await poll()
    expect([token_type, scope]).toEqual(['bearer', 'read'])
    const me = await oauth.protectedResourceRequest(
      access_token,
      'GET',
      new URL('/v1/me', issuer),
      undefined,
      undefined,
      options,
    )
    expect(me.status).toBe(200)
  }
  await kiroku.close()
})
