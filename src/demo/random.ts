export interface SeededRandom {
  below(limit: number): number
  between(low: number, high: number): number
  chance(share: number): boolean
  exponential(mean: number): number
  /** An index below `length`, preferring the first ones strongly. */
  early(length: number): number
  pick<T>(list: readonly [T, ...T[]]): T
}

export function createRandom(seed: number): SeededRandom {
  const fraction = mulberry32(seed)
  const below = (limit: number) => Math.floor(fraction() * limit)
  return {
    below,
    between: (low, high) => low + fraction() * (high - low),
    chance: (share) => fraction() < share,
    exponential: (mean) => -Math.log(1 - fraction()) * mean,
    early: (length) => Math.floor(fraction() ** 3 * length),
    pick: (list) => list[below(list.length)] ?? list[0],
  }
}

function mulberry32(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
