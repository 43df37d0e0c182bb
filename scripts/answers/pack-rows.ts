export type Row = Readonly<Record<string, unknown>>

export const range = (n: number) => Array.from({ length: n }, (_, i) => i + 1)

/** External ids; every fourth row has none. */
export const ids = (n: number) =>
  n % 4 === 0 ? {} : { ids: { annict: n, ...(n % 3 === 0 && { mal: 900 + n }) } }
