/** At most `max` in any window of `windowMs`, wherever it begins. */
export interface Rate {
  readonly max: number
  readonly windowMs: number
}

/** A token bucket: how many tokens are taken, and since when the next one is being refilled, in epoch milliseconds. */
export interface Bucket {
  readonly taken: number
  readonly since: number
}

/** A quarter of the rate is available at once and the rest is refilled evenly, so that no window exceeds `max`. */
const sizeOf = ({ max }: Rate) => Math.max(1, Math.floor(max / 4))

const msPerToken = (rate: Rate) => Math.ceil(rate.windowMs / (rate.max - sizeOf(rate) + 1))

/** The bucket with the tokens refilled until `now`. A time in the future means that the clock was set back. */
export function refilled({ taken, since }: Bucket, rate: Rate, now: number): Bucket {
  const from = Math.min(since, now)
  const back = Math.floor((now - from) / msPerToken(rate))
  return back >= taken
    ? { taken: 0, since: now }
    : { taken: taken - back, since: from + back * msPerToken(rate) }
}

/** Milliseconds until a token can be taken from a bucket that was just refilled; 0 if one is available. */
export const waitFor = ({ taken, since }: Bucket, rate: Rate, now: number): number =>
  taken < sizeOf(rate) ? 0 : since + msPerToken(rate) - now
