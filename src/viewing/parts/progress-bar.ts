import type { Progress } from '../../library/progress/progress'
import { html, type Markup } from '../../pages/html'

/** `5 / 12` with a bar; for a long list, only the number watched. */
export function progressBar({ watched, known }: Pick<Progress, 'watched' | 'known'>): Markup {
  if (known === 0) return html``
  if (known > 200) return html`<span class="figure">${watched.toLocaleString('en')}</span>`
  const width = Math.round((47 * watched) / known)
  return html`<svg class="progress-bar" viewBox="0 0 47 4" preserveAspectRatio="none" aria-hidden="true"><rect width="${width}" height="4" rx="2" /></svg><span class="figure">${watched} / ${known}</span>`
}
