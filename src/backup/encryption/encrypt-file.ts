import { writeWhole } from '../write-whole'

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
