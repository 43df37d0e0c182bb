import type { Socket } from 'bun'

/** One keep-alive connection, which sends each request once the previous answer is complete, until none is left. */
export function runConnection(
  port: number,
  next: () => Uint8Array | undefined,
  answered: (status: number, bytes: number) => void,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let answer: Head | undefined
  /** Bytes of the answer so far, and its last five. */
  let received = 0
  let tail = ''
  let begun: Buffer = Buffer.alloc(0)
  let unsent: Uint8Array = Buffer.alloc(0)
  const write = (socket: Socket, bytes: Uint8Array) => {
    unsent = bytes.subarray(socket.write(bytes))
  }
  const send = (socket: Socket) => {
    const request = next()
    if (request === undefined) {
      resolve()
      socket.end()
    } else write(socket, request)
  }
  const data = (socket: Socket, chunk: Buffer) => {
    if (answer === undefined) {
      // The first piece of a large answer may end within its head.
      begun = Buffer.concat([begun, chunk])
      answer = readHead(begun)
      if (answer === undefined) return
      received = begun.length
      begun = Buffer.alloc(0)
    } else received += chunk.length
    tail = (tail + chunk.toString('latin1', Math.max(0, chunk.length - 5))).slice(-5)
    if (answer.length === undefined ? tail !== lastChunk : received < answer.length) return
    answered(answer.status, received)
    answer = undefined
    tail = ''
    send(socket)
  }
  const close = () => reject(new Error('the server hung up'))
  const drain = (socket: Socket) => write(socket, unsent)
  const error = (_: Socket, cause: Error) => reject(cause)
  Bun.connect({ hostname: '127.0.0.1', port, socket: { open: send, data, drain, close, error } }).catch(
    reject,
  )
  return promise
}

const lastChunk = '0\r\n\r\n'

interface Head {
  readonly status: number
  /** Size of the whole answer in bytes; undefined if it is sent in chunks, as answers above 64 KB are. */
  readonly length: number | undefined
}

/** Undefined until the head is complete. */
function readHead(begun: Buffer): Head | undefined {
  const end = begun.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = begun.toString('latin1', 0, end)
  const status = Number(head.slice(9, 12))
  const length = status === 204 ? '0' : /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (/\r\ntransfer-encoding: chunked/i.test(head)) return { status, length: undefined }
  if (length === undefined) throw new Error(`an answer without a length: ${head}`)
  return { status, length: end + 4 + Number(length) }
}
