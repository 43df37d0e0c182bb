import type { Insertable } from 'kysely'
import type { Read } from '../../db/open'
import type { DB } from '../../db/schema'
import type { Tx } from '../../db/write'
import type { Deps } from '../../deps'
import {
  joinAcceptedLetter,
  joinDeclinedLetter,
  joinRequestedLetter,
  type LetterText,
  letterTo,
} from '../../mail/letters'
import { type Language, languages } from '../../messages/languages'
import { FieldProblem } from '../../values/field-problem'
import { signature } from '../instance-text'
import { connectIdentity } from '../provider/identity'
import { spendLink } from '../sign-in/one-time-link'
import { type Attempt, beginAttempt, takeBackAttempt } from '../sign-in/throttle'
import { joinLetterThrottle } from '../sign-in/throttle-kinds'
import { EntitlementUsed, unlessUsed } from './sign-up'
import { tellOwner } from './tell-owner'
import { insertUser, type NewUser, prepareUser, refuseTaken } from './user'

/** In code points. */
export const longestAnswer = 500

/** How many can wait at once: strangers fill this table. */
export const mostWaiting = 1000

export interface JoinAnswer {
  readonly question: string
  readonly answer: string
  /** Of the page on which it is sent. */
  readonly language: Language
}

/** The link that proved the address, or undefined. */
interface JoinProof {
  readonly link: string | undefined
  readonly attempt: Attempt
}

/**
 * Asks the administrators for an account (D51), and tells them by mail. False if the link is no longer valid. Throws a
 * `FieldProblem` or `PasswordsBusy`.
 */
export async function askToJoin(
  deps: Deps,
  asked: NewUser,
  { link, attempt, question, answer, language }: JoinAnswer & JoinProof,
): Promise<boolean> {
  const { name: _, is_admin: __, ...account } = await prepareUser(deps, asked)
  const id = await deps
    .write(async (tx) => {
      if (link !== undefined && (await spendLink(tx, 'sign_up', link, deps.now())) === undefined)
        throw new EntitlementUsed()
      if (link !== undefined) await takeBackAttempt(tx, attempt)
      return await addRequest(tx, { ...account, question, answer, language })
    })
    .catch(unlessUsed)
  if (id === undefined) return false
  await tellAdministrators(deps, language)
  return true
}

/** Returns the id. Throws a `FieldProblem` if a name is taken, or too many wait. */
export async function addRequest(tx: Tx, request: Insertable<DB['join_requests']>): Promise<number> {
  await refuseTaken(tx, { ...request, email_key: request.email_key ?? null })
  await refuseCrowd(tx)
  const { id } = await tx
    .insertInto('join_requests')
    .values(request)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function refuseCrowd(tx: Tx): Promise<void> {
  if ((await countJoinRequests(tx)) < mostWaiting) return
  throw new FieldProblem('data', '', (t) => t.rules.mostWaiting)
}

/** At most one letter a day tells of all requests. `language` is for administrators who have not chosen one. */
export async function tellAdministrators(deps: Deps, language: Language): Promise<void> {
  const { wait } = await deps.write((tx) => beginAttempt(tx, [joinLetterThrottle], deps.now()))
  if (deps.mail === undefined || wait > 0) return
  const administrators = await deps.read
    .selectFrom('users')
    .select('id')
    .where('is_admin', '=', 1)
    .where('disabled_at', 'is', null)
    .limit(mostTold)
    .execute()
  for (const { id } of administrators) tellOwner(deps, id, { letter: joinRequestedLetter, language })
}

const mostTold = 20

async function countJoinRequests(tx: Tx): Promise<number> {
  const { count } = await tx
    .selectFrom('join_requests')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export type JoinRequest = Awaited<ReturnType<typeof listJoinRequests>>[number]

/** The first that wait, oldest first. Times are epoch milliseconds; `email_key` is null for an address without proof. */
export const listJoinRequests = (read: Read) => joinRequests(read).orderBy('id').limit(50).execute()

export const findJoinRequest = (read: Read, id: number) =>
  joinRequests(read).where('id', '=', id).executeTakeFirst()

const joinRequests = (read: Read) =>
  read
    .selectFrom('join_requests')
    .select(['id', 'username', 'email', 'email_key', 'question', 'answer', 'created_at'])

/** Makes the account, and tells its owner by mail. Returns the user's id; undefined if nobody waits under that number. */
export async function acceptRequest(deps: Deps, id: number): Promise<number | undefined> {
  const accepted = await deps
    .write(async (tx) => {
      const request = await takeRequest(tx, id)
      if (request === undefined) return undefined
      const { language: _, issuer, subject, identity_name, ...account } = request
      const at = deps.now()
      const userId = await insertUser(tx, { ...account, name: account.username, is_admin: 0, created_at: at })
      if (issuer !== null && subject !== null) {
        // They were connected elsewhere while they waited: nobody could sign in to this account.
        const made = await connectIdentity(tx, userId, { issuer, subject, name: identity_name }, at)
        if (made === 'taken') throw new EntitlementUsed()
      }
      return { userId, request }
    })
    .catch(unlessUsed)
  if (accepted === undefined) return undefined
  tellApplicant(deps, accepted.request, joinAcceptedLetter(accepted.request.username, deps.config.baseUrl))
  return accepted.userId
}

/** Forgets the request, and tells whoever sent it by mail. False if nobody waits under that number. */
export async function declineRequest(deps: Deps, id: number): Promise<boolean> {
  const request = await deps.write((tx) => takeRequest(tx, id))
  if (request === undefined) return false
  tellApplicant(deps, request, joinDeclinedLetter(request.username, deps.config.baseUrl))
  return true
}

async function takeRequest(tx: Tx, id: number) {
  const [request] = await tx
    .deleteFrom('join_requests')
    .where('id', '=', id)
    .returning(['username', 'username_key', 'email', 'email_key', 'password_hash', 'language'])
    .returning(['issuer', 'subject', 'identity_name'])
    .execute()
  return request
}

/** Only at an address that is confirmed, as all letters (ASVS 6.3.7). */
function tellApplicant(
  { mail, read }: Pick<Deps, 'mail' | 'read'>,
  { email, email_key, language }: { email: string; email_key: string | null; language: string },
  letter: LetterText,
): void {
  if (email_key === null) return
  const known = languages.find((one) => one === language) ?? 'en'
  mail?.send(async () => letterTo(email, known, letter, await signature(read)))
}
