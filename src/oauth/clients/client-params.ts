import { textParam } from '../../api/param-kinds'
import { param } from '../../api/params'
import { verifier } from '../authorize/pkce'
import { scopeParams } from '../requested-scope'

export const clientParams = {
  grant_type: textParam('The grant type', 'authorization_code'),
  client_id: textParam('The client ID, unless sent by HTTP Basic', 'mJ4vT0aYw1QkRz7uXcB2Ng'),
  client_secret: textParam('The client secret, unless sent by HTTP Basic or the client has none', 'kir_cs_…'),
  code: textParam('The authorization code', 'kir_ac_…'),
  redirect_uri: textParam('The same as in the authorization request', 'https://client.example/callback'),
  code_verifier: param(
    verifier,
    'Extension: the verifier for the code_challenge of the authorization request',
    'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  ),
  device_code: textParam('Extension: the code issued to the device', 'kir_dc_…'),
  ...scopeParams,
  token: textParam('The access token', 'kir_at_…'),
  token_type_hint: textParam('Extension: the type of token; there is only one', 'access_token'),
}

export type ClientParam = keyof typeof clientParams

/** RFC 6749 §2.3.1 */
export const credentialParams = {
  client_id: clientParams.client_id,
  client_secret: clientParams.client_secret,
}
