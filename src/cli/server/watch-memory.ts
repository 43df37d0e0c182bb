import { collectGarbage, shrinkHeap } from '../../lib/collect-garbage'

/**
 * Collects garbage while the process is large and growing. JavaScriptCore lets the heap grow with the machine's memory: a
 * flood of distinct requests adds up to 80 MB a second (promise 12). A collection takes 20 to 30 ms.
 */
export function watchMemory(letGo: () => void): void {
  watchRest(letGo)
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

/** In bytes. A server uses about 110 MB with the default catalogue, about 150 MB with full caches. */
const large = 130_000_000
const growth = 8_000_000

/** Once the server has been at rest, gives back what it keeps for requests: `letGo`, then the free part of the heap. */
function watchRest(letGo: () => void): void {
  let before = process.cpuUsage()
  let isAtRest = true
  const look = () => {
    const { user, system } = process.cpuUsage(before)
    const isBusy = user + system > quiet
    if (!isBusy && !isAtRest) {
      letGo()
      shrinkHeap()
    }
    isAtRest = !isBusy
    before = process.cpuUsage()
  }
  setInterval(look, lookForRestMs).unref()
}

const lookForRestMs = 15_000
/** In microseconds of CPU time between two looks: what timers and a few requests take. */
const quiet = 300_000
