import type { Deps } from '../../deps'
import { alreadySignedUpLetter, letterTo, signUpLetter } from '../../mail/letters'
import type { Mail } from '../../mail/mail'
import type { Language } from '../../messages/languages'
import { valid } from '../../values/field-problem'
import { signature } from '../instance-text'
import { takeLetter } from '../sign-in/letter-quota'
import { createLink, type Link, spendLink } from '../sign-in/one-time-link'
import { type Attempt, beginAttempt, takeBackAttempt } from '../sign-in/throttle'
import { signUpThrottle } from '../sign-in/throttle-kinds'
import { spendInvitation } from './invitation'
import { emailKey, insertUser, type NewUser, prepareUser, userEmail } from './user'

/** Counts a sign-up from a network address, unless that address has to wait. */
export const countSignUp = (deps: Deps, address: string): Promise<Attempt> =>
  deps.write((tx) => beginAttempt(tx, [signUpThrottle(address)], deps.now()))

/** Mails a link, or a notice if an account has the address; the caller sees no difference. Throws a `FieldProblem`. */
export async function askToSignUp(
  deps: Deps,
  mail: Mail,
  { email, invitationId, language }: { email: string; invitationId: number | null; language: Language },
): Promise<void> {
  valid('email', userEmail, email)
  const { baseUrl } = deps.config
  mail.send(async () => {
    if (!(await deps.write((tx) => takeLetter(tx, { email }, deps.now())))) return undefined
    const holder = await deps.read
      .selectFrom('users')
      .select('username')
      .where('email_key', '=', emailKey(email))
      .executeTakeFirst()
    if (holder !== undefined)
      return letterTo(
        email,
        language,
        alreadySignedUpLetter(holder.username, baseUrl),
        await signature(deps.read),
      )
    const asked = { purpose: 'sign_up', email, invitationId } as const
    const link = await deps.write((tx) => createLink(tx, deps, asked))
    return letterTo(email, language, signUpLetter(`${baseUrl}/sign_up/${link}`), await signature(deps.read))
  })
}

/** An invitation or null, and the link that proved the address or undefined. */
export interface Entitlement extends Pick<Link, 'invitationId'> {
  readonly link: string | undefined
  readonly attempt: Attempt
}

/** Returns the id; undefined if the link or invitation is no longer valid. Throws a `FieldProblem` or `PasswordsBusy`. */
export async function signUp(
  deps: Deps,
  asked: NewUser,
  entitlement: Entitlement,
): Promise<number | undefined> {
  const { link, invitationId, attempt } = entitlement
  const user = await prepareUser(deps, asked)
  return await deps
    .write(async (tx) => {
      const at = deps.now()
      if (link !== undefined && (await spendLink(tx, 'sign_up', link, at)) === undefined)
        throw new EntitlementUsed()
      const spent = invitationId === null ? undefined : await spendInvitation(tx, invitationId, at)
      if (invitationId !== null && spent === undefined) throw new EntitlementUsed()
      const id = await insertUser(tx, { ...user, invited_by: spent?.invitedBy ?? null })
      // Invited or confirmed people do not count, so users behind one network address do not delay each other.
      if (link !== undefined || invitationId !== null) await takeBackAttempt(tx, attempt)
      return id
    })
    .catch(unlessUsed)
}

/** For a write that throws it to be rolled back, since its link or invitation is no longer valid: undefined. */
export function unlessUsed(cause: unknown): undefined {
  if (!(cause instanceof EntitlementUsed)) throw cause
}

export class EntitlementUsed extends Error {}
