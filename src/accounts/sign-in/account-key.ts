/**
 * A username or e-mail address in its canonical form: NFKC, lower case, no white space. It is looked up and throttled by
 * this form, so that other spellings of a name get no attempts of their own.
 */
export const accountKey = (typed: string): string =>
  typed.normalize('NFKC').toLowerCase().replaceAll(/\s/g, '')

/** The column of `users` to look a key up in: e-mail addresses have an @, usernames have none (D50). */
export const keyColumn = (key: string): 'email_key' | 'username_key' =>
  key.includes('@') ? 'email_key' : 'username_key'
