import { html } from '../../pages/html'
import type { Shown } from '../../pages/layout'
import type { MemberVisit } from '../../web/visit'

/** The recovery codes, shown this once, and the way on to `next`. */
export function recoveryCodesPage(
  { look: { t, basePath } }: MemberVisit,
  codes: readonly string[],
  next: string,
): Shown {
  const title = t.recoveryCodes.title
  return {
    title,
    main: html`
      <h1>${title}</h1>
      <div class="once">
        <p>${t.recoveryCodes.keep}</p>
        <ul>${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
      </div>
      <p><a href="${basePath}${next}">${t.common.done}</a> ·
      <a href="${basePath}/settings/sessions">${t.sessions.title}</a></p>`,
  }
}
