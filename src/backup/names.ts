/** For example `kiroku-20260401T120000Z.tar.zst`; the UTC time is when the backup began. */
export const backupName = (at: number): string => `kiroku-${stampOf(at)}.tar.zst`

export const stampOf = (at: number): string => new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, '')

/** Encrypted by `age`, or in its format. */
export const isEncrypted = (name: string): boolean => name.endsWith('.age')

/** In epoch milliseconds; undefined for a file that is not a backup. An encrypted one ends in `.age`. */
export const timeOf = (name: string): number | undefined => timeIn(/^kiroku-(.+)\.tar\.zst(?:\.age)?$/, name)

/** Of a copy of the database made before a migration. */
export const snapshotTime = (name: string): number | undefined => timeIn(/^before-.+-(\w+)\.db$/, name)

function timeIn(pattern: RegExp, name: string): number | undefined {
  const [, stamp = ''] = pattern.exec(name) ?? []
  const [, date, hour, minute, second] = /^(\d{8})T(\d\d)(\d\d)(\d\d)Z$/.exec(stamp) ?? []
  if (date === undefined) return undefined
  const day = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`
  const time = Date.parse(`${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(time) ? undefined : time
}
