/** Numbers that look random and are the same in every run with the same seed. */
export interface Random {
  /** From 0 to below 1. */
  fraction(): number
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number
  between(low: number, high: number): number
  /** True in this share of cases. */
  chance(share: number): boolean
  /** Above 0, mostly small, seldom many times the mean. */
  exponential(mean: number): number
  /** Around 0, with a standard deviation of 1. */
  normal(): number
  pick<T>(list: readonly [T, ...T[]]): T
}

/** One sequence of many from one seed (sfc32), so that a change in one part of the community leaves the others alone. */
export function createRandom(seed: number, part: string): Random {
  const fraction = sequence(seed, part)
  const below = (limit: number) => Math.floor(fraction() * limit)
  return {
    fraction,
    below,
    between: (low, high) => low + fraction() * (high - low),
    chance: (share) => fraction() < share,
    exponential: (mean) => -Math.log(1 - fraction()) * mean,
    normal: () => Math.sqrt(-2 * Math.log(1 - fraction())) * Math.cos(2 * Math.PI * fraction()),
    pick: (list) => list[below(list.length)] ?? list[0],
  }
}

function sequence(seed: number, part: string): () => number {
  const word = (place: number) => Bun.hash.xxHash32(`${seed} ${part} ${place}`) | 0
  let [a, b, c, counter] = [word(1), word(2), word(3), 1]
  return () => {
    const mixed = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + mixed) | 0
    return (mixed >>> 0) / 2 ** 32
  }
}
