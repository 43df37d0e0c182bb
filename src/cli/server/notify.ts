import type { Environment } from '../../options/environment'

/** Sends assignments such as `READY=1` to the service manager; false if they did not arrive. Never blocks. */
export type Notify = (...assignments: readonly string[]) => boolean

/**
 * The protocol of sd_notify(3): datagrams to the socket named by NOTIFY_SOCKET. Undefined if that is not set or not a
 * local socket. Throws if libc cannot be called.
 *
 * Calls libc through FFI, since Bun 1.4.5 only has datagram sockets for UDP, and starting `systemd-notify` for each
 * ping would need NotifyAccess=all. musl's loader accepts the name `libc.so.6` for its own.
 */
export async function openNotify({ NOTIFY_SOCKET: path = '' }: Environment): Promise<Notify | undefined> {
  if (!/^[/@]./.test(path)) return undefined
  const { dlopen, ptr } = await import('bun:ffi')
  const { symbols } = dlopen('libc.so.6', {
    socket: { args: ['i32', 'i32', 'i32'], returns: 'i32' },
    sendto: { args: ['i32', 'ptr', 'usize', 'i32', 'ptr', 'u32'], returns: 'i64' },
  })
  const socket = symbols.socket(unixDomain, datagram, 0)
  const address = addressOf(path)
  return (...assignments) => {
    const message = new TextEncoder().encode(assignments.join('\n'))
    const length = message.length
    return (
      Number(symbols.sendto(socket, ptr(message), length, sendFlags, ptr(address), address.length)) === length
    )
  }
}

/** A `sockaddr_un`: the family in native byte order, then the path; an abstract name begins with NUL. */
function addressOf(path: string): Uint8Array {
  const name = path.startsWith('@') ? `\0${path.slice(1)}` : `${path}\0`
  const family = new Uint8Array(Uint16Array.of(unixDomain).buffer)
  return new Uint8Array([...family, ...new TextEncoder().encode(name)])
}

// Linux's AF_UNIX; SOCK_DGRAM | SOCK_CLOEXEC; MSG_DONTWAIT | MSG_NOSIGNAL.
const unixDomain = 1
const datagram = 0o2000002
const sendFlags = 0x4040
