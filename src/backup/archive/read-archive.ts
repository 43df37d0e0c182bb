import { closeSync, openSync, writeSync } from 'node:fs'
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar'
import { Failure } from '../../lib/failure'
import { isImage } from '../images'
import { type Manifest, parseManifest } from '../manifest'

/** The path to write a file of the archive to; undefined to only read it. */
export type ExtractionPath = (name: string, bytes: number) => string | undefined

/**
 * Reads a whole archive and checks every file against its checksum. Memory does not grow with its size;
 * written files are not synced. Throws a `data` failure if it is damaged.
 */
export async function readArchive(path: string, place: ExtractionPath): Promise<Manifest> {
  const sums = new Map<string, string>()
  let [manifest, expected] = ['', '']
  try {
    for await (const entry of entriesOf(path)) {
      const { name } = entry.header
      if (sums.has(name) || expected !== '' || !isKnown(entry))
        throw new Failure('data', `it contains an unexpected ${name}`)
      const { sum, text } = await readEntry(entry, place(name, entry.header.size))
      if (name === 'SHA256SUMS') expected = text
      else sums.set(name, sum)
      if (name === 'manifest.json') manifest = text
    }
  } catch (cause) {
    throw damaged(cause)
  }
  refuseChanged(sums, expected)
  return parseManifest(manifest)
}

/** Reads only the beginning. Throws a `data` failure. */
export async function readManifest(path: string): Promise<Manifest> {
  try {
    for await (const entry of entriesOf(path)) {
      if (entry.header.name !== 'manifest.json') break
      return parseManifest((await readEntry(entry, undefined)).text)
    }
  } catch (cause) {
    throw damaged(cause)
  }
  throw new Failure('data', 'it does not begin with a manifest.json')
}

const entriesOf = (path: string): AsyncIterable<ParsedTarEntry> =>
  Bun.file(path)
    .stream()
    .pipeThrough(new DecompressionStream('zstd'))
    .pipeThrough(createTarDecoder({ strict: true }))

const isKnown = ({ header: { name, type, size } }: ParsedTarEntry) =>
  type === 'file' &&
  (name === 'kiroku.db' ||
    (/^(?:manifest\.json|SHA256SUMS)$/.test(name) && size <= mostTextBytes) ||
    (name.startsWith('images/') && isImage(name.slice('images/'.length))))

/** A line of SHA256SUMS takes about 110 bytes, so this is enough for 600,000 images. */
const mostTextBytes = 64 * 1024 * 1024

async function readEntry(entry: ParsedTarEntry, to: string | undefined) {
  const isText = /^(?:manifest\.json|SHA256SUMS)$/.test(entry.header.name)
  const hash = new Bun.CryptoHasher('sha256')
  const texts: Uint8Array[] = []
  const file = to === undefined ? undefined : openSync(to, 'wx', 0o600)
  try {
    for await (const chunk of entry.body) {
      hash.update(chunk)
      if (isText) texts.push(chunk)
      if (file !== undefined) for (let at = 0; at < chunk.length; ) at += writeSync(file, chunk, at)
    }
  } finally {
    if (file !== undefined) closeSync(file)
  }
  return { sum: hash.digest('hex'), text: Buffer.concat(texts).toString('utf8') }
}

function refuseChanged(sums: ReadonlyMap<string, string>, expected: string): void {
  const lines = new Map(
    expected.split('\n').map((line): [string, string] => [line.slice(66), line.slice(0, 64)]),
  )
  lines.delete('')
  const changed = [...sums].find(([name, sum]) => lines.get(name) !== sum)
  if (changed !== undefined) throw new Failure('data', `${changed[0]} in it does not match its checksum`)
  const missing = ['manifest.json', 'kiroku.db', ...lines.keys()].find((name) => !sums.has(name))
  if (missing !== undefined) throw new Failure('data', `${missing} is missing from it`)
}

/** Errors from the file system and from kiroku keep their own messages. */
function damaged(cause: unknown): unknown {
  if (cause instanceof Failure || (cause instanceof Error && 'syscall' in cause)) return cause
  const why = cause instanceof Error ? cause.message : String(cause)
  return new Failure('data', `it cannot be read completely: ${why}`)
}
