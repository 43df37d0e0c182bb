import { refuseMore } from '../../accounts/refuse-more'
import type { TokenScope } from '../../accounts/token'
import type { Write } from '../../db/write'
import { FieldProblem } from '../../lib/field-problem'
import type { Random } from '../../lib/secret'
import type { Message } from '../../messages/languages'
import { isAllowed, redirectUriProblem } from '../authorize/redirect-uri'
import { addSecret } from './client-secret'
import { dropPending } from './end-access'
import { registeredName } from './registered-name'

/** What the owner of an application decides, at any time. */
export interface Registration {
  readonly name: string
  /** One per line; blank lines are nothing. */
  readonly redirectUris: string
  readonly scope: TokenScope
  readonly hasDeviceGrant: boolean
}

/** What is decided once: an application that cannot keep a secret is another one than one that can. */
export interface NewApplication extends Registration {
  readonly ownerId: number
  readonly isConfidential: boolean
}

/** A new application. Its secret is known this once: only its hash is kept. Null where it can keep none. */
export interface Registered {
  readonly id: number
  readonly uid: string
  readonly secret: string | null
}

interface Outside {
  readonly write: Write
  now(): number
  readonly random: Random
  /** The instance's: without TLS of its own it asks for none (D57). */
  readonly baseUrl: string
}

/** Registers an application (RFC 6749 §2). Throws a `FieldProblem`. */
export async function registerApplication(deps: Outside, asked: NewApplication): Promise<Registered> {
  const at = deps.now()
  const uid = Buffer.from(deps.random(16)).toString('hex')
  const values = {
    ...valuesOf(asked, deps.baseUrl),
    owner_id: asked.ownerId,
    uid,
    is_confidential: asked.isConfidential ? 1 : 0,
    created_at: at,
    updated_at: at,
  }
  return await deps.write(async (tx) => {
    // uses applications_owner
    const own = await tx
      .selectFrom('applications')
      .select('id')
      .where('owner_id', '=', asked.ownerId)
      .execute()
    refuseMore(own, (t) => t.rules.mostApplications)
    const { id } = await tx
      .insertInto('applications')
      .values(values)
      .returning('id')
      .executeTakeFirstOrThrow()
    return { id, uid, secret: asked.isConfidential ? await addSecret(tx, id, deps) : null }
  })
}

/**
 * Changes what an application is registered with. Tokens stay; what somebody was asked for or granted under the former
 * registration, but no token was issued for, is off. Throws a `FieldProblem`.
 */
export async function changeApplication(deps: Outside, id: number, asked: Registration): Promise<void> {
  const values = { ...valuesOf(asked, deps.baseUrl), updated_at: deps.now() }
  await deps.write(async (tx) => {
    await tx.updateTable('applications').set(values).where('id', '=', id).execute()
    await dropPending(tx, { applicationId: id })
  })
}

/** Deletes an application: its secrets, codes and tokens go with it (AP-05). False where there was none. */
export async function deleteApplication({ write }: { write: Write }, id: number): Promise<boolean> {
  const deleted = await write((tx) =>
    tx.deleteFrom('applications').where('id', '=', id).returning('id').execute(),
  )
  return deleted.length > 0
}

/** Those of an application's redirect URIs that only an instance without TLS takes (D57): its owner is warned. */
export const unencryptedUris = (redirectUris: string): readonly string[] =>
  linesOf(redirectUris).filter((uri) => isAllowed(uri) && redirectUriProblem(uri, 'https:') !== undefined)

/** Those that were registered under older rules and are refused by now: their owner has to change them. */
export const refusedUris = (redirectUris: string): readonly string[] =>
  linesOf(redirectUris).filter((uri) => !isAllowed(uri))

const valuesOf = (asked: Registration, baseUrl: string) => ({
  name: registeredName(asked.name),
  redirect_uris: checkedUris(asked.redirectUris, baseUrl).join('\n'),
  scope: asked.scope,
  has_device_grant: asked.hasDeviceGrant ? 1 : 0,
})

/** The redirect URIs of a text, as they are kept. Throws a `FieldProblem` about every one that cannot be. */
export function checkedUris(text: string, baseUrl: string): readonly string[] {
  const uris = linesOf(text)
  if (uris.length === 0) throw unfit((t) => t.redirectUri.none)
  if (uris.length > mostUris) throw unfit((t) => t.redirectUri.most(mostUris))
  const problems = uris.flatMap((uri, index) => {
    const problem = redirectUriProblem(uri, baseUrl)
    return problem === undefined ? [] : [{ place: index + 1, problem }]
  })
  if (problems.length === 0) return [...new Set(uris)]
  throw unfit((t) => t.common.sentences(problems.map(({ place, problem }) => problem(t, place))))
}

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

const mostUris = 20

const unfit = (rule: Message) => new FieldProblem('usage', 'redirect_uri', rule)
