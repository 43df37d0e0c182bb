import { dlopen, FFIType, ptr } from 'bun:ffi'
import { closeSync, mkdirSync, openSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Directory, temporaryDirectory } from './kiroku'
import { until } from './until'

/** An ext4 file system in a file. Unflushed data is lost on `cut`, as in a power cut. */
export interface CuttableDisk extends Disposable {
  readonly directory: Directory
  /** From then on, all access to it fails. */
  cut(): void
  /** Mounts it again, once no process uses it any more. */
  turnOn(): Promise<void>
}

/** Why there cannot be one here. */
export const cuttableDiskReason: string | undefined = reason()
if (cuttableDiskReason !== undefined)
  console.warn(`tests that cut the power are skipped: ${cuttableDiskReason}`)

export function cuttableDisk(): CuttableDisk {
  const place = temporaryDirectory()
  const [image, path] = [place.file('image'), place.file('disk')]
  writeFileSync(image, '')
  truncateSync(image, 256 * 1024 * 1024)
  mkdirSync(path)
  must('mkfs.ext4', '-q', '-F', image)
  const mount = () => must('mount', '-o', 'loop', image, path)
  mount()
  return {
    directory: { path, file: (name) => join(path, name), [Symbol.dispose]: () => {} },
    cut: () => shutDown(path),
    turnOn: async () => {
      // A check started by the server may take a moment to fail.
      await until(() => Bun.spawnSync(['umount', path]).exitCode === 0, 50)
      mount()
    },
    [Symbol.dispose]: () => {
      must('umount', '--lazy', path)
      place[Symbol.dispose]()
    },
  }
}

function must(...words: readonly string[]): void {
  const { success, stderr } = Bun.spawnSync([...words])
  if (!success) throw new Error(`${words.join(' ')}: ${stderr}`)
}

/** Linux's EXT4_IOC_SHUTDOWN without flushing the journal, as xfstests uses it. */
function shutDown(path: string): void {
  const libc = dlopen('libc.so.6', {
    ioctl: { args: [FFIType.int, FFIType.u64, FFIType.ptr], returns: FFIType.int },
  })
  const descriptor = openSync(path, 'r')
  try {
    if (libc.symbols.ioctl(descriptor, 0x8004587dn, ptr(new Uint32Array([2]))) !== 0)
      throw new Error('the file system cannot be shut down')
  } finally {
    closeSync(descriptor)
    libc.close()
  }
}

function reason(): string | undefined {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0) return 'they need root on Linux'
  try {
    using disk = cuttableDisk()
    disk.cut()
    return undefined
  } catch (cause) {
    return String(cause)
  }
}
