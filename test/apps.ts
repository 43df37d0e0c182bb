import { expect } from 'bun:test'
import { createSecret, hashSecret } from '../src/lib/secret'
import { authenticateClient } from '../src/oauth/client'
import { OAuthError } from '../src/oauth/error'
import type { Instance } from './instance'
import type { Page, Visitor } from './visitor'

/** An application as its owner got to know it. */
export interface Registered {
  readonly id: number
  readonly uid: string
  /** '' for a public one. */
  readonly secret: string
  readonly page: Page
}

export const redirectUri = 'https://client.example/callback'

/** Registers a confidential application that may ask for everything, unless `values` say otherwise. */
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
  return { id, uid, secret: page.textOf('client_secret'), page }
}

/** Whether the server takes these for a client's credentials. */
export async function isClient({ deps }: Instance, clientId: string, secret: string): Promise<boolean> {
  try {
    await authenticateClient(deps, { clientId, secret })
    return true
  } catch (cause) {
    if (cause instanceof OAuthError && cause.type === 'invalid_client') return false
    throw cause
  }
}

/** A token that an application holds for a user, as consent gives it one. */
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

/** A code that a user gave to an application and that was not used yet. */
export async function addCode({ deps }: Instance, applicationId: number, userId: number): Promise<void> {
  const values = {
    application_id: applicationId,
    user_id: userId,
    code_hash: hashSecret(createSecret('ac', deps.random)),
    redirect_uri: redirectUri,
    scope: 'read',
    created_at: deps.now(),
    expires_at: deps.now() + 60_000,
  }
  await deps.write((tx) => tx.insertInto('authorization_codes').values(values).execute())
}

/** How many codes are there for an application. */
export async function codesOf({ deps }: Instance, applicationId: number): Promise<number> {
  const codes = deps.read.selectFrom('authorization_codes').select('id')
  return (await codes.where('application_id', '=', applicationId).execute()).length
}
