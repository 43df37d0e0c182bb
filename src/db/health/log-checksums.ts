import { closeSync, openSync, readFileSync, readSync } from 'node:fs'

/**
 * The number of the first frame in a served database's log that differs from what SQLite wrote; undefined if
 * there is none, or if the main file has everything. SQLite itself compares checksums only during recovery.
 * https://sqlite.org/fileformat2.html#walformat, https://sqlite.org/walformat.html#the_wal_index_header
 */
export function firstBadFrame(path: string): number | undefined {
  const index = readIndex(path)
  if (index === undefined || index.backfilled >= index.frames) return undefined
  const bad = findBadFrame(`${path}-wal`, index)
  const after = readIndex(path)
  // If the log was restarted meanwhile, its frames were others.
  return after?.salts === index.salts && after.frames >= index.frames ? bad : undefined
}

interface LogIndex {
  readonly pageBytes: number
  readonly frames: number
  /** How many of them are also in the main file. */
  readonly backfilled: number
  readonly salts: bigint
}

/** From `-shm`, in this machine's byte order. Undefined if there is none, or while it is being written. */
function readIndex(path: string): LogIndex | undefined {
  const bytes = bytesOf(`${path}-shm`)
  if (bytes === undefined || bytes.length < 100) return undefined
  if (!bytes.subarray(0, 48).equals(bytes.subarray(48, 96))) return undefined
  return {
    pageBytes: bytes.readUInt16LE(14),
    frames: bytes.readUInt32LE(16),
    backfilled: bytes.readUInt32LE(96),
    salts: bytes.readBigUInt64LE(32),
  }
}

function bytesOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

const [headerBytes, frameHeaderBytes] = [32, 24]
const littleEndian = 0x377f0682

function findBadFrame(path: string, { pageBytes, frames, salts }: LogIndex): number | undefined {
  const file = openSync(path, 'r')
  try {
    const header = Buffer.alloc(headerBytes)
    readSync(file, header, 0, headerBytes, 0)
    // Logs from machines of another byte order have their checksums in it.
    if (header.readUInt32BE(0) !== littleEndian || pageBytes < 512) return undefined
    let sum = addTo([0, 0], wordsOf(header.subarray(0, 24)))
    const frame = Buffer.alloc(frameHeaderBytes + pageBytes)
    for (let number = 1; number <= frames; number++) {
      const at = headerBytes + (number - 1) * frame.length
      if (readSync(file, frame, 0, frame.length, at) < frame.length) return number
      sum = addTo(addTo(sum, wordsOf(frame.subarray(0, 8))), wordsOf(frame.subarray(frameHeaderBytes)))
      const isWritten = frame.readUInt32BE(16) === sum[0] && frame.readUInt32BE(20) === sum[1]
      if (!isWritten || frame.readBigUInt64LE(8) !== salts) return number
    }
    return undefined
  } finally {
    closeSync(file)
  }
}

type Sum = readonly [number, number]

const wordsOf = (bytes: Buffer) => new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)

function addTo([first, second]: Sum, words: Uint32Array): Sum {
  let [one, other] = [first, second]
  for (let at = 0; at < words.length; at += 2) {
    one = (one + (words[at] ?? 0) + other) >>> 0
    other = (other + (words[at + 1] ?? 0) + one) >>> 0
  }
  return [one, other]
}
