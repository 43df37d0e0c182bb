import { CryptoHasher } from 'bun'
import type { AnswerBody } from '../source'

export interface Digest {
  /** In bytes. */
  readonly size: number
  /** In hexadecimal digits. */
  readonly sha256: string
}

/** Reads an answer to its end without holding it in memory. */
export async function digestOf(body: AnswerBody): Promise<Digest> {
  const hash = new CryptoHasher('sha256')
  let size = 0
  for await (const piece of body.stream()) {
    size += piece.length
    hash.update(piece)
  }
  return { size, sha256: hash.digest('hex') }
}
