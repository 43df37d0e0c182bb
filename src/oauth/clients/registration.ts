import { refuseMore, type TokenScope } from '../../accounts/token'
import type { Write } from '../../db/write'
import { fold } from '../../lib/fold'
import type { Random } from '../../lib/secret'
import type { Messages } from '../../messages/en'
import type { Message } from '../../messages/languages'
import { valid } from '../../values/field-problem'
import { anyText, lineOfText } from '../../values/text'
import { InvalidValue, mapped, type Value } from '../../values/value'
import { isAllowed, redirectUriProblem } from '../authorize/redirect-uri'
import { addSecret } from './client-secret'
import { dropPending } from './end-access'

export interface Registration {
  readonly name: string
  readonly redirectUris: string
  readonly scope: TokenScope
  readonly hasDeviceGrant: boolean
  readonly sendsIss: boolean
}

export interface NewApplication extends Registration {
  readonly ownerId: number
  readonly isConfidential: boolean
}

/** `secret` is null for a public client. */
export interface RegisteredApplication {
  readonly id: number
  readonly uid: string
  readonly secret: string | null
}

interface Dependencies {
  readonly write: Write
  now(): number
  readonly random: Random
  /** If it is http, redirect URIs may be http too (D57). */
  readonly baseUrl: string
}

/** Throws a `FieldProblem`. */
export async function registerApplication(
  deps: Dependencies,
  asked: NewApplication,
): Promise<RegisteredApplication> {
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

/** Keeps the tokens, but deletes open consent requests and unused grants. Throws a `FieldProblem`. */
export async function changeApplication(deps: Dependencies, id: number, asked: Registration): Promise<void> {
  const values = { ...valuesOf(asked, deps.baseUrl), updated_at: deps.now() }
  await deps.write(async (tx) => {
    await tx.updateTable('applications').set(values).where('id', '=', id).execute()
    await dropPending(tx, { applicationId: id })
  })
}

/** Its secrets, codes and tokens are deleted by cascade (AP-05). False if it did not exist. */
export async function deleteApplication({ write }: { write: Write }, id: number): Promise<boolean> {
  const deleted = await write((tx) =>
    tx.deleteFrom('applications').where('id', '=', id).returning('id').execute(),
  )
  return deleted.length > 0
}

/** URIs that are accepted only without TLS (D57). */
export const unencryptedUris = (redirectUris: string): readonly string[] =>
  linesOf(redirectUris).filter((uri) => isAllowed(uri) && redirectUriProblem(uri, 'https:') !== undefined)

/** URIs registered under older rules that are no longer accepted. */
export const refusedUris = (redirectUris: string): readonly string[] =>
  linesOf(redirectUris).filter((uri) => !isAllowed(uri))

const valuesOf = (asked: Registration, baseUrl: string) => ({
  name: valid('name', registeredName, asked.name),
  redirect_uris: valid('redirect_uri', redirectUris(baseUrl), asked.redirectUris).join('\n'),
  scope: asked.scope,
  has_device_grant: asked.hasDeviceGrant ? 1 : 0,
  sends_iss: asked.sendsIss ? 1 : 0,
})

const line = lineOfText(50, (t) => t.rules.name)

/** AP-07: trimmed and in NFC. */
export const registeredName = mapped(
  mapped(anyText, (text) => line.read(text.normalize('NFC').trim())),
  (name) => {
    const problem = nameProblem(name)
    return problem === undefined ? name : new InvalidValue(problem)
  },
)

function nameProblem(name: string): Message | undefined {
  if (invisible.test(name)) return (t) => t.rules.invisibleCharacters
  if (fold(name) !== instanceName) return undefined
  return (t) => t.rules.siteName
}

const instanceName = 'kiroku'

// Zero-width or blank, but not white space: format characters, variation selectors, fillers, blank Braille.
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u

export const redirectUris = (baseUrl: string): Value<readonly string[]> =>
  mapped(anyText, (text) => {
    const uris = linesOf(text)
    if (uris.length === 0) return new InvalidValue((t) => t.redirectUri.none)
    if (uris.length > mostUris) return new InvalidValue((t) => t.redirectUri.most(mostUris))
    const problems = uris.flatMap((uri, index) => {
      const problem = redirectUriProblem(uri, baseUrl)
      return problem === undefined ? [] : [(t: Messages) => problem(t, index + 1)]
    })
    if (problems.length === 0) return [...new Set(uris)]
    return new InvalidValue((t) => t.common.sentences(problems.map((problem) => problem(t))))
  })

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

const mostUris = 20
