import type { Progress } from '../../library/progress/progress'
import { html, type Markup } from '../../pages/html'

type HowFar = Pick<Progress, 'watched' | 'known' | 'isOpen'>

/** `5 / 12` with a bar; for a long list, only the number watched. */
export function progressBar(progress: HowFar): Markup {
  const { watched, known, isOpen } = progress
  if (known === 0) return html``
  if (known > 200) return html`<span class="figure">${watched.toLocaleString('en')}</span>`
  const figure = html`<span class="figure">${progressText(progress)}</span>`
  if (isOpen) return figure
  const width = Math.round((47 * watched) / known)
  return html`<svg class="progress-bar" viewBox="0 0 47 4" preserveAspectRatio="none" aria-hidden="true"><rect width="${width}" height="4" rx="2" /></svg>${figure}`
}

/**
 * `5 / 12`, and `5 / 12+` if nobody knows how many there are; only `5` if the list is no longer than what was watched, or
 * has the one episode with which an estimated list starts (D99).
 */
export function progressText({ watched, known, isOpen }: HowFar): string {
  if (isOpen && known <= Math.max(1, watched)) return `${watched}`
  return `${watched} / ${known}${isOpen ? '+' : ''}`
}
