import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const pathIn = (directory: string): string => join(directory, 'server.url')

export interface ServerAddress {
  /** Of links: perhaps that of a proxy. */
  readonly baseUrl: string
  /** On this machine; undefined as long as the system has not chosen the port. */
  readonly local: string | undefined
}

/** Publishes the server's address to other commands on the data directory, until `remove`. */
export function writeAddress(directory: string, { baseUrl, local = '' }: ServerAddress): { remove(): void } {
  const path = pathIn(directory)
  // Failing is no reason not to serve: without the file, other commands use the port of the settings in links.
  const ignored = (act: () => void) => {
    try {
      act()
    } catch {}
  }
  ignored(() => writeFileSync(path, `${baseUrl}\n${local}`, { mode: 0o600 }))
  return { remove: () => ignored(() => rmSync(path, { force: true })) }
}

/** That of the server on the data directory, even after it was killed; undefined once it has stopped. */
export function runningAddress(directory: string): ServerAddress | undefined {
  try {
    const [baseUrl = '', local] = readFileSync(pathIn(directory), 'utf8').split('\n')
    return { baseUrl, local: local || undefined }
  } catch {
    return undefined
  }
}
