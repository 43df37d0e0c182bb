/** At most `max` in any window of `windowMs`, wherever that begins. */
export interface Rate {
  readonly max: number
  readonly windowMs: number
}

/** A token bucket: how many are taken, and since when the next one is on its way back; epoch milliseconds. */
export interface Bucket {
  readonly taken: number
  readonly since: number
}

/** A quarter of the rate can be taken at once, the rest comes back evenly, so that no window holds more than `max`. */
const sizeOf = ({ max }: Rate) => Math.max(1, Math.floor(max / 4))

const msPerToken = (rate: Rate) => Math.ceil(rate.windowMs / (rate.max - sizeOf(rate) + 1))

/** With what has come back. A time in the future is of a clock that was set back since. */
export function refilled({ taken, since }: Bucket, rate: Rate, now: number): Bucket {
  const from = Math.min(since, now)
  const back = Math.floor((now - from) / msPerToken(rate))
  return back >= taken
    ? { taken: 0, since: now }
    : { taken: taken - back, since: from + back * msPerToken(rate) }
}

/** Milliseconds until one more can be taken of a bucket that was just refilled; 0 for at once. */
export const waitFor = ({ taken, since }: Bucket, rate: Rate, now: number): number =>
  taken < sizeOf(rate) ? 0 : since + msPerToken(rate) - now
