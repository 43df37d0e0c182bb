import type { Deps } from '../../deps'
import { addressed, type Text } from '../../mail/letters'
import { type Language, languages } from '../../messages/languages'

/** A letter about an account, by its username and the base URL. */
export type AccountLetter = (username: string, baseUrl: string) => Text

/**
 * Sends a letter to the confirmed address of an account, so that its owner notices what somebody else did (ASVS 6.3.7).
 * Nothing is sent where there is no such address, or no mail. `language` is for owners who chose none.
 */
export function tellOwner(
  { read, mail, config }: Pick<Deps, 'read' | 'mail'> & { readonly config: { readonly baseUrl: string } },
  userId: number,
  { letter, language }: { readonly letter: AccountLetter; readonly language: Language },
): void {
  mail?.send(async () => {
    const owner = await read
      .selectFrom('users')
      .select(['username', 'email', 'language'])
      .where('id', '=', userId)
      .where('email_key', 'is not', null)
      .where('disabled_at', 'is', null)
      .executeTakeFirst()
    if (owner === undefined) return undefined
    const chosen = languages.find((one) => one === owner.language) ?? language
    return addressed(owner.email, chosen, letter(owner.username, config.baseUrl))
  })
}
