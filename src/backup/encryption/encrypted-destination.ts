import { rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Failure } from '../../lib/failure'
import type { Destination } from '../destination'
import { isEncrypted } from '../names'
import { refuseWithoutRoom } from '../room'
import { writeWhole } from '../write-whole'

/** Encrypts files whose names end in `.age` when they are put, and decrypts them when they are fetched. */
export function encryptedDestination(
  inner: Destination,
  passphrase: () => Promise<string>,
  workFactor = usualFactor,
): Destination {
  return {
    ...inner,
    put: async (name, file) => {
      if (!isEncrypted(name)) return await inner.put(name, file)
      await beside(file, async (encrypted) => {
        await encryptAndCompare(file, encrypted, await passphrase(), workFactor)
        await inner.put(name, encrypted)
      })
    },
    get: async (name, file) => {
      if (!isEncrypted(name)) return await inner.get(name, file)
      await beside(file, async (encrypted) => {
        await inner.get(name, encrypted)
        refuseWithoutRoom(dirname(file), (await stat(encrypted)).size)
        await decryptFile(encrypted, file, await passphrase()).catch(withoutPath(encrypted))
      })
    },
  }
}

/** The path is that of a temporary file, so it would be useless in a message. */
const withoutPath = (path: string) => (cause: unknown) => {
  throw cause instanceof Failure ? new Failure(cause.kind, cause.message.replace(path, 'it')) : cause
}

/** Throws an `io` failure if decrypting it again does not give the same bytes. */
async function encryptAndCompare(
  file: string,
  to: string,
  passphrase: string,
  workFactor: number,
): Promise<void> {
  refuseWithoutRoom(dirname(to), (await stat(file)).size)
  await encryptFile(file, to, passphrase, workFactor)
  const sha256 = new Bun.CryptoHasher('sha256')
  for await (const chunk of Bun.file(file).stream()) sha256.update(chunk)
  if ((await sha256Within(to, passphrase)) !== sha256.digest('hex'))
    throw new Failure(
      'io',
      'the encrypted backup does not contain what was written to it: the disk or the memory may be faulty',
    )
}

async function beside(file: string, use: (path: string) => Promise<void>): Promise<void> {
  const path = `${file}.encrypted`
  try {
    await use(path)
  } finally {
    await rm(path, { force: true })
  }
}

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
async function sha256Within(from: string, passphrase: string): Promise<string> {
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

/** Writes the format of `age` (https://age-encryption.org/v1), whose command can decrypt it too. Streams. */
export async function encryptFile(
  from: string,
  to: string,
  passphrase: string,
  workFactor = usualFactor,
): Promise<void> {
  const { Encrypter } = await import('age-encryption')
  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphrase)
  encrypter.setScryptWorkFactor(workFactor)
  const encrypted = await encrypter.encrypt(Bun.file(from).stream())
  await writeWhole(to, async (out) => {
    for await (const chunk of encrypted) await out.writeFile(chunk)
  })
}

/** scrypt with 128 MiB for half a second (RFC 7914, r = 8). Default 18 takes 256 MiB, too much for small containers. */
const usualFactor = 17
