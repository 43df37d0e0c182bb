import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const pathIn = (directory: string): string => join(directory, 'server.url')

/** Tells other commands on the data directory where the server is reached, until `remove`. */
export function writeAddress(directory: string, baseUrl: string): { remove(): void } {
  const path = pathIn(directory)
  // Without it links of other commands have the port of the settings; no reason not to serve.
  const ignored = (act: () => void) => {
    try {
      act()
    } catch {}
  }
  ignored(() => writeFileSync(path, baseUrl, { mode: 0o600 }))
  return { remove: () => ignored(() => rmSync(path, { force: true })) }
}

/** Where the server on the data directory is reached, or was until it was killed; undefined after it stopped. */
export function runningAddress(directory: string): string | undefined {
  try {
    return readFileSync(pathIn(directory), 'utf8')
  } catch {
    return undefined
  }
}
