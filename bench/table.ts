/** Aligned columns: the first to the left, numbers to the right, the last without padding. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>((known, row) => {
    for (const [at, cell] of row.entries()) known[at] = Math.max(known[at] ?? 0, cell.length)
    return known
  }, [])
  const line = (row: readonly string[]) =>
    row.map((cell, at) => {
      if (at === 0) return cell.padEnd(widths[at] ?? 0)
      return at === row.length - 1 ? cell : cell.padStart(widths[at] ?? 0)
    })
  return rows.map((row) => `  ${line(row).join('   ')}`.trimEnd()).join('\n')
}

export const aim = (figure: number, most: number, unit: string): string =>
  `at most ${most}${unit}${figure <= most ? '' : ' - missed'}`

export const atLeast = (figure: number, least: number, unit: string): string =>
  `at least ${least}${unit}${figure >= least ? '' : ' - missed'}`
