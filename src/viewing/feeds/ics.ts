import type { CalendarFeed } from '../../accounts/calendar-feeds'
import type { FeedEvent } from './events'

/** Where the feed is served. */
export interface FeedHost {
  readonly baseUrl: string
}

/** A calendar (RFC 5545, 7986). The same events are the same bytes. */
export function icsOf(feed: CalendarFeed, events: readonly FeedEvent[], { baseUrl }: FeedHost): string {
  const lines = [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//kiroku//calendar//EN', 'CALSCALE:GREGORIAN'],
    ...['METHOD:PUBLISH', `NAME:${escaped(feed.name)}`, `X-WR-CALNAME:${escaped(feed.name)}`],
    ...['REFRESH-INTERVAL;VALUE=DURATION:PT6H', 'X-PUBLISHED-TTL:PT6H'],
    ...events.flatMap((event) => eventLines(feed, event, baseUrl)),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

function eventLines({ alarm }: CalendarFeed, event: FeedEvent, baseUrl: string): readonly string[] {
  const { key, at, date, summary, channel, path, state, changedAt } = event
  const isTimed = date === undefined
  const changed = utc(changedAt)
  return [
    ...['BEGIN:VEVENT', `UID:${key}@${new URL(baseUrl).hostname}`, `DTSTAMP:${changed}`],
    ...[`LAST-MODIFIED:${changed}`, `SEQUENCE:${sequenceOf(changedAt)}`],
    isTimed ? `DTSTART:${utc(at)}` : `DTSTART;VALUE=DATE:${date.replaceAll('-', '')}`,
    ...(isTimed ? ['DURATION:PT30M'] : []),
    `SUMMARY:${escaped(summary)}`,
    ...(channel === undefined ? [] : [`LOCATION:${escaped(channel)}`]),
    ...[`URL:${baseUrl}${path}`, 'TRANSP:TRANSPARENT', `STATUS:${state.toUpperCase()}`],
    ...(alarm === null || !isTimed || state === 'cancelled' ? [] : alarmLines(alarm, summary)),
    'END:VEVENT',
  ]
}

const alarmLines = (minutes: number, summary: string) => [
  ...['BEGIN:VALARM', 'ACTION:DISPLAY', `DESCRIPTION:${escaped(summary)}`],
  ...[`TRIGGER:-PT${minutes}M`, 'END:VALARM'],
]

/** Seconds since 2026, so that whatever changed later has a higher one. */
const sequenceOf = (changedAt: number) => Math.max(0, Math.floor((changedAt - Date.UTC(2026, 0)) / 1000))

/** `20261119T143000Z` */
const utc = (at: number) => `${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`

/** TEXT (§3.3.11), on one line. */
export const escaped = (text: string): string =>
  text
    .replaceAll(/[\\;,]/g, (character) => `\\${character}`)
    .replaceAll(/\r\n|[\r\n]/g, '\\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: no content line may contain them
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')

const mostOctets = 75

/** At most 75 octets a line (§3.1), broken between characters; the space before the rest of a line counts. */
export function folded(line: string): string {
  if (Buffer.byteLength(line) <= mostOctets) return line
  let text = ''
  let octets = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (octets + size > mostOctets) {
      text += '\r\n '
      octets = 1
    }
    text += character
    octets += size
  }
  return text
}
