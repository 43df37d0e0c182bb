import type { Message } from '../messages/languages'
import { html, type Markup } from '../pages/html'
import type { PageContent } from '../pages/layout'
import type { MemberVisit } from '../web/visit'

export interface ConfirmationTexts {
  readonly title: Message
  readonly text: Message
  readonly back: string
}

export function confirmation(
  { t, basePath }: MemberVisit,
  form: Markup,
  { title, text, back }: ConfirmationTexts,
): PageContent {
  return {
    title: title(t),
    main: html`
      <h1>${title(t)}</h1>
      <p>${text(t)}</p>
      ${form}
      <p><a href="${basePath}${back}">${t.common.cancel}</a></p>`,
  }
}

/** A link to a confirmation page; `subject` names the table row for screen readers. */
export const dangerLink = (
  { basePath, t }: MemberVisit,
  path: string,
  label: string,
  subject: string,
): Markup =>
  html`<a class="danger" href="${basePath}${path}" aria-label="${label}${t.common.colon}${subject}">${label}</a>`

/** Destructive actions, set apart at the end of the page. */
export const dangerZone = (title: string, content: Markup): Markup =>
  html`<section class="danger-zone"><h2>${title}</h2>${content}</section>`
