/** Names are looked up and throttled by this form, so that other spellings get no attempts of their own. */
export const accountKey = (typed: string): string =>
  typed.normalize('NFKC').toLowerCase().replaceAll(/\s/g, '')

/** E-mail addresses have an @, usernames have none (D50). */
export const keyColumn = (key: string): 'email_key' | 'username_key' =>
  key.includes('@') ? 'email_key' : 'username_key'
