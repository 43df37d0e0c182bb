/**
 * Collects garbage while the process is large and growing. JavaScriptCore lets a heap grow with the memory of the machine,
 * so a flood of distinct requests leaves 20 to 30 MB more on a large one than the server needs (promise 12). A collection
 * takes 20 to 30 ms.
 */
export function watchMemory(): void {
  let collectedAt = 0
  const look = () => {
    const size = process.memoryUsage.rss()
    if (size < Math.max(large, collectedAt + growth)) return
    Bun.gc(true)
    collectedAt = process.memoryUsage.rss()
  }
  setInterval(look, 1000).unref()
}

/** In bytes. A server with the default catalogue has about 110 MB in memory, with its caches full about 150. */
const large = 160_000_000
const growth = 8_000_000
