import { statSync } from 'node:fs'
import { StorageFault } from './storage-fault'

/**
 * Remembers which files a database consists of at this moment. Returns a look at whether they are still there under
 * their names: a `moved` fault where one was moved, deleted or replaced, undefined while all is well. What is written to
 * a file that has lost its name is found by nobody. The database itself is looked at each time, which takes about 2 µs,
 * its log and the log's index once a second.
 */
export function watchOpenedFiles(path: string): () => StorageFault | undefined {
  const database = rememberFile(path)
  const others = [rememberFile(`${path}-wal`), rememberFile(`${path}-shm`)]
  let found: StorageFault | undefined
  let lookedAt = performance.now()
  return () => {
    const now = performance.now()
    if (found !== undefined || now - lookedAt >= 1000) {
      found = others.map((look) => look()).find((fault) => fault !== undefined)
      lookedAt = now
    }
    return database() ?? found
  }
}

function rememberFile(name: string): () => StorageFault | undefined {
  let opened = identityOf(name)
  return () => {
    const file = identityOf(name)
    // SQLite makes the log and its index when it first needs them.
    opened ??= file
    return file?.dev === opened?.dev && file?.ino === opened?.ino
      ? undefined
      : moved(name, file === undefined ? 'no longer there' : 'another file now')
  }
}

/** Device and inode, which a file keeps for as long as it exists; undefined where there is none or none can be seen. */
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
