import { rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Failure } from '../../lib/failure'
import type { Destination } from '../destination'
import { isEncrypted } from '../names'
import { refuseWithoutRoom } from '../room'
import { decryptFile, sha256Within } from './decrypt-file'
import { encryptFile } from './encrypt-file'

/** Encrypts files whose names end in `.age` when they are put, and decrypts them when they are fetched. */
export function encryptedDestination(inner: Destination, passphrase: () => Promise<string>): Destination {
  return {
    ...inner,
    put: async (name, file) => {
      if (!isEncrypted(name)) return await inner.put(name, file)
      await beside(file, async (encrypted) => {
        await encryptAndCompare(file, encrypted, await passphrase())
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
async function encryptAndCompare(file: string, to: string, passphrase: string): Promise<void> {
  refuseWithoutRoom(dirname(to), (await stat(file)).size)
  await encryptFile(file, to, passphrase)
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
