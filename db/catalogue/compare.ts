/** Compares UTF-16 units, since locale rules differ between machines. */
export const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b))
