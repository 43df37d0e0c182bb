import { matching } from './text'
import { InvalidValue, mapped, type Value } from './value'

/** `off` or a duration; in milliseconds, null for off. */
export const timeOrOff: Value<number | null> = mapped(
  matching('^(?:off|[1-9][0-9]{0,5}m?s)$', (t) => t.observing.timeOrOff),
  (text) => (text === 'off' ? null : Number.parseInt(text, 10) * (text.endsWith('ms') ? 1 : 1000)),
)

/** `off` or a size; in bytes, null for off. */
export const bytesOrOff: Value<number | null> = mapped(
  matching('^(?:off|[1-9][0-9]{0,5}[MG]B)$', (t) => t.observing.bytesOrOff),
  (text) => (text === 'off' ? null : Number.parseInt(text, 10) * (text.endsWith('GB') ? 1e9 : 1e6)),
)

export interface ListenAddress {
  readonly host: string
  readonly port: number
}

/** `off` or an address with a port, IPv6 in brackets; null for off. */
export const addressOrOff: Value<ListenAddress | null> = mapped(
  matching('^(?:off|(?:[0-9A-Za-z._-]+|\\[[0-9A-Fa-f:.]+\\]):[0-9]{1,5})$', (t) => t.observing.addressOrOff),
  (text) => {
    if (text === 'off') return null
    const colon = text.lastIndexOf(':')
    const port = Number(text.slice(colon + 1))
    if (port > 65_535) return new InvalidValue((t) => t.observing.addressOrOff)
    return { host: text.slice(0, colon).replace(/^\[|\]$/g, ''), port }
  },
)
