import { type Browser, textAt } from '../browser'
import type { ReceivedAnswer, Recorder } from '../recorder'
import type { Client } from '../seed'

export type Values = Readonly<Record<string, string>>

export const callback = 'https://client.example/callback'
/** The verifier of `challenge` (RFC 7636, appendix B). */
export const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
export const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
export const form = { 'content-type': 'application/x-www-form-urlencoded' }

export const post = (
  recorder: Recorder,
  target: string,
  values: Values,
  headers: Values = form,
): Promise<ReceivedAnswer> =>
  recorder.ask({ method: 'POST', target, headers, body: new URLSearchParams({ ...values }).toString() })

/** An authorization code after consent. */
export async function codeFor(mugi: Browser, client: Client, more: Values = {}): Promise<string> {
  const query = {
    client_id: client.client_id,
    response_type: 'code',
    redirect_uri: callback,
    scope: 'read',
    ...more,
  }
  const target = `/oauth/authorize?${new URLSearchParams(query)}`
  const answer = await mugi.submit(target, { decision: 'approve' }, '/oauth/authorize')
  return (
    new URL(answer.headers.get('location') ?? 'http://none').searchParams.get('code') ??
    textAt(answer.text, 'authorization_code')
  )
}
