import { expect } from 'bun:test'
import { type Registered, register } from './apps'
import type { Body, Instance } from './instance'
import { type Client, postAs, type Values } from './oauth'
import { hiddenInputs, type Page, type Visitor } from './visitor'

/** The first response to a device (RFC 8628 §3.2). */
export interface Codes {
  readonly device_code: string
  readonly user_code: string
}

export const grantType = 'urn:ietf:params:oauth:grant-type:device_code'

/** An application on a device: public, and with the grant enabled, unless `values` say otherwise. */
export const registerDevice = (kiroku: Instance, owner: Visitor, values: Record<string, string> = {}) =>
  register(kiroku, owner, {
    name: 'TV',
    confidential: '',
    device_grant: '1',
    ...values,
  }) as Promise<Registered>

/** Sends a device's first request. */
export const askCodes = (kiroku: Instance, client: Client, values: Values = {}) =>
  postAs(kiroku, '/oauth/device_authorization', { ...credentials(client), ...values })

export async function codesFor(kiroku: Instance, client: Client, values: Values = {}): Promise<Codes> {
  const response = await askCodes(kiroku, client, values)
  const codes: Body = await response.json()
  expect([response.status, codes]).toEqual([200, expect.objectContaining({ interval: 5 })])
  return codes
}

/** Polls for a token. */
export const poll = (kiroku: Instance, client: Client, { device_code }: Codes, values: Values = {}) =>
  postAs(kiroku, '/oauth/token', { ...credentials(client), grant_type: grantType, device_code, ...values })

const credentials = ({ uid, secret }: Client) => ({
  client_id: uid,
  client_secret: secret === '' ? undefined : secret,
})

/** Types a code, which leads to the consent page if it is right. */
export const typeCode = (visitor: Visitor, user_code: string) => visitor.submit('/device', { user_code })

/** Types a code and decides. */
export async function decideOn(visitor: Visitor, { user_code }: Codes, decision: string): Promise<Page> {
  const asked = await typeCode(visitor, user_code)
  return await visitor.post('/device/decide', { ...hiddenInputs(asked.text, '/device/decide'), decision })
}
