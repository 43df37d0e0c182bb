import { isoTime } from '../lib/time'
import type { Messages } from '../messages/en'
import { html, type Markup } from './html'
import type { PageContext } from './layout'

/** Epoch milliseconds in words, in UTC; `assets/times.js` converts it to the reader's time zone. */
export function moment(
  pageContext: Pick<PageContext, 't' | 'now'>,
  at: number | null,
  fallback = '',
): Markup {
  if (at === null) return html`${fallback}`
  const { t, now } = pageContext
  const days = dayOf(at) - dayOf(now)
  const text = Math.abs(days) <= 1 ? nearby(t, days, at) : format(t, at, { ...date, ...clock })
  return html`<time datetime="${isoTime(at)}" title="${exactTime(at)}">${text} UTC</time>`
}

export const day = ({ t }: Pick<PageContext, 't'>, at: number): Markup =>
  html`<time datetime="${isoTime(at)}" title="${exactTime(at)}" data-day>${format(t, at, date)}</time>`

/** `yesterday at 21:03`. */
function nearby(t: Messages, days: number, at: number): string {
  const name = new Intl.RelativeTimeFormat(t.language.locale, { numeric: 'auto' }).format(days, 'day')
  return t.language.dayAndTime(name, format(t, at, clock))
}

const date = { dateStyle: 'medium' } as const
const clock = { timeStyle: 'short' } as const

const format = (t: Messages, at: number, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(t.language.locale, { ...options, timeZone: 'UTC' }).format(at)

const dayOf = (at: number) => Math.floor(at / 86_400_000)

const exactTime = (at: number) => `${isoTime(at).slice(0, 19).replace('T', ' ')} UTC`
