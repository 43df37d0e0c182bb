import { constantTimeEqual } from 'oslo/crypto'
import { base32 } from 'oslo/encoding'
import { createTOTPKeyURI, generateHOTP } from 'oslo/otp'

/** How many bytes a secret has: as many as SHA-1 gives (RFC 4226 §4). */
export const totpSecretLength = 20

/**
 * The time step whose code somebody typed (RFC 6238: SHA-1, six digits, 30 seconds), undefined when it is neither the
 * present one nor the one before: typing takes a while, and the network too (§5.2). A code of the step to come is
 * refused. `at` is in epoch milliseconds. Each code is good once, so steps up to `lastStep` are over. Both are compared,
 * so that the time tells nothing.
 */
export async function typedStep(
  secret: Uint8Array,
  typed: string,
  { at, lastStep }: { at: number; lastStep: number },
): Promise<number | undefined> {
  const code = typedCode(typed)
  if (code === undefined) return undefined
  const now = Math.floor(at / 30_000)
  const steps = [now - 1, now].filter((step) => step >= 0)
  const codes = await Promise.all(steps.map((step) => generateHOTP(secret, step)))
  const matches = steps.filter((_, index) => constantTimeEqual(bytes(codes[index] ?? ''), bytes(code)))
  return matches.find((step) => step > lastStep)
}

/** The six digits of a code as people type it, with spaces or full-width; undefined when it can be none. */
function typedCode(text: string): string | undefined {
  const code = text.normalize('NFKC').replaceAll(/[\s-]/g, '')
  return /^[0-9]{6}$/.test(code) ? code : undefined
}

/** What the QR code of a secret says: the address that authenticator applications know. Neither name may hold a colon. */
export const totpAddress = (issuer: string, account: string, secret: Uint8Array): string =>
  createTOTPKeyURI(issuer, account, secret)

/** A secret as people type it into such an application. */
export const totpKey = (secret: Uint8Array): string =>
  base32.encode(secret, { includePadding: false }).replaceAll(/(.{4})(?=.)/g, '$1 ')

const bytes = (text: string) => new TextEncoder().encode(text)
