import { Failure } from '../../lib/failure'
import { writeWhole } from '../write-whole'

/**
 * Decrypts the output of `encryptFile` or `age --passphrase`; streams. Throws a `data` failure for a wrong
 * passphrase, and for a file that is truncated, changed or not encrypted that way.
 */
export async function decryptFile(from: string, to: string, passphrase: string): Promise<void> {
  await refuseOther(from)
  await writeWhole(to, async (out) => {
    for await (const chunk of decrypted(from, passphrase)) await out.writeFile(chunk)
  })
}

/** SHA-256 of the decrypted contents, in hex. Throws like `decryptFile`. */
export async function sha256Within(from: string, passphrase: string): Promise<string> {
  await refuseOther(from)
  const sha256 = new Bun.CryptoHasher('sha256')
  for await (const chunk of decrypted(from, passphrase)) sha256.update(chunk)
  return sha256.digest('hex')
}

/** `Decrypter` reads the whole header before it knows where it ends, so a header without an end must not get that far. */
async function refuseOther(from: string): Promise<void> {
  const head = await Bun.file(from).slice(0, 1024).text()
  const [, factor] = scryptHeader.exec(head) ?? []
  if (factor === undefined) throw new Failure('data', `${from} was not encrypted by age with a passphrase`)
  if (Number(factor) > highestFactor)
    throw new Failure('data', `${from} needs more than 256 MiB of memory to be opened`)
}

// https://c2sp.org/age: a header with a passphrase has exactly one recipient.
const scryptHeader = /^age-encryption\.org\/v1\n-> scrypt [\w+/]{22} (\d{1,9})\n[\w+/]{43}\n--- /

/** The default of `age`: scrypt with 256 MiB. */
const highestFactor = 18

async function* decrypted(from: string, passphrase: string) {
  const { Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  try {
    yield* await decrypter.decrypt(Bun.file(from).stream())
  } catch (cause) {
    // File system errors have codes; those of age and its ciphers do not.
    if (!(cause instanceof Error) || 'code' in cause) throw cause
    throw new Failure('data', `${from} ${problemIn(cause)}`)
  }
}

const problemIn = ({ message }: Error) =>
  message.startsWith('no identity matched')
    ? 'cannot be opened: the passphrase is wrong or the file is damaged'
    : 'is damaged: it was cut off or changed after it was encrypted'
