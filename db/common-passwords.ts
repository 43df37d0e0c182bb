import passwords from '@zxcvbn-ts/language-common/src/passwords.json'

/** The 3000 most common passwords among those our rules of length allow (ASVS 6.2.4), sorted. */
export const commonPasswords = (): readonly string[] =>
  passwords
    .filter((password) => [...password].length >= 8)
    .slice(0, 3000)
    .sort()

/** The same as base64 of zstd, one per line. Called as a macro: the executable holds this text, and not the package. */
export const packedCommonPasswords = (): string =>
  Bun.zstdCompressSync(commonPasswords().join('\n'), { level: 19 }).toString('base64')
