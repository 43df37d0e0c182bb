import {
  closeSync,
  fdatasyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { forgetLastCheck } from './last-check'

/** How far the database of a data directory has come, stored outside it. */
export interface HighWater {
  /** `instance_id` in the table `instance`. */
  readonly instance: string
  /** Tick of the newest commit, at most a second behind; see `CommitTicks`. */
  readonly tick: number
  /** Tick in the main file on disk, not counting its write-ahead log. */
  readonly checkpointed: number
  /** When that was, ISO 8601; never earlier than before, whatever the clock is set to (`WallClock`). */
  readonly at: string
}

export const highWaterPath = (directory: string) => join(directory, 'high-water.json')

/** Undefined if there is none, or if the file is truncated or of another kind. */
export function readHighWater(directory: string): HighWater | undefined {
  try {
    const read: unknown = JSON.parse(readFileSync(highWaterPath(directory), 'utf8'))
    return isHighWater(read) ? read : undefined
  } catch {
    return undefined
  }
}

/** Atomic: leaves either the old file or the new one. */
export function writeHighWater(directory: string, mark: HighWater): void {
  const partial = partialOf(directory)
  const descriptor = openSync(partial, 'w', 0o600)
  try {
    writeSync(descriptor, textOf(mark))
    fdatasyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(partial, highWaterPath(directory))
}

export async function writeHighWaterLater(directory: string, mark: HighWater): Promise<void> {
  const partial = partialOf(directory)
  const file = await open(partial, 'w', 0o600)
  try {
    await file.writeFile(textOf(mark))
    await file.datasync()
  } finally {
    await file.close()
  }
  await rename(partial, highWaterPath(directory))
}

/** For callers that replace the database on purpose: the next start accepts what it finds. */
export function forgetHighWater(directory: string): void {
  rmSync(highWaterPath(directory), { force: true })
  forgetLastCheck(directory)
}

/** Removes what killed processes left. The caller holds the process lock. */
export function removePartialHighWater(directory: string): void {
  const partial = /^high-water\.json\.\d+\.partial$/
  for (const name of readdirSync(directory).filter((name) => partial.test(name)))
    rmSync(join(directory, name), { force: true })
}

/** Named by process, as several write it. */
const partialOf = (directory: string) => `${highWaterPath(directory)}.${process.pid}.partial`

const textOf = (mark: HighWater) => `${JSON.stringify(mark)}\n`

function isHighWater(read: unknown): read is HighWater {
  if (typeof read !== 'object' || read === null) return false
  const { instance, tick, checkpointed, at } = read as Partial<Record<keyof HighWater, unknown>>
  return (
    typeof instance === 'string' &&
    Number.isInteger(tick) &&
    Number.isInteger(checkpointed) &&
    typeof at === 'string'
  )
}
