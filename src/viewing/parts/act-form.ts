import { statusKinds } from '../../library/statuses'
import { html, type Markup } from '../../pages/html'
import { csrfInput } from '../../web/form-markup'
import { returnPath } from '../../web/return-to'
import type { Visit } from '../../web/visit'

interface ActForm {
  /** The value of `data-act`, which programs that test pages look for. */
  readonly act: string
  readonly path: string
  readonly fields?: Readonly<Record<string, string | number>>
  /** Selectors of fragments that the script replaces from the response; without it, the page is loaded again. */
  readonly swap?: string
  /** What the form is about, where its buttons do not say it: for the list of presses that wait. */
  readonly subject?: string
  /** For buttons elsewhere on the page. */
  readonly id?: string
  /** Where the response redirects; by default to this page. */
  readonly returnTo?: string | undefined
  /** Where the script moves the focus when done; by default it stays. */
  readonly focusNext?: 'search'
  /** For a text of 10,000 characters (D13), of which each Japanese one takes 9 bytes in a form's usual encoding. */
  readonly isLong?: true
}

export const longForm = html` enctype="multipart/form-data"`

/** A form for an act that can be undone; its response leads back to this page. */
export const actForm = (
  visit: Visit,
  { act, path, fields = {}, swap, id, returnTo, focusNext, isLong, subject }: ActForm,
  body: Markup,
): Markup =>
  html`<form method="post" action="${visit.basePath}${path}" data-act="${act}"${isLong ? longForm : ''}${id === undefined ? '' : html` id="${id}"`}${swap === undefined ? '' : html` data-swap="${swap}"`}${focusNext === undefined ? '' : html` data-focus-next="${focusNext}"`}${queue(path, subject)}>
    ${csrfInput(visit)}<input type="hidden" name="return_to" value="${returnTo ?? returnPath(visit)}" />${Object.entries(
      fields,
    ).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}${body}
  </form>`

/** Presses of these forms wait on the device until they are answered (D106): none of them destroys anything. */
const queueable = new Set([
  ...['/record', '/record/up_to', '/record/aired', '/skip', '/status', '/viewing', '/rating', '/notes'],
  ...['/episodes', '/laps', '/likes', '/past', '/lists/add'],
])

export const queue = (path: string, subject?: string): Markup | '' => {
  if (!queueable.has(path)) return ''
  return subject === undefined ? html` data-queue` : html` data-queue="${subject}"`
}

/** What `u`, and `s` with a digit, press for the chosen row of a list: rows have no room for these buttons. */
export function actsByKey(visit: Visit): Markup {
  const { t } = visit
  const buttons = statusKinds.map(
    (kind) => html`<button name="kind" value="${kind}">${t.statuses[kind]}</button>`,
  )
  const form = { act: 'status', path: '/status', fields: { work_id: '' }, swap: '#today' }
  const aired = { act: 'aired', path: '/record/aired', fields: { work_id: '' }, swap: '#today' }
  const catchUp = html`<button data-keys="u">${t.keys.upTo}</button>`
  return html`<div data-for-row hidden>${actForm(visit, form, html`${buttons}`)}${actForm(visit, aired, catchUp)}</div>`
}
