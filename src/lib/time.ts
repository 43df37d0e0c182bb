/** `YYYY-MM-DDTHH:MM:SS.mmmZ` (D4), from epoch milliseconds. */
export const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString()

type WithIsoTimes<Row> = {
  [Name in keyof Row]: Name extends `${string}_at` ? Exclude<Row[Name], number> | string : Row[Name]
}

/** Converts the numbers named `…_at` from epoch milliseconds to ISO 8601. */
export const withTimes = <Row extends object>(row: Row): WithIsoTimes<Row> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, timeAs(name, value)]),
  ) as WithIsoTimes<Row>

const timeAs = (name: string, value: unknown): unknown =>
  name.endsWith('_at') && typeof value === 'number' ? isoTime(value) : value
