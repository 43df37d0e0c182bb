/** ISO 8601 with a time zone, extended or basic format, as epoch milliseconds; undefined for anything else. */
export function instantOf(text: string): number | undefined {
  const [whole, year, , month, day, hour, , minute, second = '00', zone = ''] = iso8601.exec(text) ?? []
  if (whole === undefined) return undefined
  const date = `${year}-${month}-${day}`
  const instant = Date.parse(`${date}T${hour}:${minute}:${second.replace(',', '.')}${zoneOf(zone)}`)
  return Number.isNaN(instant) || !isRealDate(date) ? undefined : instant
}

const iso8601 =
  /^(\d{4})(-?)(\d\d)\2(\d\d)t([01]\d|2[0-3])(:?)(\d\d)(?:\6(\d\d(?:[.,]\d{1,9})?))?(z|[+-]\d\d(?::?\d\d)?)$/i

/** `Date.parse` requires `+HH:MM`. */
const zoneOf = (zone: string) =>
  /^z$/i.test(zone)
    ? 'Z'
    : zone.replace(/^(...):?(\d\d)?$/, (_, hours, minutes = '00') => `${hours}:${minutes}`)

/** The same with `/` for `-`, a space for `T`, without a zone (UTC), or as a date alone (midnight UTC). */
export function momentOf(text: string): number | undefined {
  const [whole, year, , month, day, time = '00:00', zone = 'Z'] = lenient.exec(text) ?? []
  return instantOf(whole === undefined ? text : `${year}-${month}-${day}T${time}${zone}`)
}

const lenient =
  /^(\d{4})([/-])(\d\d)\2(\d\d)(?:[t ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?: ?(z|[+-]\d\d(?::?\d\d)?))?)?$/i

/** `Date` alone would read 31 April as 1 May. */
export function isRealDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}
