import { constantTimeEqual } from 'oslo/crypto'
import { base32 } from 'oslo/encoding'
import { createTOTPKeyURI, generateHOTP } from 'oslo/otp'

/** Bytes: the length of a SHA-1 hash (RFC 4226 §4). */
export const totpSecretLength = 20

/**
 * The time step of a typed code (RFC 6238), this one or the previous (§5.2), if later than `lastStep`; else undefined. `at`
 * is in epoch milliseconds. Compares both in constant time.
 */
export async function matchingStep(
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

function typedCode(text: string): string | undefined {
  const code = text.normalize('NFKC').replaceAll(/[\s-]/g, '')
  return /^[0-9]{6}$/.test(code) ? code : undefined
}

/** The otpauth URI for the QR code. Neither name may contain a colon. */
export const totpAddress = (issuer: string, account: string, secret: Uint8Array): string =>
  createTOTPKeyURI(issuer, account, secret)

export const totpKey = (secret: Uint8Array): string =>
  base32.encode(secret, { includePadding: false }).replaceAll(/(.{4})(?=.)/g, '$1 ')

const bytes = (text: string) => new TextEncoder().encode(text)
