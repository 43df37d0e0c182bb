import type { LogEvent } from './levels'

export interface LogBudget {
  /** Reserves the bytes of a line; false if the line must be left out. */
  take(event: LogEvent, bytes: number): boolean
  /** How many lines were left out since the last note, at most once a minute; undefined if none. */
  note(): { readonly requests: number; readonly others: number } | undefined
}

/** The share of the budget that `request` lines cannot use: a flood of requests must not silence the other events. */
const reserve = 0.2

const noteEveryMs = 60_000

/** A token bucket that holds a full hour. `steady` is in milliseconds. */
export function createLogBudget(bytesPerHour: number, steady: () => number): LogBudget {
  let left = bytesPerHour
  let filledAt = steady()
  let notedAt = Number.NEGATIVE_INFINITY
  let missed = { requests: 0, others: 0 }
  const fill = () => {
    const now = steady()
    left = Math.min(bytesPerHour, left + ((now - filledAt) * bytesPerHour) / 3_600_000)
    filledAt = now
  }
  return {
    take: (event, bytes) => {
      fill()
      const isRequest = event === 'request'
      if (left - bytes >= (isRequest ? bytesPerHour * reserve : 0)) {
        left -= bytes
        return true
      }
      missed[isRequest ? 'requests' : 'others'] += 1
      return false
    },
    note: () => {
      if (missed.requests + missed.others === 0 || steady() - notedAt < noteEveryMs) return undefined
      const noted = missed
      missed = { requests: 0, others: 0 }
      notedAt = steady()
      return noted
    },
  }
}
