import { dlopen, FFIType, ptr } from 'bun:ffi'
import { closeSync, mkdirSync, openSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Directory, temporaryDirectory } from './kiroku'

/** An ext4 file system in a file. What nobody flushed is gone after `cut`, as after a power cut. */
export interface CuttableDisk extends Disposable {
  readonly directory: Directory
  /** From now on everything on it fails. */
  cut(): void
  /** Mounts it again, as soon as no process uses it any more. */
  turnOn(): Promise<void>
}

/** Why there is none here. */
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
      // A check that the server began may take a moment to fail.
      for (let attempt = 0; Bun.spawnSync(['umount', path]).exitCode !== 0; attempt++) {
        if (attempt === 200) throw new Error(`something still uses ${path}`)
        await Bun.sleep(50)
      }
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

/** EXT4_IOC_SHUTDOWN of Linux without flushing the journal, as xfstests uses it. */
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
