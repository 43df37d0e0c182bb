import type { Tx } from '../../db/write'
import { hashSecret, type Random } from '../../lib/secret'
import { endLinks } from './one-time-link'

const codeCount = 10

/** Also ends all links of the account. Codes have 24 digits of 5 bits: at 120 bits a plain hash suffices (ASVS 6.5.2). */
export async function renewRecoveryCodes(tx: Tx, userId: number, random: Random): Promise<readonly string[]> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute() // uses recovery_codes_user
  const codes = Array.from({ length: codeCount }, () => newCode(random))
  const rows = codes.map((code) => ({ user_id: userId, code_hash: hashSecret(code) }))
  await tx.insertInto('recovery_codes').values(rows).execute()
  await endLinks(tx, userId)
  return codes.map(grouped)
}

/** False if it is none of the user's codes. */
export async function spendRecoveryCode(tx: Tx, userId: number, typed: string): Promise<boolean> {
  const code = readCode(typed)
  if (code === undefined) return false
  const spent = await tx
    .deleteFrom('recovery_codes')
    .where('code_hash', '=', hashSecret(code))
    .where('user_id', '=', userId)
    .returning('id')
    .execute()
  return spent.length > 0
}

function readCode(typed: string): string | undefined {
  const plain = typed.normalize('NFKC').toLowerCase().replaceAll(/[\s-]/g, '')
  const code = plain.replaceAll('o', '0').replaceAll(/[il]/g, '1')
  return /^[0-9a-hjkmnp-tv-z]{24}$/.test(code) ? code : undefined
}

// Crockford's base 32: no u, and no i, l or o, which are read as digits.
const digits = '0123456789abcdefghjkmnpqrstvwxyz'

const newCode = (random: Random) => Array.from(random(24), (byte) => digits.charAt(byte % 32)).join('')

const grouped = (code: string) => code.replaceAll(/(.{4})(?=.)/g, '$1-')
