/** Names are looked up and throttled in this form, so that other spellings give no extra attempts. */
export const accountKey = (typed: string): string =>
  typed.normalize('NFKC').toLowerCase().replaceAll(/\s/g, '')

/** E-mail addresses contain an @, usernames do not (D50). */
export const keyColumn = (key: string): 'email_key' | 'username_key' =>
  key.includes('@') ? 'email_key' : 'username_key'
