/**
 * What somebody typed to name an account, in the form in which usernames and e-mail addresses are compared: NFKC, lower
 * case, without white space, none of which either may hold. It is what is looked up and what is counted, so that no
 * spelling of a name has an allowance of its own.
 */
export const accountKey = (typed: string): string =>
  typed.normalize('NFKC').toLowerCase().replaceAll(/\s/g, '')

/** The column of `users` that holds such a key: e-mail addresses have an @, usernames have none (D50). */
export const keyColumn = (key: string): 'email_key' | 'username_key' =>
  key.includes('@') ? 'email_key' : 'username_key'
