import { setTimeout } from 'node:timers/promises'
import { forThisRequest } from '../lib/current-request'
import type { Log } from '../log'

export interface Letter {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly headers?: Readonly<Record<string, string>>
  /** Called when the mail server has taken it. */
  delivered?(): void
}

/** Callers never wait, so no response reveals how long delivery takes or whether it succeeds. */
export interface Mail {
  /** `write` runs when the letter's turn comes, and returns undefined if there is nothing to send. */
  send(write: WriteLetter): void
  /** Resolves when the queue is empty; some letters may still be waiting for a retry. */
  idle(): Promise<void>
  /** Tries all waiting letters once more, then resolves. */
  finish(): Promise<void>
  waiting(): { readonly fresh: number; readonly retries: number }
}

type WriteLetter = () => Promise<Letter | undefined>

export type Deliver = (letter: Letter) => Promise<void>

/** Ends early when the signal is aborted. */
export type Pause = (milliseconds: number, signal: AbortSignal) => Promise<void>

/** Back-off before each retry, in milliseconds: greylisting servers accept after minutes. */
const pauses = [60_000, 300_000, 900_000]

const maxQueued = 200

/** New letters go before retries, so that a temporary refusal does not block them. Both queues are bounded. */
export function createMail(deliver: Deliver, log: Log, pause: Pause = sleep): Mail {
  const ending = new AbortController()
  const fresh: Delivery[] = []
  const retries = createRetries(log, (wait, signal) => pause(wait, AbortSignal.any([ending.signal, signal])))
  const queue = createQueue(
    () => fresh.shift() ?? retries.takeDue(),
    async (delivery) => {
      const wait = await delivery.attempt(ending.signal.aborted ? undefined : pauses[delivery.tries])
      delivery.tries += 1
      if (wait !== undefined) retries.add(delivery, wait, queue.wake)
    },
  )
  return {
    send: (write) => {
      if (fresh.length + (queue.isRunning() ? 1 : 0) >= maxQueued)
        return log('mail', { outcome: 'dropped', why: 'too many e-mails are queued' })
      fresh.push({ attempt: forThisRequest(createAttempt(write, deliver, log)), tries: 0 })
      queue.wake()
    },
    idle: queue.idle,
    waiting: () => ({ fresh: fresh.length + (queue.isRunning() ? 1 : 0), retries: retries.count() }),
    finish: async () => {
      ending.abort()
      do {
        await queue.idle()
        await retries.paused()
      } while (queue.isRunning())
    },
  }
}

interface Delivery {
  /** Returns `wait` if a retry may help. */
  attempt(wait: number | undefined): Promise<number | undefined>
  tries: number
}

interface Retry {
  readonly delivery: Delivery
  readonly givenUp: AbortController
  isDue: boolean
}

const maxRetries = 200

/** Letters waiting for a retry. When full, the oldest is dropped. */
function createRetries(log: Log, pause: (wait: number, givenUp: AbortSignal) => Promise<void>) {
  const retries = new Set<Retry>()
  const pausing = new Set<Promise<void>>()

  const dropOldest = () => {
    const [oldest] = retries
    if (retries.size < maxRetries || oldest === undefined) return
    retries.delete(oldest)
    oldest.givenUp.abort()
    log('mail', { outcome: 'dropped', why: 'too many e-mails are waiting for a retry' })
  }

  return {
    add(delivery: Delivery, wait: number, wake: () => void): void {
      dropOldest()
      const retry: Retry = { delivery, givenUp: new AbortController(), isDue: false }
      retries.add(retry)
      const paused = pause(wait, retry.givenUp.signal).then(() => {
        pausing.delete(paused)
        retry.isDue = true
        if (retries.has(retry)) wake()
      })
      pausing.add(paused)
    },
    count: () => retries.size,
    takeDue(): Delivery | undefined {
      const due = [...retries].find(({ isDue }) => isDue)
      if (due !== undefined) retries.delete(due)
      return due?.delivery
    },
    /** Resolves when all letters waiting now are due. */
    paused: async () => void (await Promise.all(pausing)),
  }
}

function createQueue<T>(next: () => T | undefined, take: (item: T) => Promise<void>) {
  let running: Promise<void> | undefined
  const run = async () => {
    for (let item = next(); item !== undefined; item = next()) await take(item)
    running = undefined
  }
  return {
    wake: () => {
      running ??= run()
    },
    idle: async () => running,
    isRunning: () => running !== undefined,
  }
}

const sleep: Pause = (milliseconds, signal) =>
  setTimeout(milliseconds, undefined, { signal, ref: false }).catch(() => {})

/** Writes the letter once. An attempt returns `wait` if a retry may help. */
function createAttempt(write: WriteLetter, deliver: Deliver, log: Log) {
  let written: ReturnType<WriteLetter> | undefined
  return async (wait: number | undefined): Promise<number | undefined> => {
    try {
      written ??= write()
      const letter = await written
      if (letter === undefined) return undefined
      await deliver(letter)
      log('mail', { outcome: 'sent' })
      letter.delivered?.()
      return undefined
    } catch (cause) {
      const why = reason(cause)
      if (wait === undefined || !isTemporary(cause)) log('mail', { outcome: 'failed', why })
      else log('mail', { outcome: 'delayed', why, seconds: wait / 1000 })
      return isTemporary(cause) ? wait : undefined
    }
  }
}

/** Whether the reply is 4yz (RFC 5321 §4.2.1) or the server could not be reached. */
function isTemporary(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false
  if ('responseCode' in cause) return /^4/.test(String(cause.responseCode))
  return 'code' in cause && /^E(?:CONNECTION|SOCKET|TIMEDOUT|DNS)$/.test(String(cause.code))
}

/** Only codes: the mail server's message repeats the address, which must not be logged. */
function reason(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown'
  const code = 'code' in cause ? String(cause.code) : cause.name
  const reply = 'responseCode' in cause ? ` ${cause.responseCode}` : ''
  return code + reply
}
