import { collectGarbage, emptyCaches, shrinkHeap } from '../../lib/collect-garbage'
import type { Listener } from './listener'

/**
 * Collects garbage when requests become few, never under load: a collection takes 20 to 30 ms. Once the server has been
 * at rest, gives back what is kept for requests: caches, the memory of the database (`shrinkStore`), then the free part of the heap.
 */
export function watchMemory({ requestCount }: Pick<Listener, 'requestCount'>, shrinkStore: () => void): void {
  const giveBack = () => {
    emptyCaches()
    shrinkStore()
    shrinkHeap()
  }
  setInterval(collectAfterLoad(requestCount, collectGarbage), 1000).unref()
  setInterval(lookForRest(giveBack), 15_000).unref()
}

/** To be called once a second. Collects once after at least 200 requests, when fewer than 50 came in a second. */
export function collectAfterLoad(requestCount: () => number, collect: () => void): () => void {
  let last = requestCount()
  let atCollection = last
  return () => {
    const now = requestCount()
    const isLoaded = now - last >= 50
    last = now
    if (isLoaded || now - atCollection < 200) return
    atCollection = now
    collect()
  }
}

/** In microseconds of CPU time between two looks: what timers and a few requests take. */
const quiet = 300_000

/** To be called every 15 seconds. Calls `rest` once work was followed by 15 seconds without. */
export function lookForRest(rest: () => void): () => void {
  let before = process.cpuUsage()
  let isAtRest = true
  return () => {
    const { user, system } = process.cpuUsage(before)
    const isBusy = user + system > quiet
    if (!isBusy && !isAtRest) rest()
    isAtRest = !isBusy
    before = process.cpuUsage()
  }
}
