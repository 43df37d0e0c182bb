/** Aligns columns, two spaces apart; full-width characters count double. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = []
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, Bun.stringWidth(cell))
    })
  }
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - Bun.stringWidth(cell))).join('  ')
  return rows.map((row) => line(row).trimEnd()).join('\n')
}
