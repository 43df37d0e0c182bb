import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { directoryDestination } from '../../../src/backup/destination'
import {
  decryptFile,
  encryptedDestination,
  encryptFile,
} from '../../../src/backup/encryption/encrypted-destination'
import { Failure } from '../../../src/lib/failure'
import { ageReason, runAge } from '../../support/age'
import { temporaryDirectory } from '../../support/kiroku'

const directory = temporaryDirectory()
afterAll(() => directory[Symbol.dispose]())
const plain = directory.file('plain')
const encrypted = directory.file('plain.age')
const back = directory.file('back')
const passphrase = 'correct horse battery'
/** scrypt with 1 MiB. */
const quick = 10

/** age encrypts 64 KiB at a time. */
const chunk = 65_536
const bytesOf = (length: number) => new Uint8Array(length).map((_, index) => index * 31 + (index >> 8))

async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  const cause = await promise.then(() => undefined).catch((thrown) => thrown)
  if (!(cause instanceof Failure)) throw new Error(`no failure but ${cause}`)
  return cause
}

test.each([0, 1, chunk - 1, chunk, chunk + 1, 3 * chunk])(
  'a file of %d bytes is the same after decryption',
  async (length) => {
    writeFileSync(plain, bytesOf(length))
    await encryptFile(plain, encrypted, passphrase, quick)
    expect(readFileSync(encrypted, 'latin1')).toStartWith('age-encryption.org/v1\n-> scrypt ')
    expect(statSync(encrypted).mode & 0o777).toBe(0o600)
    await decryptFile(encrypted, back, passphrase)
    expect(readFileSync(back).equals(bytesOf(length))).toBe(true)
  },
)

describe('a file that cannot be opened', () => {
  let whole: Buffer
  beforeAll(async () => {
    writeFileSync(plain, bytesOf(2 * chunk + 100))
    await encryptFile(plain, encrypted, passphrase, quick)
    whole = readFileSync(encrypted)
  })

  async function refusalOf(bytes: Uint8Array, word = passphrase): Promise<Failure> {
    const changed = directory.file('changed.age')
    writeFileSync(changed, bytes)
    const failure = await failureOf(decryptFile(changed, directory.file('opened'), word))
    expect(readdirSync(directory.path).filter((name) => name.startsWith('opened'))).toEqual([])
    return failure
  }

  test('with another passphrase', async () => {
    const { kind, message } = await refusalOf(whole, 'incorrect horse battery')
    expect([kind, message]).toEqual([
      'data',
      `${directory.file('changed.age')} cannot be opened: the passphrase is wrong or the file is damaged`,
    ])
  })

  test('truncated anywhere, also between two chunks', async () => {
    const head = whole.length - (2 * chunk + 100 + 3 * 16)
    const between = [head, head + chunk + 16, head + 2 * (chunk + 16)]
    for (const length of [0, 1, 21, 60, head - 16, whole.length - 1, ...between]) {
      expect([length, (await refusalOf(whole.subarray(0, length))).kind]).toEqual([length, 'data'])
    }
    expect((await refusalOf(Buffer.concat([whole, new Uint8Array(1)]))).kind).toBe('data')
  })

  test('with any bit flipped', async () => {
    const position = fc.oneof(fc.nat(200), fc.nat(whole.length - 1))
    await fc.assert(
      fc.asyncProperty(position, fc.nat(7), async (at, bit) => {
        const changed = new Uint8Array(whole)
        changed[at] = (changed[at] ?? 0) ^ (1 << bit)
        expect((await refusalOf(changed)).kind).toBe('data')
      }),
      { numRuns: 60 },
    )
  })

  test('with a header that asks for too much memory, or one that never ends', async () => {
    const greedy = whole.toString('latin1').replace(/^(.*\n-> scrypt \S+) 10\n/, '$1 30\n')
    expect((await refusalOf(Buffer.from(greedy, 'latin1'))).message).toContain('memory')
    const endless = `age-encryption.org/v1\n-> scrypt ${'A'.repeat(5_000_000)}`
    expect((await refusalOf(Buffer.from(endless))).message).toContain('was not encrypted by age')
  })
})

/** A file that says something else each time it is read, like one on a faulty disk. */
const fickle = '/proc/sys/kernel/random/uuid'

test.skipIf(!existsSync(fickle))(
  'a backup that is not what was encrypted is not kept (promise 3)',
  async () => {
    const kept = mkdtempSync(join(directory.path, 'kept-'))
    const destination = encryptedDestination(directoryDestination(kept), async () => passphrase, quick)
    const name = 'kiroku-20260401T120000Z.tar.zst.age'
    const file = directory.file('fickle')
    symlinkSync(fickle, file)
    const { kind, message } = await failureOf(destination.put(name, file))
    expect([kind, message]).toEqual(['io', expect.stringContaining('does not contain what was written')])
    expect(readdirSync(kept)).toEqual([])
    expect(existsSync(`${file}.encrypted`)).toBe(false)
    await destination.put(name, plain)
    expect(readdirSync(kept)).toEqual([name])
  },
)

test('memory does not grow with the file', async () => {
  // The key takes 128 MiB, everything else some 70; the file would take 50 MB more, encrypted another 50 MB.
  const large = directory.file('large')
  const out = Bun.file(large).writer()
  for (let part = 0; part < 50; part += 1) {
    out.write(crypto.getRandomValues(new Uint8Array(chunk)).toHex().repeat(8).slice(0, 1_000_000))
    await out.flush()
  }
  await out.end()
  const script = join(import.meta.dir, '../../support/encrypt.ts')
  const child = Bun.spawn([process.execPath, script, large, `${large}.age`, `${large}.back`], {
    env: process.env,
  })
  const most = Number(await child.stdout.text())
  expect(most).toBeGreaterThan(128 * 1024)
  expect(most).toBeLessThan(230 * 1024)
  const { exitCode } = Bun.spawnSync(['cmp', large, `${large}.back`])
  expect(exitCode).toBe(0)
})

describe.skipIf(ageReason !== undefined)('the age command', () => {
  test('opens what kiroku encrypts, and creates what kiroku opens', async () => {
    writeFileSync(plain, bytesOf(2 * chunk + 1))
    await encryptFile(plain, encrypted, passphrase, quick)
    expect(await runAge(['--decrypt', '-o', directory.file('by-age'), encrypted], passphrase)).toBe(0)
    expect(readFileSync(directory.file('by-age')).equals(bytesOf(2 * chunk + 1))).toBe(true)
    const made = directory.file('made.age')
    expect(await runAge(['--passphrase', '-o', made, plain], passphrase)).toBe(0)
    await decryptFile(made, back, passphrase)
    expect(readFileSync(back).equals(bytesOf(2 * chunk + 1))).toBe(true)
  })

  test('does not open it with another passphrase', async () => {
    await encryptFile(plain, encrypted, passphrase, quick)
    expect(await runAge(['--decrypt', '-o', directory.file('not'), encrypted], 'incorrect horse')).not.toBe(0)
  })
})
