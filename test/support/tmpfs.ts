import { mkdirSync, rmSync, writeFileSync } from 'node:fs'

/** Why a test cannot have a small disk; undefined if it can. */
export const tmpfsReason: string | undefined = reason()
if (tmpfsReason !== undefined) console.warn(`tests of a full disk are skipped: ${tmpfsReason}`)

function reason(): string | undefined {
  if (process.platform !== 'linux') return 'they need Linux'
  if (process.geteuid?.() !== 0) return 'they need root'
  const probe = `/tmp/kiroku-tmpfs-${process.pid}`
  mkdirSync(probe)
  const mounted = mount(probe, 'size=64k')
  if (mounted === undefined) unmount(probe)
  rmSync(probe, { recursive: true })
  return mounted
}

/** Creates a small disk at a path; disposing removes it. */
export function emptyTmpfs(path: string, options: string): Disposable {
  mkdirSync(path)
  const failed = mount(path, options)
  if (failed !== undefined) throw new Error(failed)
  return { [Symbol.dispose]: () => unmount(path) }
}

/** Writes a file until the disk is full. */
export function fillUp(path: string): void {
  for (const size of [65_536, 4096, 1]) {
    try {
      for (;;) writeFileSync(path, new Uint8Array(size), { flag: 'a' })
    } catch (cause) {
      if (!(cause instanceof Error) || !cause.message.includes('ENOSPC')) throw cause
    }
  }
}

function mount(path: string, options: string): string | undefined {
  const { exitCode, stderr } = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', options, 'tmpfs', path])
  return exitCode === 0 ? undefined : stderr.toString().trim()
}

/** Immediately, even if somebody still has a file open there, such as a command started by a killed server. */
function unmount(path: string): void {
  Bun.spawnSync(['umount', '--lazy', path])
}
