import { createServer, type Socket } from 'node:net'

/** A server on this machine that sends arbitrary bytes in response; `path` is the requested one. */
export async function createRawSite(answer: (socket: Socket, path: string) => void) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', (data) => answer(socket, data.toString().split(' ')[1] ?? ''))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return {
    base: `http://127.0.0.1:${port}`,
    stop: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
