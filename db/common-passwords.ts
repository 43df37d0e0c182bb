import passwords from '@zxcvbn-ts/language-common/src/passwords.json'

/** The 3000 most common passwords with at least 8 characters (ASVS 6.2.4), sorted. */
export const commonPasswords = (): readonly string[] =>
  passwords
    .filter((password) => [...password].length >= 8)
    .slice(0, 3000)
    .sort()

/** A base64 line of zstd. Called as a macro, so that the executable contains this text instead of the package. */
export const packedCommonPasswords = (): string =>
  Bun.zstdCompressSync(commonPasswords().join('\n'), { level: 19 }).toString('base64')
