import { collectGarbage } from '../../lib/collect-garbage'

/**
 * Collects garbage while the process is large and growing. JavaScriptCore lets the heap grow with the machine's
 * memory: in a flood of distinct requests it gains up to 80 MB a second (promise 12). A collection takes 20 to 30 ms.
 */
export function watchMemory(): void {
  let collectedAt = 0
  const look = () => {
    const size = process.memoryUsage.rss()
    if (size >= Math.max(large, collectedAt + growth)) {
      collectGarbage()
      collectedAt = process.memoryUsage.rss()
    }
    setTimeout(look, size < large ? 1000 : 100).unref()
  }
  setTimeout(look, 1000).unref()
}

/** In bytes. With the default catalogue a server uses about 110 MB, with full caches about 150 MB. */
const large = 130_000_000
const growth = 8_000_000
