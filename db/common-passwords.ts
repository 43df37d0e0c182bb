import passwords from '@zxcvbn-ts/language-common/src/passwords.json'

/**
 * The 3000 most common passwords among those our rules of length allow (ASVS 6.2.4), one per line. Called as a macro:
 * the executable holds these 28 kB, and nothing else of the package.
 */
export function commonPasswords(): string {
  const fit = passwords.filter((password) => [...password].length >= 8)
  return fit.slice(0, 3000).join('\n')
}
