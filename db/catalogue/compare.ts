/** The order of two texts by their UTF-16 units: not by the locale's rules, which differ between machines. */
export const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b))
