/** The queue is full; try again later. */
export class PicturesBusy extends Error {}

/** A picture of 40 million pixels takes 160 MB to decode: one at a time, and 8 in the queue (promise 12). */
export async function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  if (waiting.length >= 8) throw new PicturesBusy('too many pictures are being read')
  if (isWorking) await new Promise<void>((resolve) => waiting.push(resolve))
  isWorking = true
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next === undefined) isWorking = false
    else next()
  }
}

// Module state, not a dependency: the limit protects the memory of the whole process.
let isWorking = false
const waiting: (() => void)[] = []
