/** For example `1 user, 20 records`, from a backup's counts per table. */
export const countsText = (counts: Readonly<Record<string, number>>, ...things: readonly string[]): string =>
  things
    .map((thing) => {
      const n = counts[`${thing}s`] ?? 0
      return `${n.toLocaleString('en')} ${n === 1 ? thing : `${thing}s`}`
    })
    .join(', ')
