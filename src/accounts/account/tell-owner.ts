import type { Deps } from '../../deps'
import { type LetterText, letterTo } from '../../mail/letters'
import { type Language, languages } from '../../messages/languages'
import { signature } from '../instance-text'

export type AccountLetter = (username: string, baseUrl: string) => LetterText

/** Mails confirmed addresses only (ASVS 6.3.7). `language` is for owners who have not chosen one. */
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
    return letterTo(owner.email, chosen, letter(owner.username, config.baseUrl), await signature(read))
  })
}
