import { html, type Markup } from './html'
import type { PageContext } from './layout'

/** For an administrator who is alone yet. */
export function nextSteps({ t, basePath }: PageContext): Markup {
  const step = (path: string, label: string) => html`<li><a href="${basePath}${path}">${label}</a></li>`
  return html`<section class="next-steps">
      <h2>${t.home.nextSteps}</h2>
      <ul>
        ${step('/admin/invitations', t.home.invite)}
        ${step('/oauth/applications', t.applications.register)}
        ${step('/settings/tokens', t.home.createToken)}
        ${step('/settings', t.home.reviewSettings)}
      </ul>
    </section>`
}
