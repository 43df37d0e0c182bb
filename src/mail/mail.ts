import { setTimeout } from 'node:timers/promises'
import type { Log } from '../log'
import { createRetries, type Delivery } from './retries'

/** One letter, as plain text. */
export interface Letter {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Where letters go. Nobody waits for one: how long it takes, and whether it arrives, shows in no answer. */
export interface Mail {
  /** Queues a letter. It is written when its turn comes; undefined when there turns out to be none to send. */
  send(write: Write): void
  /** Resolves when every queued letter had its turn; some may wait for another try. */
  idle(): Promise<void>
  /** Tries what waits, and what is still queued, for the last time; resolves after that. */
  finish(): Promise<void>
}

type Write = () => Promise<Letter | undefined>

/** Hands a letter to a mail server; rejects when that does not take it. */
export type Deliver = (letter: Letter) => Promise<void>

/** Lets so many milliseconds pass, or fewer once the signal is given. */
export type Pause = (milliseconds: number, signal: AbortSignal) => Promise<void>

/** Before another try, in milliseconds: some servers let in after minutes whom they do not know. */
const pauses = [60_000, 300_000, 900_000]

/** How many letters wait for their first try or have it: the rest are dropped. */
const most = 200

/**
 * A queue of letters, delivered one after the other: first those that were never tried, so that they do not wait behind
 * what a mail server does not take for now. That is tried again later. Both are kept in memory alone, and bounded apart
 * from each other. The outcome is logged, without an address.
 */
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
      // Whoever asks for mail faster than the server takes it does not fill the memory.
      if (fresh.length + (queue.isRunning() ? 1 : 0) >= most)
        return log('mail', { outcome: 'dropped', why: 'too many letters are queued' })
      fresh.push({ attempt: attempting(write, deliver, log), tries: 0 })
      queue.wake()
    },
    idle: queue.idle,
    finish: async () => {
      ending.abort()
      do {
        await queue.idle()
        await retries.paused()
      } while (queue.isRunning())
    },
  }
}

/** Takes one after the other while there are any; `wake` says that there may be. */
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

/** Tries to deliver a letter, which is written once. Returns the wait that was offered where another try may help. */
function attempting(write: Write, deliver: Deliver, log: Log) {
  let written: ReturnType<Write> | undefined
  return async (wait: number | undefined): Promise<number | undefined> => {
    try {
      written ??= write()
      const letter = await written
      if (letter === undefined) return undefined
      await deliver(letter)
      log('mail', { outcome: 'sent' })
      return undefined
    } catch (cause) {
      const why = reason(cause)
      if (wait === undefined || !isTemporary(cause)) log('mail', { outcome: 'failed', why })
      else log('mail', { outcome: 'delayed', why, seconds: wait / 1000 })
      return isTemporary(cause) ? wait : undefined
    }
  }
}

/** Whether a mail server said so (RFC 5321 §4.2.1), or could not be reached. */
function isTemporary(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false
  if ('responseCode' in cause) return /^4/.test(String(cause.responseCode))
  return 'code' in cause && /^E(?:CONNECTION|SOCKET|TIMEDOUT|DNS)$/.test(String(cause.code))
}

/** Why a letter could not be sent. A mail server repeats the address it refuses, which is not for the log. */
function reason(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown'
  const code = 'code' in cause ? String(cause.code) : cause.name
  const reply = 'responseCode' in cause ? ` ${cause.responseCode}` : ''
  return code + reply
}
