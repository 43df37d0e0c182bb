import { required } from '../../api/params'
import { clientParams } from '../clients/client-params'
import { type OAuthError, oauthError } from '../error'
import { readDeclared } from '../read-declared'
import type { Grant } from '../token/grant'
import { noDeviceGrant } from './authorization'
import { type PollOutcome, pollDeviceRequest } from './request'

const params = { device_code: required(clientParams.device_code) }

/** RFC 8628 §3.4 */
export const deviceGrant: Grant = {
  type: 'urn:ietf:params:oauth:grant-type:device_code',
  params,
  errors: [
    'authorization_pending',
    'slow_down',
    'access_denied',
    'expired_token',
    'invalid_grant',
    'unauthorized_client',
  ],
  redeem: async ({ deps, client, sent }) => {
    if (!client.hasDeviceGrant) throw noDeviceGrant()
    const deviceCode = readDeclared(params, 'device_code', sent.get('device_code'))
    const asked = { deviceCode, applicationId: client.id }
    const polled = await deps.write((tx) => pollDeviceRequest(tx, asked, deps.random, deps.now()))
    if (polled.outcome === 'issued') return polled.issued
    throw refusal(polled.outcome)
  },
}

/** RFC 8628 §3.5 */
function refusal(outcome: Exclude<PollOutcome['outcome'], 'issued'>): OAuthError {
  switch (outcome) {
    case 'pending':
      return oauthError('authorization_pending', 'The user has not decided yet.')
    case 'slow_down':
      return oauthError('slow_down', 'Wait 5 seconds longer between requests from now on.')
    case 'denied':
      return oauthError('access_denied', 'The user denied access.', { status: 400 })
    case 'expired':
      return oauthError('expired_token', 'The device_code has expired.')
    case 'unknown':
      return oauthError('invalid_grant', 'The device_code is unknown, used, or was issued to another client.')
  }
}
