import { networkOf } from '../lib/network'
import { streamOf } from '../lib/stream-of'
import type { Bytes } from './bytes'
import { ApiError, serviceUnavailable } from './errors'
import type { RequestContext } from './incoming'

/** In bytes: below this, what is left of an answer when the system's buffers are full is not worth counting. */
const large = 64 * 1024

/** In bytes, of all clients and of one (promise 12). One answer of GraphQL has at most 20 MB. */
const most = { all: 64_000_000, each: 24_000_000 }

/** A client may take this long, plus a second for each of these many bytes. Bun cuts off one that reads nothing. */
const patience = { ms: 30_000, bytesPerSecond: 64_000 }

const held = new Map<string, number>()

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
  const total = sumOf(held)
  if (total > 0 && total + bytes.length > most.all)
    throw serviceUnavailable('Too many large answers are waiting for their clients to read them.')
  return inPieces(bytes, hold(held, reader, bytes.length))
}

/** Throws rate_limited if the reader has so much to read that another large answer would not be sent. */
export function refuseUnread(reader: AnswerReader): void {
  if ((held.get(reader) ?? 0) > most.each / 2) throw tooMuchUnread()
}

const tooMuchUnread = () =>
  new ApiError('rate_limited', ['Read the answers that were sent already, or ask for less at once.'], {
    'Retry-After': '5',
  })

const sumOf = (counts: Map<unknown, number>): number => counts.values().reduce((sum, one) => sum + one, 0)

/** Returns what ends it, which may be called again. Who holds nothing is forgotten. */
function hold<Key>(counts: Map<Key, number>, key: Key, size: number): () => void {
  let isHeld = true
  counts.set(key, (counts.get(key) ?? 0) + size)
  return () => {
    const left = (counts.get(key) ?? 0) - (isHeld ? size : 0)
    isHeld = false
    if (left === 0) counts.delete(key)
    else counts.set(key, left)
  }
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

/** Open files, of one user and of all (promise 12). Each holds a page of rows, and an archive its compressor. */
const mostDownloads = { each: 3, all: 24 }

/** A client may take so many milliseconds for each piece. Bun cuts off one that reads nothing. */
const patienceForPiece = 60_000

/** By server, as tests run several in one process, and user. */
const downloads = new WeakMap<object, Map<number, number>>()

type Pieces = AsyncIterable<string | Uint8Array>

/**
 * The body of a file that is made while its user reads it, such as an export; counted until it is read or given up.
 * Throws rate_limited or service_unavailable if too many of the `server` are open.
 */
export function downloadFor(server: object, userId: number, pieces: Pieces): ReadableStream<Uint8Array> {
  const open = downloads.getOrInsertComputed(server, () => new Map())
  if ((open.get(userId) ?? 0) >= mostDownloads.each)
    throw new ApiError('rate_limited', ['Wait until your other files are downloaded.'], {
      'Retry-After': '30',
    })
  if (sumOf(open) >= mostDownloads.all) throw serviceUnavailable('Too many files are being downloaded.', 30)
  const reader = streamOf(pieces).getReader()
  let timer: ReturnType<typeof setTimeout> | undefined
  const release = hold(open, userId, 1)
  const end = () => {
    clearTimeout(timer)
    release()
  }
  return new ReadableStream({
    pull: async (controller) => {
      clearTimeout(timer)
      const { value, done } = await reader.read().catch((cause) => {
        end()
        throw cause
      })
      if (value !== undefined) controller.enqueue(value)
      if (done) {
        end()
        controller.close()
      } else timer = setTimeout(giveUp, patienceForPiece, controller).unref()
    },
    cancel: async () => {
      end()
      await reader.cancel()
    },
  })

  function giveUp(controller: ReadableStreamDefaultController): void {
    end()
    controller.error(new Error('the client reads too slowly'))
    void reader.cancel()
  }
}
