import type { Random } from './random'

/** The places of a list, each as often as its weight says, for the cost of two random numbers (Walker's alias method). */
export function weighted(weights: readonly number[]): (random: Random) => number {
  const n = weights.length
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const share = Float64Array.from(weights, (weight) => (weight * n) / sum)
  const other = new Uint32Array(n)
  const small: number[] = []
  const large: number[] = []
  share.forEach((size, place) => {
    if (size < 1) small.push(place)
    else large.push(place)
  })
  for (let from = small.pop(), to = large.at(-1); from !== undefined && to !== undefined; ) {
    other[from] = to
    const rest = (share[to] ?? 0) + (share[from] ?? 0) - 1
    share[to] = rest
    // What the large one gave away may have made it small.
    if (rest < 1) small.push(large.pop() ?? to)
    from = small.pop()
    to = large.at(-1)
  }
  // What is left over by rounding is whole.
  for (const place of [...small, ...large]) share[place] = 1
  return (random) => {
    const place = random.below(n)
    return random.fraction() < (share[place] ?? 1) ? place : (other[place] ?? place)
  }
}

/** Weights by rank as in Zipf's law, flattened at the top. */
export const zipf = (n: number, flat: number): number[] =>
  Array.from({ length: n }, (_, rank) => 1 / (rank + flat))
