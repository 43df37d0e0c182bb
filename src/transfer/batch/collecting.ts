import { collectGarbage } from '../../lib/collect-garbage'

/**
 * Collects garbage while `work` goes on and the heap grows. JavaScriptCore by itself lets it grow by 40 MiB first, of
 * which 15 are in use. A collection takes 10 to 25 ms.
 */
export async function collecting<T>(work: () => Promise<T>): Promise<T> {
  const timer = setInterval(createCollector(), lookMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

const lookMs = 10
/** In bytes of the heap. With 8 MiB the process grows by some 15 MiB more. */
const growth = 3 * 1024 * 1024

function createCollector(): () => void {
  let collected = process.memoryUsage().heapTotal
  return () => {
    if (process.memoryUsage().heapTotal < collected + growth) return
    collectGarbage()
    collected = process.memoryUsage().heapTotal
  }
}
