import { textParam } from '../../api/param-kinds'
import { param } from '../../api/params'
import { verifier } from '../authorize/pkce'
import { scopeParams } from '../requested-scope'

export const clientParams = {
  grant_type: textParam('The way to a token', 'authorization_code'),
  client_id: textParam('The client ID, unless HTTP Basic says it', 'mJ4vT0aYw1QkRz7uXcB2Ng'),
  client_secret: textParam('The client secret, unless HTTP Basic says it or the client has none', 'kir_cs_…'),
  code: textParam('The authorization code', 'kir_ac_…'),
  redirect_uri: textParam('The one of the request for authorization', 'https://client.example/callback'),
  code_verifier: param(
    verifier,
    'Extension: proves the code_challenge of the request for authorization',
    'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  ),
  device_code: textParam('Extension: the code that the device was given', 'kir_dc_…'),
  ...scopeParams,
  token: textParam('The access token', 'kir_at_…'),
  token_type_hint: textParam(
    'Extension: says which kind of token it is; there is one kind alone',
    'access_token',
  ),
}

export type ClientParam = keyof typeof clientParams

/** RFC 6749 §2.3.1 */
export const credentialParams = {
  client_id: clientParams.client_id,
  client_secret: clientParams.client_secret,
}
