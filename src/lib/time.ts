/** Epoch milliseconds as the API sends times: `YYYY-MM-DDTHH:MM:SS.mmmZ` (D4). */
export const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString()

/** A row whose numbers called `…_at` are texts. */
type Timed<Row> = {
  [Name in keyof Row]: Name extends `${string}_at` ? Exclude<Row[Name], number> | string : Row[Name]
}

/** A row with its times as the API sends them: the numbers called `…_at`, in epoch milliseconds. */
export const withTimes = <Row extends object>(row: Row): Timed<Row> =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, timeAs(name, value)])) as Timed<Row>

const timeAs = (name: string, value: unknown): unknown =>
  name.endsWith('_at') && typeof value === 'number' ? isoTime(value) : value
