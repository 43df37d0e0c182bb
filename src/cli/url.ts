export const urlOf = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`

/** Where a server that listens on all addresses of this machine is reached from it. */
export const reachable = (host: string): string => loopbackOf.get(host) ?? host

const loopbackOf = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
])
