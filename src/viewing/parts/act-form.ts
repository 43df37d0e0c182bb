import { html, type Markup } from '../../pages/html'
import { csrfInput } from '../../web/form-markup'
import { returnPath } from '../../web/return-to'
import type { Visit } from '../../web/visit'

interface ActForm {
  /** Of `data-act`, by which programs that test pages find the form. */
  readonly act: string
  readonly path: string
  readonly fields?: Readonly<Record<string, string | number>>
  /** Selectors of what the script replaces with the answered page's; without it, the page is loaded again. */
  readonly swap?: string
  /** For buttons that stand elsewhere in the page. */
  readonly id?: string
  /** Where its answer leads; this page unless said. */
  readonly returnTo?: string | undefined
  /** Where the script puts the focus once it is done; where it was unless said. */
  readonly focusNext?: 'search'
  /** With a text of 10,000 characters (D13), of which each Japanese one would be 9 bytes in a form's usual encoding. */
  readonly isLong?: true
}

export const longForm = html` enctype="multipart/form-data"`

/** A form whose act can be undone; its answer leads back to this page. */
export const actForm = (
  visit: Visit,
  { act, path, fields = {}, swap, id, returnTo, focusNext, isLong }: ActForm,
  body: Markup,
): Markup =>
  html`<form method="post" action="${visit.basePath}${path}" data-act="${act}"${isLong ? longForm : ''}${id === undefined ? '' : html` id="${id}"`}${swap === undefined ? '' : html` data-swap="${swap}"`}${focusNext === undefined ? '' : html` data-focus-next="${focusNext}"`}>
    ${csrfInput(visit)}<input type="hidden" name="return_to" value="${returnTo ?? returnPath(visit)}" />${Object.entries(
      fields,
    ).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}${body}
  </form>`
