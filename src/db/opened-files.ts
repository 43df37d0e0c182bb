import { statSync } from 'node:fs'
import { StorageFault } from './storage-fault'

/**
 * Returns a check for a `moved` fault: a file of the database was moved, deleted or replaced, so that writes
 * would be lost. Checks the database each time (about 2 µs), -wal and -shm once a second.
 */
export function watchOpenedFiles(path: string): () => StorageFault | undefined {
  const database = rememberFile(path)
  const others = [rememberFile(`${path}-wal`), rememberFile(`${path}-shm`)]
  let found: StorageFault | undefined
  let checkedAt = performance.now()
  return () => {
    const now = performance.now()
    if (found !== undefined || now - checkedAt >= 1000) {
      found = others.map((look) => look()).find((fault) => fault !== undefined)
      checkedAt = now
    }
    return database() ?? found
  }
}

function rememberFile(name: string): () => StorageFault | undefined {
  let opened = identityOf(name)
  return () => {
    const file = identityOf(name)
    // SQLite creates -wal and -shm on first use.
    opened ??= file
    return file?.dev === opened?.dev && file?.ino === opened?.ino
      ? undefined
      : moved(name, file === undefined ? 'no longer there' : 'another file now')
  }
}

function identityOf(name: string): { readonly dev: bigint; readonly ino: bigint } | undefined {
  try {
    return statSync(name, { throwIfNoEntry: false, bigint: true })
  } catch {
    return undefined
  }
}

const moved = (name: string, what: string) =>
  new StorageFault(
    'moved',
    `${name} is ${what}: it was moved, deleted or replaced while in use. Nothing more is written. ` +
      'Put it back, or stop the server and start it again',
  )
