import { isoTime } from '../lib/time'
import type { Language } from '../lib/words'
import { html, type Markup } from './html'
import type { Look } from './layout'

/**
 * A time in epoch milliseconds in words, in UTC; `otherwise` stands for none. A page with one loads a script that puts it
 * into the reader's zone (`assets/times.js`, which says it in the same way).
 */
export function moment(look: Pick<Look, 'language' | 'now'>, at: number | null, otherwise = ''): Markup {
  if (at === null) return html`${otherwise}`
  const { language, now } = look
  const days = dayOf(at) - dayOf(now)
  const text = Math.abs(days) <= 1 ? nearby(language, days, at) : format(language, at, { ...date, ...clock })
  return html`<time datetime="${isoTime(at)}" title="${exact(at)}">${text} UTC</time>`
}

/** The day of a time alone. */
export const day = ({ language }: Pick<Look, 'language'>, at: number): Markup =>
  html`<time datetime="${isoTime(at)}" title="${exact(at)}" data-day>${format(language, at, date)}</time>`

/** `yesterday at 21:03`. */
function nearby(language: Language, days: number, at: number): string {
  const name = new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(days, 'day')
  const time = format(language, at, clock)
  return language === 'ja' ? `${name} ${time}` : `${name} at ${time}`
}

const date = { dateStyle: 'medium' } as const
const clock = { timeStyle: 'short' } as const

const format = (language: Language, at: number, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locales[language], { ...options, timeZone: 'UTC' }).format(at)

/** With days before months and 24 hours, which nobody reads wrongly. */
const locales = { en: 'en-GB', ja: 'ja' } as const

const dayOf = (at: number) => Math.floor(at / 86_400_000)

/** To the second, for who points at it. */
const exact = (at: number) => `${isoTime(at).slice(0, 19).replace('T', ' ')} UTC`
