import { serviceUnavailable } from '../../http/errors'

/** Operations that run at once, of all users and of one; more wait, up to a limit (promise 12). */
const most = { running: 8, runningOfOne: 2, waiting: 500 }

const running = new Map<number, number>()
let runningInAll = 0
const waiting: { readonly userId: number; readonly start: () => void }[] = []

/** Runs an operation, after others of the same user. Throws service_unavailable if too many are waiting. */
export async function inTurn<T>(userId: number, work: () => Promise<T>): Promise<T> {
  if (mayRun(userId)) add(userId, 1)
  else if (waiting.length >= most.waiting)
    throw serviceUnavailable('Too many GraphQL operations are being run at once.')
  else await new Promise<void>((start) => waiting.push({ userId, start }))
  try {
    return await work()
  } finally {
    add(userId, -1)
    startNext()
  }
}

const mayRun = (userId: number): boolean =>
  runningInAll < most.running && (running.get(userId) ?? 0) < most.runningOfOne

function add(userId: number, change: 1 | -1): void {
  runningInAll += change
  const count = (running.get(userId) ?? 0) + change
  if (count === 0) running.delete(userId)
  else running.set(userId, count)
}

function startNext(): void {
  const index = waiting.findIndex(({ userId }) => mayRun(userId))
  const [next] = index < 0 ? [] : waiting.splice(index, 1)
  if (next === undefined) return
  add(next.userId, 1)
  next.start()
}
