import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const pathIn = (directory: string): string => join(directory, 'server.url')

/** Publishes the server's address to other commands on the data directory, until `remove`. */
export function writeAddress(directory: string, baseUrl: string): { remove(): void } {
  const path = pathIn(directory)
  // Failing is no reason not to serve: without the file, other commands use the port of the settings in links.
  const ignored = (act: () => void) => {
    try {
      act()
    } catch {}
  }
  ignored(() => writeFileSync(path, baseUrl, { mode: 0o600 }))
  return { remove: () => ignored(() => rmSync(path, { force: true })) }
}

/** The address of the server on the data directory, even after it was killed; undefined once it has stopped. */
export function runningAddress(directory: string): string | undefined {
  try {
    return readFileSync(pathIn(directory), 'utf8')
  } catch {
    return undefined
  }
}
