import { isoTime } from '../lib/time'
import { html, type Markup } from './html'

/** A time in epoch milliseconds as pages show it, in UTC; `otherwise` stands for none. */
export function moment(at: number | null, otherwise = ''): Markup {
  if (at === null) return html`${otherwise}`
  const iso = isoTime(at)
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`
}
