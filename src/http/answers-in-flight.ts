import { networkOf } from '../lib/network'
import type { Bytes } from './bytes'
import { ApiError, serviceUnavailable } from './errors'
import type { RequestContext } from './request-context'

/** In bytes: below this, what is left of an answer when the system's buffers are full is not worth counting. */
const large = 64 * 1024

/** In bytes, of all clients and of one (promise 12). One answer of GraphQL has at most 20 MB. */
const most = { all: 64_000_000, each: 24_000_000 }

/** A client may take this long, plus a second for each of these many bytes. Bun cuts off one that reads nothing. */
const patience = { ms: 30_000, bytesPerSecond: 64_000 }

const held = new Map<string, number>()
let total = 0

export type AnswerReader = `token ${number}` | `session ${number}` | `network ${string}`

/** Of a page or a file. */
export const readerOf = ({ caller, peer }: RequestContext): AnswerReader =>
  caller.session === undefined ? `network ${networkOf(peer)}` : `session ${caller.session}`

/**
 * The body of an answer, sent as fast as its client reads and counted until then. Bun would keep the whole of it for
 * each client that does not read. Throws rate_limited or service_unavailable if too much is unread.
 */
export function bodyFor(reader: AnswerReader, bytes: Bytes): Bytes | ReadableStream<Bytes> {
  if (bytes.length < large) return bytes
  const before = held.get(reader) ?? 0
  if (before > 0 && before + bytes.length > most.each) throw tooMuchUnread()
  if (total > 0 && total + bytes.length > most.all)
    throw serviceUnavailable('Too many large answers are waiting for their clients to read them.')
  return inPieces(bytes, hold(reader, bytes.length))
}

/** Throws rate_limited if the reader has so much to read that another large answer would not be sent. */
export function refuseUnread(reader: AnswerReader): void {
  if ((held.get(reader) ?? 0) > most.each / 2) throw tooMuchUnread()
}

const tooMuchUnread = () =>
  new ApiError('rate_limited', ['Read the answers that were sent already, or ask for less at once.'], {
    'Retry-After': '5',
  })

/** Returns what ends it, which may be called again. */
function hold(reader: AnswerReader, size: number): () => void {
  let isHeld = true
  count(reader, size)
  return () => {
    if (isHeld) count(reader, -size)
    isHeld = false
  }
}

function count(reader: AnswerReader, size: number): void {
  total += size
  const sum = (held.get(reader) ?? 0) + size
  if (sum === 0) held.delete(reader)
  else held.set(reader, sum)
}

function inPieces(bytes: Bytes, release: () => void): ReadableStream<Bytes> {
  let at = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = () => {
    clearTimeout(timer)
    release()
  }
  return new ReadableStream({
    start: (controller) => {
      const cut = () => {
        release()
        controller.error(new Error('the client reads too slowly'))
      }
      timer = setTimeout(cut, patience.ms + (1000 * bytes.length) / patience.bytesPerSecond).unref()
    },
    pull: (controller) => {
      controller.enqueue(bytes.subarray(at, at + large))
      at += large
      if (at < bytes.length) return
      end()
      controller.close()
    },
    cancel: end,
  })
}
