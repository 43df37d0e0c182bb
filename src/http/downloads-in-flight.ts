import { streamOf } from '../lib/stream-of'
import { ApiError, serviceUnavailable } from './errors'

/** Open files, of one user and of all (promise 12). Each holds a page of rows, and an archive its compressor. */
const most = { each: 3, all: 24 }

/** A client may take so many milliseconds for each piece. Bun cuts off one that reads nothing. */
const patience = 60_000

const open = new Map<number, number>()
let total = 0

type Pieces = AsyncIterable<string | Uint8Array>

/**
 * The body of a file that is made while its user reads it, such as an export; counted until it is read or given up.
 * Throws rate_limited or service_unavailable if too many are open.
 */
export function downloadFor(userId: number, pieces: Pieces): ReadableStream<Uint8Array> {
  if ((open.get(userId) ?? 0) >= most.each)
    throw new ApiError('rate_limited', ['Wait until your other files are downloaded.'], {
      'Retry-After': '30',
    })
  if (total >= most.all) throw serviceUnavailable('Too many files are being downloaded.', 30)
  const reader = streamOf(pieces).getReader()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOpen = true
  const end = () => {
    clearTimeout(timer)
    if (isOpen) count(userId, -1)
    isOpen = false
  }
  count(userId, 1)
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
      } else timer = setTimeout(giveUp, patience, controller).unref()
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

function count(userId: number, by: 1 | -1): void {
  total += by
  const left = (open.get(userId) ?? 0) + by
  if (left === 0) open.delete(userId)
  else open.set(userId, left)
}
