import { setTimeout } from 'node:timers/promises'
import type { Log } from '../log'

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

/**
 * A queue of letters, delivered one after the other. What the mail server does not take for now is tried again later,
 * behind the others; kept in memory alone. What came of it is logged, without an address.
 */
export function createMail(deliver: Deliver, log: Log, pause: Pause = sleep): Mail {
  const ending = new AbortController()
  const underWay = new Set<Promise<void>>()
  const { inTurn, idle } = createTurns()
  const handOver = async (write: Write) => {
    const attempt = attempting(write, deliver, log)
    for (let tries = 0; ; tries += 1) {
      const wait = await inTurn(() => attempt(ending.signal.aborted ? undefined : pauses[tries]))
      if (wait === undefined) return
      await pause(wait, ending.signal)
    }
  }
  return {
    send: (write) => {
      // Whoever asks for mail faster than the server takes it does not fill the memory.
      if (underWay.size >= 200) return log('mail', { outcome: 'dropped' })
      const done = handOver(write).finally(() => underWay.delete(done))
      underWay.add(done)
    },
    idle,
    finish: async () => {
      ending.abort()
      await Promise.all(underWay)
    },
  }
}

const sleep: Pause = (milliseconds, signal) =>
  setTimeout(milliseconds, undefined, { signal, ref: false }).catch(() => {})

/** Has one thing done after the other. */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve()
  return {
    inTurn: <T>(work: () => Promise<T>): Promise<T> => {
      const result = last.then(work)
      last = result
      return result
    },
    idle: async () => void (await last),
  }
}

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
