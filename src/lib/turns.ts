import { addWork } from './current-request'

/** The longest stretch of work without a pause, during which other requests wait. */
const sliceMs = 15

let workingSince: number | undefined
const waiting: (() => void)[] = []

/** Long work calls this between its pieces: waits for a turn of its own if this turn of the event loop was long. */
export const pauseIfLong = (): Promise<void> | undefined => (isLong() ? ownTurn() : undefined)

/** Resolves in a turn of the event loop of its own, in the order of calls; requests are received before it. */
export function ownTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(startNext)
  })
}

let last: Promise<unknown> = Promise.resolve()

/** Runs a piece of long work after those of others, with a pause where needed, and counts it for the current request. */
export function pieceOfWork<T>(piece: () => Promise<T>): Promise<T> {
  const result = last.then(async () => {
    await pauseIfLong()
    const begunAt = threadMs()
    try {
      return await piece()
    } finally {
      addWork(threadMs() - begunAt)
    }
  })
  last = result.catch(() => {})
  return result
}

/** CPU time of this thread only, which a busy machine does not change. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** All requests count: many that work a little at once are as long as one that works much. */
function isLong(): boolean {
  const now = performance.now()
  if (workingSince === undefined) startTurn(now)
  return now - (workingSince ?? now) >= sliceMs
}

function startTurn(now: number): void {
  workingSince = now
  setImmediate(() => {
    workingSince = undefined
  })
}

function startNext(): void {
  startTurn(performance.now())
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(startNext)
}
