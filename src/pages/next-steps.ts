import { html, type Markup } from './html'
import type { PageContext } from './layout'

/** For an administrator who is still the only user: first steps for watching and for inviting others. */
export function nextSteps({ t, basePath }: PageContext): Markup {
  const step = (path: string, label: string) => html`<li><a href="${basePath}${path}">${label}</a></li>`
  return html`<section class="next-steps">
      <h2>${t.home.nextSteps}</h2>
      <ul class="plain-links">
        ${step('/seasons/now', t.home.planSeason)}
        ${step('/admin/invitations', t.home.invite)}
        ${step('/settings', t.home.reviewSettings)}
      </ul>
    </section>`
}
