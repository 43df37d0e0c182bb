import { required } from '../../api/params'
import { type PresentedCode, redeemCode } from '../authorize/authorization-code'
import { challengeOf } from '../authorize/pkce'
import { clientParams } from '../clients/client-params'
import { oauthError } from '../error'
import { readDeclared } from '../read-declared'
import type { Grant, TokenRequest } from './grant'

const params = {
  code: required(clientParams.code),
  redirect_uri: required(clientParams.redirect_uri),
  code_verifier: clientParams.code_verifier,
}

/** RFC 6749 §4.1.3, RFC 7636 §4.6 */
export const codeGrant: Grant = {
  type: 'authorization_code',
  params,
  errors: ['invalid_grant'],
  redeem: async (asked) => {
    const { deps, client, context } = asked
    const presented = readPresentedCode(asked)
    const redeemed = await deps.write((tx) => redeemCode(tx, presented, deps.random, deps.now()))
    if (redeemed.outcome === 'issued') return redeemed.issued
    if (redeemed.outcome === 'replayed') {
      const { codeId: code, userId: user, revoked } = redeemed
      deps.log('code_replayed', { id: context.id, client: client.uid, user, code, revoked })
    }
    throw invalidGrant()
  },
}

function readPresentedCode({ sent, client }: TokenRequest): PresentedCode {
  const read = <N extends keyof typeof params>(name: N) => readDeclared(params, name, sent.get(name))
  const [code, redirectUri, verifier] = [read('code'), read('redirect_uri'), read('code_verifier')]
  // A verifier for a code without a challenge is refused, so that a client notices if its challenge was removed (TK-19).
  const codeChallenge = verifier === undefined ? null : challengeOf(verifier)
  return { code, redirectUri, applicationId: client.id, codeChallenge }
}

/** The same error whatever is wrong with the code (TK-12). */
const invalidGrant = () =>
  oauthError(
    'invalid_grant',
    'The code is unknown, expired or used, or was issued for another client, redirect_uri or code_verifier.',
  )
