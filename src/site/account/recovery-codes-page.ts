import { html } from '../../pages/html'
import type { PageContent } from '../../pages/layout'
import type { MemberVisit } from '../../web/visit'
import { shownOnce } from '../shown-once'

/** `next` is the path that "done" links to. */
export const recoveryCodesPage = (
  { t, basePath }: MemberVisit,
  codes: readonly string[],
  next: string,
): PageContent =>
  shownOnce(
    t.recoveryCodes.title,
    html`
      <p>${t.recoveryCodes.keep}</p>
      <ul>${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>`,
    html`<a href="${basePath}${next}">${t.common.done}</a> ·
      <a href="${basePath}/settings/sessions">${t.sessions.title}</a>`,
  )
