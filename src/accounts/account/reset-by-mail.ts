import type { Deps } from '../../deps'
import { letterTo, resetLetter } from '../../mail/letters'
import type { Mail } from '../../mail/mail'
import { type Language, languages } from '../../messages/languages'
import { signature } from '../instance-text'
import { takeLetter } from '../sign-in/letter-quota'
import { createLink } from '../sign-in/one-time-link'
import { beginAttempt } from '../sign-in/throttle'
import { accountKey, keyColumn, mailThrottle } from '../sign-in/throttle-kinds'

/** Looks the account up in the mail queue, so no answer reveals whether it exists. Returns the milliseconds to wait. */
export async function askForReset(
  deps: Deps,
  mail: Mail,
  { name, address, language }: { name: string; address: string; language: Language },
): Promise<number> {
  const { wait } = await deps.write((tx) => beginAttempt(tx, [mailThrottle(address)], deps.now()))
  if (wait > 0) return wait
  mail.send(async () => {
    const user = await findReader(deps, name)
    const link = user && (await linkWithinQuota(deps, user.id))
    if (user === undefined || link === undefined) return undefined
    const chosen = languages.find((one) => one === user.language) ?? language
    const url = `${deps.config.baseUrl}/reset_password/${link}`
    return letterTo(user.email, chosen, resetLetter(user.username, url), await signature(deps.read))
  })
  return 0
}

/** Undefined once the daily quota is used up; the last link stays valid. */
async function linkWithinQuota(deps: Deps, userId: number): Promise<string | undefined> {
  const link = await deps.write(async (tx) =>
    (await takeLetter(tx, { userId }, deps.now()))
      ? await createLink(tx, deps, { purpose: 'reset', userId })
      : undefined,
  )
  if (link === undefined) deps.log('letter_withheld', { user: userId })
  return link
}

/** Proved addresses only: an unproved one may belong to a stranger. */
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
