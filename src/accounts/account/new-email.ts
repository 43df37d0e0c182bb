import type { Deps } from '../../deps'
import { addressTakenLetter, emailChangedLetter, emailLetter, letterTo } from '../../mail/letters'
import type { Mail } from '../../mail/mail'
import type { Language } from '../../messages/languages'
import { valid } from '../../values/field-problem'
import { signature } from '../instance-text'
import { takeLetter } from '../sign-in/letter-quota'
import { createLink, endLinks, findLink, spendLink } from '../sign-in/one-time-link'
import { beginAttempt } from '../sign-in/throttle'
import { mailThrottle } from '../sign-in/throttle-kinds'
import { emailKey, emailTaken, userEmail } from './user'

export interface EmailOwner {
  readonly userId: number
  readonly username: string
  readonly language: Language
}

export async function emailOf({ read }: Pick<Deps, 'read'>, userId: number) {
  const row = await read
    .selectFrom('users')
    .select(['email', 'email_key'])
    .where('id', '=', userId)
    .executeTakeFirst()
  return { email: row?.email ?? '', isProved: row !== undefined && row.email_key !== null }
}

/** For instances without mail. An unproved address cannot sign in, so it need not be unique. Throws a `FieldProblem`. */
export async function changeEmailUnproved({ write }: Deps, userId: number, email: string): Promise<void> {
  valid('email', userEmail, email)
  const unproved = { email, email_key: null }
  await write(async (tx) => {
    await tx.updateTable('users').set(unproved).where('id', '=', userId).execute()
    await endLinks(tx, userId)
  })
}

/**
 * Sends a link to the new address, or a notice to the account that already has it; the caller must not be
 * able to tell which. Returns the milliseconds to wait, 0 if the request was accepted.
 */
export async function askForEmail(
  deps: Deps,
  mail: Mail,
  owner: EmailOwner,
  { email, address }: { email: string; address: string },
): Promise<number> {
  valid('email', userEmail, email)
  const { wait } = await deps.write((tx) => beginAttempt(tx, [mailThrottle(address)], deps.now()))
  if (wait > 0) return wait
  const { userId, username, language } = owner
  mail.send(async () => {
    if (!(await deps.write((tx) => takeLetter(tx, { email }, deps.now())))) return undefined
    const holder = await deps.read
      .selectFrom('users')
      .select(['id', 'username'])
      .where('email_key', '=', emailKey(email))
      .executeTakeFirst()
    if (holder !== undefined && holder.id !== userId)
      return letterTo(email, language, addressTakenLetter(holder.username), await signature(deps.read))
    const link = await deps.write((tx) => createLink(tx, deps, { purpose: 'email', userId, email }))
    const url = `${deps.config.baseUrl}/settings/email/${link}`
    return letterTo(email, language, emailLetter(username, url), await signature(deps.read))
  })
  return 0
}

/** Undefined unless the link is valid and belongs to this user: nobody else may learn the address. */
export async function addressOfLink(
  { read, now }: Deps,
  link: string,
  userId: number,
): Promise<string | undefined> {
  const found = await findLink(read, 'email', link, now())
  return found?.userId === userId ? (found.email ?? undefined) : undefined
}

/** False for an invalid link. Throws a `FieldProblem` if another account has proved the address in the meantime. */
export async function confirmEmail(deps: Deps, link: string, owner: EmailOwner): Promise<boolean> {
  const { userId, username, language } = owner
  const { email: before, isProved } = await emailOf(deps, userId)
  const now = await deps.write(async (tx) => {
    const spent = await spendLink(tx, 'email', link, deps.now())
    const email = spent?.userId === userId ? spent.email : null
    if (email === null) return undefined
    const email_key = emailKey(email)
    const holder = await tx
      .selectFrom('users')
      .select('id')
      .where('email_key', '=', email_key)
      .executeTakeFirst()
    if (holder !== undefined && holder.id !== userId) throw emailTaken(email)
    await tx.updateTable('users').set({ email, email_key }).where('id', '=', userId).execute()
    await endLinks(tx, userId)
    return email
  })
  if (now === undefined) return false
  const letter = letterTo(
    before,
    language,
    emailChangedLetter(username, deps.config.baseUrl),
    await signature(deps.read),
  )
  if (isProved && emailKey(before) !== emailKey(now)) deps.mail?.send(async () => letter)
  return true
}
