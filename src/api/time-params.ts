import Type from 'typebox'
import { instantOf, momentOf } from '../lib/instant'
import { define, type Param } from './params'

/** A moment (D11): `YYYY/MM/DD HH:MM` in UTC, a date alone (its midnight UTC), or ISO 8601 with its zone; epoch milliseconds. */
export const moment = (description: string): Param<number> =>
  define({
    schema: Type.String(),
    description: `${description}; \`YYYY/MM/DD HH:MM\` in UTC, a date, or ISO 8601 with its zone`,
    example: '2026/04/01 12:00',
    read: (sent) => {
      const value = momentOf(sent)
      return value === undefined
        ? { rule: 'must be YYYY/MM/DD HH:MM (UTC), a date, or ISO 8601 with its zone' }
        : { value }
    },
  })

/** A time with its zone, ISO 8601, not in the future; epoch milliseconds. */
export const pastTime = (description: string): Param<number> =>
  define({
    schema: Type.String({ format: 'date-time' }),
    description,
    example: '2026-04-01T21:00:00+09:00',
    read: (sent, now) => {
      const value = instantOf(sent)
      if (value === undefined)
        return { rule: 'must be a date and time with its zone, as 2026-04-01T21:00:00+09:00' }
      if (value > now) return { rule: 'must not be in the future' }
      // Long before there was anything to watch; further back, years have fewer or more than four digits (D4).
      return value < earliest ? { rule: 'must not be before the year 1900' } : { value }
    },
  })

const earliest = Date.UTC(1900, 0)
