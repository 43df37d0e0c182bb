import type { Deps } from '../../deps'
import { addressed, resetLetter } from '../../mail/letters'
import type { Mail } from '../../mail/mail'
import { type Language, languages } from '../../messages/languages'
import { accountKey, keyColumn } from '../sign-in/account-key'
import { takeLetter } from '../sign-in/letter-quota'
import { createLink } from '../sign-in/one-time-link'
import { beginAttempt } from '../sign-in/throttle'
import { mailFrom } from '../sign-in/throttle-kinds'

/**
 * Sends a link for a new password to the proved address of an account, found by username or address. Whether there is
 * one shows in nothing, not even in time: it is looked up when the letter's turn comes. Returns how many milliseconds to
 * wait instead, 0 when it was asked for. `language` is that of the letter where its reader never chose one.
 */
export async function askForReset(
  deps: Deps,
  mail: Mail,
  { name, address, language }: { name: string; address: string; language: Language },
): Promise<number> {
  const { wait } = await deps.write((tx) => beginAttempt(tx, [mailFrom(address)], deps.now()))
  if (wait > 0) return wait
  mail.send(async () => {
    const user = await findReader(deps, name)
    const link = user && (await linkWithin(deps, user.id))
    if (user === undefined || link === undefined) return undefined
    const chosen = languages.find((one) => one === user.language) ?? language
    const url = `${deps.config.baseUrl}/reset_password/${link}`
    return addressed(user.email, chosen, resetLetter(user.username, url))
  })
  return 0
}

/** A link, unless the account has had its letters of the day: then the last one made stays good. */
async function linkWithin(deps: Deps, userId: number): Promise<string | undefined> {
  const link = await deps.write(async (tx) =>
    (await takeLetter(tx, { userId }, deps.now()))
      ? await createLink(tx, deps, { purpose: 'reset', userId })
      : undefined,
  )
  if (link === undefined) deps.log('letter_withheld', { user: userId })
  return link
}

/** An address that nobody proved gets no letter: it may be a stranger's. */
function findReader({ read }: Deps, name: string) {
  const key = accountKey(name)
  return read
    .selectFrom('users')
    .select(['id', 'username', 'email', 'language'])
    .where(keyColumn(key), '=', key)
    .where('email_key', 'is not', null)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
}
