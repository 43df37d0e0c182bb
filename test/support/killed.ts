import { existsSync } from 'node:fs'
import { type Directory, type Ended, run } from './kiroku'

const strace = '/usr/bin/strace'

/** Why commands cannot be killed at a step; undefined if they can. */
export const straceReason: string | undefined = reason()
if (straceReason !== undefined)
  console.warn(`tests that kill a command at each step are skipped: ${straceReason}`)

function reason(): string | undefined {
  if (!existsSync(strace)) return 'they need strace'
  const { exitCode, stderr } = Bun.spawnSync([strace, '-o', '/dev/null', 'true'])
  return exitCode === 0 ? undefined : stderr.toString().trim()
}

/** System calls that change names in the file system, and the flushes between them. */
const steps = 'rename,renameat,renameat2,mkdir,rmdir,unlink,unlinkat,link,linkat,fsync,fdatasync'

/** Runs a command that is killed by SIGKILL when it starts its nth step. */
export const runKilledAt = (directory: Directory, step: number, args: readonly string[]): Promise<Ended> =>
  run(directory, args, {
    through: [
      ...[strace, '-f', '-qq', '-o', '/dev/null', '-e', `trace=${steps}`],
      ...['-e', `inject=${steps}:signal=SIGKILL:when=${step}`],
    ],
  })

/** For `through` in `Surroundings`: SIGKILL when the nth write to a file, or its nth flush, starts. */
export const killedInFile = (path: string, call: 'pwrite64' | 'fsync', nth: number): readonly string[] => [
  ...[strace, '-f', '-qq', '-o', '/dev/null', '-P', path, '-e', `trace=${call}`],
  ...['-e', `inject=${call}:signal=SIGKILL:when=${nth}`],
]
