import { connect } from 'node:net'

/** A TCP connection from the client's side. */
export interface Connection extends AsyncDisposable {
  send(text: string): void
  /** Resolves once these words have arrived; rejects if the connection ends before. */
  until(words: string): Promise<void>
  readonly closed: Promise<void>
}

/** Connects to a port on this machine and sends a text. */
export async function open(port: number, text: string): Promise<Connection> {
  const socket = connect(port, '127.0.0.1')
  const closed = Promise.withResolvers<void>()
  let heard = ''
  let pageContext = () => {}
  socket.on('data', (chunk) => {
    heard += chunk
    pageContext()
  })
  socket.on('error', () => {})
  socket.on('close', () => closed.resolve())
  await new Promise<void>((resolve) => socket.once('connect', resolve))
  if (text !== '') socket.write(text)
  const until = (words: string) =>
    new Promise<void>((resolve, reject) => {
      pageContext = () => {
        if (heard.includes(words)) resolve()
      }
      closed.promise.then(() => reject(new Error(`closed after ${JSON.stringify(heard)}`)))
      pageContext()
    })
  return {
    send: (more) => void socket.write(more),
    until,
    closed: closed.promise,
    [Symbol.asyncDispose]: async () => void socket.destroy(),
  }
}
