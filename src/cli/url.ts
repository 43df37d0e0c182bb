/** Puts an IPv6 address into brackets. */
export const urlOf = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`
