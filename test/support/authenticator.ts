import { createHmac } from 'node:crypto'
import type { Instance } from './instance'
import { createMember, createVisitor, type Page, type Visitor } from './visitor'

/** The code that an authenticator application shows (RFC 6238), computed independently of the product. */
export function codeOf(key: string, at: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)))
  const mac = createHmac('sha1', bytesOf(key)).update(counter).digest()
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

/** The bytes of a key in base 32 (RFC 4648 §6), with or without spaces. */
function bytesOf(key: string): Buffer {
  const bits = [...key.replaceAll(' ', '')].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  const bytes = bits.join('').match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}

/** Turns two-step verification on for a member who came with `query`; its code is then used up. */
export async function enrol(
  { clock }: Instance,
  member: Visitor,
  query = '',
): Promise<{ key: string; recoveryCodes: string[]; page: Page }> {
  const { location } = await member.submit(`/settings/two_step${query}`, {}, '/settings/two_step/start')
  const key = (await member.open(location)).textOf('totp_key')
  const page = await member.submit(location, { code: codeOf(key, clock.now) })
  return { key, recoveryCodes: recoveryCodesIn(page.text), page }
}

export const recoveryCodesIn = (text: string) =>
  [...text.matchAll(/<li><code>([^<]+)<\/code><\/li>/g)].map(([, code = '']) => code)

/** A new member with two-step verification on, and how to sign in as them up to the second step. */
export async function enrolled(kiroku: Instance, username: string) {
  const member = await createMember(kiroku, username)
  const { key, recoveryCodes } = await enrol(kiroku, member)
  const halfway = async (password: string, peer = '192.0.2.77') => {
    const visitor = createVisitor(kiroku, { peer })
    const page = await visitor.signIn(username, password)
    return { visitor, page }
  }
  return { member, key, recoveryCodes, halfway }
}
