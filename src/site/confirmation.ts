import type { Message } from '../messages/languages'
import { html, type Markup } from '../pages/html'
import type { PageContent } from '../pages/layout'
import type { MemberVisit } from '../web/visit'

/** What somebody is asked before something that cannot be undone. */
export interface Question {
  readonly title: Message
  /** What then happens. */
  readonly text: Message
  /** Where to go instead. */
  readonly back: string
}

/** The page between a link and what cannot be undone: `form` is the button that does it. */
export function confirmation(
  { pageContext }: MemberVisit,
  form: Markup,
  { title, text, back }: Question,
): PageContent {
  const { t, basePath } = pageContext
  return {
    title: title(t),
    main: html`
      <h1>${title(t)}</h1>
      <p>${text(t)}</p>
      ${form}
      <p><a href="${basePath}${back}">${t.common.cancel}</a></p>`,
  }
}

/** A link to such a page, for a row of a table; `subject` is what the row is about. */
export const dangerLink = (
  { pageContext }: MemberVisit,
  path: string,
  label: string,
  subject: string,
): Markup =>
  html`<a class="danger" href="${pageContext.basePath}${path}" aria-label="${label}${pageContext.t.common.colon}${subject}">${label}</a>`

/** The last part of a page: what does harm, apart from everything else. */
export const dangerZone = (title: string, content: Markup): Markup =>
  html`<section class="danger-zone"><h2>${title}</h2>${content}</section>`
