import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The path of a directory shared by all processes of a run of the suite. The first to ask fills it, while the
 * others wait.
 */
export async function madeOnce(name: string, fill: (path: string) => Promise<void>): Promise<string> {
  const path = join(shared, name)
  mkdirSync(shared, { recursive: true })
  while (!existsSync(path)) {
    if (!takesLock(`${path}.lock`)) await Bun.sleep(20)
    else if (!existsSync(path)) await make(path, fill)
  }
  return path
}

/** Set by scripts/test.ts, otherwise by test/setup.ts. */
const shared = process.env.KIROKU_TEST_SHARED ?? ''

function takesLock(lock: string): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch {
    return false
  }
}

async function make(path: string, fill: (path: string) => Promise<void>): Promise<void> {
  const part = `${path}.part`
  try {
    mkdirSync(part)
    await fill(part)
    renameSync(part, path)
  } finally {
    rmSync(part, { recursive: true, force: true })
    rmdirSync(`${path}.lock`)
  }
}
