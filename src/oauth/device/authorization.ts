import Type from 'typebox'
import { integer, text } from '../../api/schema'
import { authenticateClient, readCredentials } from '../clients/client'
import { credentialParams } from '../clients/client-params'
import { defineOAuthEndpoint } from '../endpoint'
import { oauthError } from '../error'
import { requestedScope, scopeParams } from '../requested-scope'
import { codeLifetime, firstInterval, saveDeviceRequest, shownUserCode } from './request'

export const devicePath = '/device'

/** RFC 8628 §3.1, §3.2 */
export const deviceAuthorization = defineOAuthEndpoint({
  path: '/oauth/device_authorization',
  summary: 'Extension: issues codes to a device, which the user approves in a browser',
  description: 'The device shows user_code and verification_uri, and polls for a token with device_code.',
  params: { ...credentialParams, ...scopeParams },
  schema: Type.Object({
    device_code: text('The code with which the device polls for a token', 'kir_dc_…'),
    user_code: text('The code that the user enters', 'BCDF-GHJK'),
    verification_uri: text('Where the user enters it', `https://kiroku.example${devicePath}`),
    verification_uri_complete: text(
      'The same with the code in it',
      `https://kiroku.example${devicePath}?user_code=BCDF-GHJK`,
    ),
    expires_in: integer('Lifetime of the codes in seconds', codeLifetime / 1000),
    interval: integer('Seconds to wait between two token requests', firstInterval),
  }),
  errors: { 400: ['unauthorized_client', 'invalid_scope'] },
  answer: async ({ deps, request, sent, context }) => {
    const client = await authenticateClient(deps, readCredentials(request, sent))
    if (!client.hasDeviceGrant) throw noDeviceGrant()
    const asked = { applicationId: client.id, scope: requestedScope(client.scope, sent.get('scope')) }
    const codes = await deps.write((tx) => saveDeviceRequest(tx, asked, deps.random, deps.now()))
    deps.log('device_authorization', { id: context.id, client: client.uid, scope: asked.scope })
    const user_code = shownUserCode(codes.userCode)
    const verification_uri = `${deps.config.baseUrl}${devicePath}`
    return {
      device_code: codes.deviceCode,
      user_code,
      verification_uri,
      verification_uri_complete: `${verification_uri}?user_code=${user_code}`,
      expires_in: codeLifetime / 1000,
      interval: firstInterval,
    }
  },
})

export const noDeviceGrant = () =>
  oauthError('unauthorized_client', 'The application is not registered for the device authorization grant.')
