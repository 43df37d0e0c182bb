import { html, type Markup } from '../../pages/html'
import type { PageContext } from '../../pages/layout'
import { day, moment } from '../../pages/moment'

/** When something was watched, as exactly as that is known (D61); epoch milliseconds. */
export function watchedTime(pageContext: PageContext, at: number | null, precision: string | null): Markup {
  const { t } = pageContext
  if (at === null || precision === 'none') return html`${t.watched.unknown}`
  if (precision === 'time') return moment(pageContext, at)
  if (precision === 'day') return day(pageContext, at)
  const parts =
    precision === 'month' ? ({ year: 'numeric', month: 'long' } as const) : ({ year: 'numeric' } as const)
  const text = new Intl.DateTimeFormat(t.language.locale, { ...parts, timeZone: 'UTC' }).format(at)
  return html`<span>${text}</span>`
}
