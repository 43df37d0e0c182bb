import { connect as connectTo, createServer, type Socket } from 'node:net'

/** How a network fails. `cut`: requests arrive, of each answer only so many bytes come back, or of those to `only`. */
export type RelayMode = 'open' | 'down' | 'slow' | { readonly cut: number; readonly only?: 'POST' }

export interface Relay {
  readonly url: string
  /** Takes effect at once, also on open connections. */
  set(mode: RelayMode): void
  /** Another server takes its place: new connections go to this port. */
  passTo(port: number): void
  close(): Promise<void>
}

/** A relay in front of a server on this machine, whose network fails as told. */
export async function createRelay(first: number): Promise<Relay> {
  let mode: RelayMode = 'open'
  let port = first
  const sockets = new Set<Socket>()
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  const server = createServer((client) => {
    if (mode === 'down') return void client.destroy()
    const upstream = connectTo(port, '127.0.0.1')
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    let isPost = false
    client.on('data', (bytes: Buffer) => {
      if (/^[A-Z]+ \//.test(bytes.toString('latin1', 0, 10)))
        isPost = bytes.toString('latin1', 0, 5) === 'POST '
      if (mode === 'slow') setTimeout(() => upstream.write(bytes), 1200)
      else upstream.write(bytes)
    })
    upstream.on('data', (bytes: Buffer) => {
      if (typeof mode !== 'object' || (mode.only !== undefined && !isPost)) return void client.write(bytes)
      client.write(bytes.subarray(0, mode.cut), () => client.destroy())
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const own = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${own}`,
    set: (next) => {
      mode = next
      drop()
    },
    passTo: (next) => {
      port = next
    },
    close: () => {
      drop()
      return new Promise((done) => server.close(() => done()))
    },
  }
}
