import { StorageFault } from '../storage-fault'
import { hasCode, mainFileTick, sizeOf } from './main-file'

/**
 * Returns a check for a `damaged` fault: somebody emptied the main file or wrote something else, or an older
 * copy, into it, which leaves its inode unchanged. Takes 30 µs.
 */
export function watchMainFile(path: string): () => StorageFault | undefined {
  let newest = 0
  let longest = 0
  return () => {
    const size = sizeOf(path)
    if (size === 0) return overwritten(path, 'empty')
    try {
      const tick = mainFileTick(path)
      if (tick === undefined) return size < longest ? overwritten(path, 'cut off') : undefined
      if (tick < newest) return overwritten(path, 'older than it was')
      newest = tick
      longest = size
      return undefined
    } catch (cause) {
      return hasCode(cause, /^SQLITE_NOTADB/) ? overwritten(path, 'no database any more') : undefined
    }
  }
}

const overwritten = (path: string, what: string) =>
  new StorageFault('damaged', `${path} is ${what}: it was overwritten while in use. Nothing more is written`)
