import { networkOf } from '../lib/network'
import { ApiError } from './errors'

/** Where a body counts: what some send never uses up the memory for others (promise 12). */
export type BodyPool = 'strangers' | 'members' | 'api' | 'uploads'

export interface Sender {
  readonly pool: BodyPool
  /** A user, or the network of an address. */
  readonly key: string
}

/** Everybody behind an address, or the /64 of an IPv6 one, shares what a stranger may use. */
export const strangerAt = (address: string): Sender => ({ pool: 'strangers', key: networkOf(address) })

const KiB = 1024
const MiB = 1024 * KiB

interface PoolRules {
  readonly capacity: number
  /** The most that one sender's bodies may use. */
  readonly share: number
  /** What each body uses from its beginning: the request, and the first bytes of the body. */
  readonly base: number
}

/** Bytes. An upload goes to the disk piece by piece, and uses the memory for pieces that wait for it. */
const pools: Readonly<Record<BodyPool, PoolRules>> = {
  strangers: { capacity: 8 * MiB, share: MiB, base: 16 * KiB },
  members: { capacity: 12 * MiB, share: 6 * MiB, base: 16 * KiB },
  api: { capacity: 16 * MiB, share: 6 * MiB, base: 16 * KiB },
  uploads: { capacity: 8 * MiB, share: 2 * MiB, base: MiB },
}

/** In bytes, as declared: larger bodies, and those that declare no length, are counted while they arrive. */
export const smallBody = 16 * KiB

/** A body must arrive at 1 KiB/s on average; the first 16 s are free, for slow starts and gaps. */
const leastRate = KiB
const headStart = 16 * KiB

/** A body that is being received or used; `arrived` and `whole` are told by whoever reads it. */
export class BodyInFlight {
  /** Rejects once the body is cut off; whoever reads it must stop. */
  readonly stopped: Promise<never>
  readonly reject: (cause: ApiError) => void
  bytes = 0
  seconds = 0
  reserved = 0
  isWhole = false
  isStopped = false

  constructor(readonly sender: Sender) {
    const { promise, reject } = Promise.withResolvers<never>()
    promise.catch(() => {})
    this.stopped = promise
    this.reject = reject
  }

  arrived(bytes: number): void {
    this.bytes += bytes
    if (this.sender.pool !== 'uploads') reserve(this, bytes)
  }

  whole(): void {
    this.isWhole = true
  }
}

const bodies = new Map<Request, BodyInFlight>()
const used: Record<BodyPool, number> = { strangers: 0, members: 0, api: 0, uploads: 0 }
const usedBySender = new Map<string, number>()
let timer: ReturnType<typeof setInterval> | undefined

/** Reserved bytes. */
export const bodiesInFlight = (): Readonly<Record<BodyPool, number>> => used

/**
 * Begins to receive a body; call `releaseBody` when the request is answered. A new body is always let in: when its
 * pool or its sender's share is full, the slowest of those that have not arrived is cut off, so that nobody can keep
 * others out with bodies that never end. That is the body itself if all others have arrived.
 */
export function receiveBody(request: Request, sender: Sender): BodyInFlight {
  const body = new BodyInFlight(sender)
  bodies.set(request, body)
  reserve(body, pools[sender.pool].base)
  timer ??= setInterval(cutOffSlowBodies, 1000).unref()
  return body
}

export function releaseBody(request: Request): void {
  const body = bodies.get(request)
  if (body === undefined) return
  bodies.delete(request)
  giveBack(body)
}

/** Called once a second. Counts calls, not time: while the server is busy, nobody is late. */
export function cutOffSlowBodies(): void {
  for (const body of bodies.values()) {
    if (body.isWhole || body.isStopped) continue
    body.seconds += 1
    if (rateOf(body) < leastRate) cutOff(body, tooSlow())
  }
  if (bodies.size > 0) return
  clearInterval(timer)
  timer = undefined
}

/** A body that has just begun counts as faster than one that has been silent for a while. */
const rateOf = ({ bytes, seconds }: BodyInFlight) => (bytes + headStart) / (seconds + 1)

const senderKey = ({ pool, key }: Sender) => `${pool} ${key}`

function reserve(body: BodyInFlight, bytes: number): void {
  if (body.isStopped) return
  const { pool } = body.sender
  const { capacity, share } = pools[pool]
  const key = senderKey(body.sender)
  body.reserved += bytes
  used[pool] += bytes
  usedBySender.set(key, (usedBySender.get(key) ?? 0) + bytes)
  while ((usedBySender.get(key) ?? 0) > share)
    cutOff(slowest(body, ({ sender }) => senderKey(sender) === key) ?? body, tooMany())
  while (used[pool] > capacity) cutOff(slowest(body, ({ sender }) => sender.pool === pool) ?? body, tooMany())
}

/** The oldest of equals. A body of which nothing has arrived is spared, since all others have had their time. */
function slowest(body: BodyInFlight, isRival: (other: BodyInFlight) => boolean): BodyInFlight | undefined {
  let found = body.bytes === 0 ? undefined : body
  for (const other of bodies.values())
    if (other !== body && !other.isWhole && !other.isStopped && isRival(other))
      if (found === undefined || rateOf(other) < rateOf(found)) found = other
  return found
}

function cutOff(body: BodyInFlight, cause: ApiError): void {
  giveBack(body)
  body.isStopped = true
  body.reject(cause)
}

function giveBack(body: BodyInFlight): void {
  const key = senderKey(body.sender)
  const left = (usedBySender.get(key) ?? 0) - body.reserved
  if (left > 0) usedBySender.set(key, left)
  else usedBySender.delete(key)
  used[body.sender.pool] -= body.reserved
  body.reserved = 0
}

/** Otherwise Bun would go on receiving the body, up to its declared length. */
const closing = { Connection: 'close' }

const tooMany = () =>
  new ApiError('service_unavailable', ['Too many request bodies are being received at once.'], {
    ...closing,
    'Retry-After': '5',
  })

const tooSlow = () =>
  new ApiError(
    'invalid_params',
    ['The body arrives too slowly: it must arrive at 1 KiB/s or faster.'],
    closing,
  )
