import { existsSync, rmSync, statfsSync, statSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { StorageFault } from '../storage-fault'

/** In bytes. With less free space, nothing is written (promise 5). */
export const leastFreeBytes = 32 * 1024 * 1024

export const ballastBytes = 16 * 1024 * 1024

/** How much more than `leastFreeBytes` is needed before writes resume, so that they do not flap. */
const hysteresisBytes = 16 * 1024 * 1024

export const ballastPath = (directory: string) => join(directory, 'ballast')

/** Free space on a directory's disk: read-only below 32 MiB, until 16 MiB more than that and the ballast are free. */
export class Room {
  readonly #directory: string
  /** How often the space became too low. */
  timesLow = 0
  #lookedAt = Number.NEGATIVE_INFINITY
  #isLow = false
  #filling: Promise<void> | undefined

  constructor(directory: string) {
    this.#directory = directory
  }

  /** In bytes; 0 if the directory is gone. */
  freeBytes(): number {
    try {
      const { bavail, bsize } = statfsSync(this.#directory)
      return bavail * bsize
    } catch {
      return 0
    }
  }

  /** Checks the disk, which takes 2 µs. */
  findFault(): StorageFault | undefined {
    this.#lookedAt = performance.now()
    const wasLow = this.#isLow
    this.#isLow = this.#isThere() && this.freeBytes() < (wasLow ? this.#bytesToGoOn() : leastFreeBytes)
    if (this.#isLow && !wasLow) this.timesLow++
    return this.#isLow ? tooLittle(this.#directory) : undefined
  }

  /** For every write: checks the disk at most four times a second. */
  recentFault(): StorageFault | undefined {
    if (performance.now() - this.#lookedAt >= 250) return this.findFault()
    return this.#isLow ? tooLittle(this.#directory) : undefined
  }

  hasBallast(): boolean {
    return statSync(ballastPath(this.#directory), { throwIfNoEntry: false })?.size === ballastBytes
  }

  /** Does nothing without enough space. Random bytes, since some filesystems allocate no blocks for zeros. */
  async makeBallast(): Promise<void> {
    if (this.hasBallast() || this.freeBytes() < this.#bytesToGoOn()) return
    this.#filling ??= fill(ballastPath(this.#directory)).finally(() => {
      this.#filling = undefined
    })
    await this.#filling
  }

  /** Gives SQLite the space to copy its log into the database. */
  dropBallast(): void {
    rmSync(ballastPath(this.#directory), { force: true })
  }

  /** A directory that was moved or deleted is a different fault. */
  #isThere(): boolean {
    return existsSync(this.#directory)
  }

  #bytesToGoOn(): number {
    return leastFreeBytes + hysteresisBytes + (this.hasBallast() ? 0 : ballastBytes)
  }
}

/** Never rejects: if there is no space, there is no ballast. */
async function fill(path: string): Promise<void> {
  const partial = `${path}.partial`
  try {
    await writeRandom(partial)
    await rename(partial, path)
  } catch {
    await rm(partial, { force: true })
  }
}

async function writeRandom(path: string): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    for (let written = 0; written < ballastBytes; written += pieceBytes)
      await file.write(crypto.getRandomValues(new Uint8Array(pieceBytes)))
    await file.datasync()
  } finally {
    await file.close()
  }
}

const pieceBytes = 65_536

const tooLittle = (directory: string) =>
  new StorageFault(
    'disk_full',
    `less than 32 MB are free on the disk of ${directory}: nothing is written until there is room`,
  )
