/** Annict's name of the season a day belongs to, the calendar quarter: `2023-10-01` is in `2023-autumn`. */
export function seasonName(date: string): string {
  const month = Number(date.slice(5, 7))
  return `${date.slice(0, 4)}-${quarters[Math.ceil(month / 3) - 1]}`
}

const quarters = ['winter', 'spring', 'summer', 'autumn']
