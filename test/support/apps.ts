import { expect } from 'bun:test'
import { createSecret, hashSecret } from '../../src/lib/secret'
import type { Instance } from './instance'
import { type Client, errorOf, exchange, postAs } from './oauth'
import type { Page, Visitor } from './visitor'

/** An application as its owner knows it. */
export interface Registered extends Client {
  readonly page: Page
}

export const redirectUri = 'https://client.example/callback'

/** Registers a confidential application that may request everything, unless `values` say otherwise. */
export async function register(
  kiroku: Instance,
  owner: Visitor,
  values: Readonly<Record<string, string>> = {},
): Promise<Registered> {
  const asked = {
    name: 'Stats',
    redirect_uri: redirectUri,
    scopes: 'read write',
    confidential: '1',
    ...values,
  }
  const page = await owner.submit('/oauth/applications/new', asked)
  const uid = page.textOf('client_id')
  expect([page.status, uid]).toEqual([200, expect.stringMatching(/^[0-9a-f]{32}$/)])
  const { id } = await kiroku.deps.read
    .selectFrom('applications')
    .select('id')
    .where('uid', '=', uid)
    .executeTakeFirstOrThrow()
  return { id, uid, secret: page.textOf('client_secret'), redirectUri: asked.redirect_uri, page }
}

/** Whether the server accepts these client credentials. */
export async function isClient(kiroku: Instance, clientId: string, secret: string): Promise<boolean> {
  const client = { id: 0, uid: clientId, secret, redirectUri }
  const error = await errorOf(await postAs(kiroku, '/oauth/token', exchange(client, 'none')))
  expect(['400 invalid_grant', '401 invalid_client']).toContain(error)
  return error === '400 invalid_grant'
}

/** A token that an application holds for a user, as if by consent. */
export async function grant(
  { deps }: Instance,
  applicationId: number,
  userId: number,
  { scope = 'read', expiresIn = null as number | null } = {},
): Promise<string> {
  const token = createSecret('at', deps.random)
  const created_at = deps.now()
  const values = {
    user_id: userId,
    application_id: applicationId,
    description: '',
    scope,
    token_hash: hashSecret(token),
    created_at,
    expires_at: expiresIn === null ? null : created_at + expiresIn,
  }
  await deps.write((tx) => tx.insertInto('tokens').values(values).execute())
  return token
}
