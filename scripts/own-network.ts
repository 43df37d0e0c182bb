import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/**
 * The prefix for a command that runs it, and everything it starts, in a network with nothing but this machine (`unshare`
 * of util-linux): no packet leaves, and it exits with 1 if anything tried to reach another machine. Empty if such a
 * network cannot be created, which is an error in CI.
 */
export function ownNetwork(): readonly string[] {
  const resolver = resolve('dist/resolv.conf')
  mkdirSync(dirname(resolver), { recursive: true })
  writeFileSync(resolver, 'nameserver 127.0.0.1\n')
  const asRoot = process.getuid?.() === 0 ? [] : ['--map-root-user']
  const enter = ['unshare', '--net', '--mount', ...asRoot, 'sh', '-euc', setUp, resolver]
  const problem = problemOf([...enter, 'true'])
  if (problem === undefined) return [...enter, 'bun', join(import.meta.dir, 'watch-contacts.ts')]
  console.error(`what tests start can reach other machines: ${problem}`)
  if (process.env.CI) process.exit(1)
  return []
}

const setUp = 'ip link set lo up; mount --bind "$0" /etc/resolv.conf; exec "$@"'

function problemOf(words: readonly string[]): string | undefined {
  try {
    const { success, stderr } = Bun.spawnSync([...words])
    return success ? undefined : stderr.toString().trim()
  } catch (cause) {
    return String(cause)
  }
}
