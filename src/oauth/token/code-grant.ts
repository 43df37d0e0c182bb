import { required } from '../../api/params'
import { type Presented, redeemCode } from '../authorize/authorization-code'
import { challengeOf, verifierPattern } from '../authorize/pkce'
import { type ClientParam, clientParams } from '../clients/client-params'
import { oauthError } from '../error'
import type { Texts } from '../texts'
import type { Grant, TokenRequest } from './grant'

/** The grant by authorization code (RFC 6749 §4.1.3, RFC 7636 §4.6). */
export const codeGrant: Grant = {
  type: 'authorization_code',
  params: {
    code: required(clientParams.code),
    redirect_uri: required(clientParams.redirect_uri),
    code_verifier: clientParams.code_verifier,
  },
  errors: ['invalid_grant'],
  redeem: async (asked) => {
    const { deps, client, arrival } = asked
    const presented = readPresented(asked)
    const redeemed = await deps.write((tx) => redeemCode(tx, presented, deps.random, deps.now()))
    if (redeemed.outcome === 'issued') return redeemed.issued
    if (redeemed.outcome === 'replayed') {
      const { codeId: code, userId: user, revoked } = redeemed
      deps.log('code_replayed', { id: arrival.id, client: client.uid, user, code, revoked })
    }
    throw invalidGrant()
  },
}

function readPresented({ sent, client }: TokenRequest): Presented {
  const code = sentText(sent, 'code')
  const redirectUri = sentText(sent, 'redirect_uri')
  return {
    code,
    redirectUri,
    applicationId: client.id,
    codeChallenge: provenChallenge(sent.get('code_verifier')),
  }
}

function sentText(sent: Texts, name: ClientParam): string {
  const text = sent.get(name)
  if (text === undefined) throw oauthError('invalid_request', `${name} is required.`)
  return text
}

/** What a verifier proves: a code without a challenge has none that fits, so a client notices its loss (TK-19). */
function provenChallenge(verifier: string | undefined): string | null {
  if (verifier === undefined) return null
  if (!verifierPattern.test(verifier)) {
    throw oauthError('invalid_request', 'code_verifier must be 43 to 128 of A-Z a-z 0-9 - . _ ~.')
  }
  return challengeOf(verifier)
}

/** The same for whatever is wrong with a code (TK-12). */
const invalidGrant = () =>
  oauthError(
    'invalid_grant',
    'The code is unknown, expired or used, or client, redirect_uri or code_verifier are not those it was issued for.',
  )
