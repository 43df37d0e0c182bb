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
  send(write: () => Promise<Letter | undefined>): void
  /** Resolves when nothing is queued. */
  idle(): Promise<void>
}

/** Hands a letter to a mail server; rejects when that does not take it. */
export type Deliver = (letter: Letter) => Promise<void>

/** A queue of letters, delivered one after the other. One that cannot be is logged, without its address. */
export function createMail(deliver: Deliver, log: Log): Mail {
  let waiting = 0
  let last = Promise.resolve()
  const handOver = async (write: () => Promise<Letter | undefined>) => {
    try {
      const letter = await write()
      if (letter === undefined) return
      await deliver(letter)
      log('mail', { outcome: 'sent' })
    } catch (cause) {
      log('mail', { outcome: 'failed', why: reason(cause) })
    } finally {
      waiting -= 1
    }
  }
  return {
    send: (write) => {
      // Whoever asks for mail faster than the server takes it does not fill the memory.
      if (waiting >= 200) return log('mail', { outcome: 'dropped' })
      waiting += 1
      last = last.then(() => handOver(write))
    },
    idle: () => last,
  }
}

/** Why a letter could not be sent. A mail server repeats the address it refuses, which is not for the log. */
function reason(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown'
  const code = 'code' in cause ? String(cause.code) : cause.name
  const reply = 'responseCode' in cause ? ` ${cause.responseCode}` : ''
  return code + reply
}
