import { collectGarbage } from '../../lib/collect-garbage'

/**
 * Runs the garbage collector while `work` is running and the heap grows. On its own, JavaScriptCore lets the heap
 * grow by 40 MiB, of which 15 are in use. A collection takes 10 to 25 ms.
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
/** Growth of the heap in bytes. With 8 MiB the process grows by some 15 MiB more. */
const growth = 3 * 1024 * 1024

function createCollector(): () => void {
  let collected = process.memoryUsage().heapTotal
  return () => {
    if (process.memoryUsage().heapTotal < collected + growth) return
    collectGarbage()
    collected = process.memoryUsage().heapTotal
  }
}
