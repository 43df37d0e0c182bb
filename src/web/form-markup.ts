import { pathOf } from '../http/incoming'
import type { RawValues } from '../http/request-values'
import type { Message } from '../messages/languages'
import { html, type Markup } from '../pages/html'
import type { PageContext } from '../pages/layout'
import { fieldMarkup } from './field-markup'
import type { FormFields } from './fields'
import { formIdInput } from './sent-once'
import type { Visit } from './visit'

/** Texts as typed, and problems by field ('' is the whole form). */
export interface FormState {
  readonly texts: Readonly<Record<string, string>>
  readonly problems: Readonly<Record<string, Message>>
  readonly sent?: RawValues
  /** Stands above the fields. */
  readonly above?: Markup | undefined
}

/**
 * `novalidate`: browsers report one wrong field at a time and in their own language, so only the server checks. `action`
 * is by default this page's path.
 */
export function formMarkup(
  visit: Visit,
  form: {
    fields: FormFields
    button: Message
    once?: true
    isDestructive?: true
    isSecond?: boolean | undefined
    act?: string
  },
  state: FormState,
  action = pathOf(visit.request.url),
): Markup {
  const { fields, button, once, isDestructive, isSecond = false, act } = form
  const usual = isSecond ? '' : 'filled'
  const firstWrong = Object.keys(fields).find((name) => state.problems[name] !== undefined)
  return html`
    ${summary(visit, fields, state, firstWrong !== undefined)}
    <form method="post" action="${visit.basePath}${action}"${act === undefined ? '' : html` data-act="${act}"`}${takesFile(fields) ? html` enctype="multipart/form-data"` : ''} novalidate>
      ${csrfInput(visit)}
      ${once ? formIdInput(visit) : ''}
      ${usernameInput(visit, fields)}
      ${state.above ?? ''}
      ${Object.entries(fields).map(([name, field]) => {
        const text = state.texts[name] ?? ''
        return fieldMarkup(visit, {
          name,
          field,
          text,
          problem: state.problems[name],
          hasFocus: name === firstWrong,
        })
      })}
      <button class="${isDestructive ? 'destroy' : usual}">${button(visit.t)}</button>
    </form>`
}

export const takesFile = (fields: FormFields): boolean =>
  Object.values(fields).some(({ control }) => control.kind === 'file')

/** A hidden user name for password managers; the server ignores it. */
function usernameInput({ member }: PageContext, fields: FormFields): Markup | '' {
  const asks = Object.values(fields).some(
    ({ control }) => control.kind === 'password' && control.autocomplete === 'current-password',
  )
  if (member === undefined || !asks || 'username' in fields) return ''
  return html`<input type="text" name="username" value="${member.username}" autocomplete="username" readonly hidden />`
}

export const csrfInput = (visit: Visit): Markup =>
  html`<input type="hidden" name="csrf" value="${visit.csrf()}" />`

export function buttonForm(visit: Visit, path: string, label: string, kind: '' | 'danger' | 'small' = '') {
  return html`<form method="post" action="${visit.basePath}${path}">
    ${csrfInput(visit)}<button class="${kind}">${label}</button>
  </form>`
}

/** What is wrong, where there is no form to show it. */
export const problemSummary = (page: PageContext, text: Message): Markup =>
  html`${summary(page, {}, { texts: {}, problems: { '': text } }, false)}`

/** The error summary (WCAG 3.3.1). Focus goes to the first wrong field, else here. */
function summary(
  { t }: PageContext,
  fields: FormFields,
  { problems }: FormState,
  isAboutField: boolean,
): Markup | '' {
  const entries = Object.entries(problems)
  if (entries.length === 0) return ''
  const lines = entries.map(([name, problem]) => {
    const label = fields[name]?.label(t)
    const text = problem(t)
    if (label === undefined || label === '') return html`<li>${text}</li>`
    return text.toLowerCase().includes(label.toLowerCase())
      ? html`<li><a href="#${name}">${text}</a></li>`
      : html`<li><a href="#${name}">${label}</a>${t.common.colon}${text}</li>`
  })
  if (!isAboutField)
    return html`<div class="problems" role="alert" tabindex="-1" autofocus><ul>${lines}</ul></div>`
  return html`<div class="problems" role="alert"><h2>${t.form.check}</h2><ul>${lines}</ul></div>`
}
