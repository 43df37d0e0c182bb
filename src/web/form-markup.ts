import { pathOf } from '../http/incoming'
import type { Message } from '../messages/languages'
import { html, type Markup } from '../pages/html'
import type { Look } from '../pages/layout'
import { fieldMarkup } from './field-markup'
import type { Fields } from './fields'
import { formIdInput } from './sent-once'
import type { Visit } from './visit'

/** What a form says of what was typed: the texts as they were, and what is wrong with some of them ('' for all). */
export interface Typed {
  readonly texts: Readonly<Record<string, string>>
  readonly problems: Readonly<Record<string, Message>>
}

/**
 * The markup of a form that is sent to the page it stands on, with what was typed and what is wrong with that. Browsers
 * would tell of one wrong field at a time, in their own language: so the server checks alone.
 */
export function formMarkup(
  visit: Visit,
  form: { fields: Fields; button: Message; once?: true; isDestructive?: true },
  typed: Typed,
): Markup {
  const { look, request } = visit
  const { fields, button, once, isDestructive } = form
  const firstWrong = Object.keys(fields).find((name) => typed.problems[name] !== undefined)
  return html`
    ${summary(look, fields, typed, firstWrong !== undefined)}
    <form method="post" action="${look.basePath}${pathOf(request.url)}" novalidate>
      ${csrfInput(visit)}
      ${once ? formIdInput(visit) : ''}
      ${whosePassword(look, fields)}
      ${Object.entries(fields).map(([name, field]) => {
        const text = typed.texts[name] ?? ''
        return fieldMarkup(look, {
          name,
          field,
          text,
          problem: typed.problems[name],
          hasFocus: name === firstWrong,
        })
      })}
      <button${isDestructive ? html` class="destroy"` : ''}>${button(look.t)}</button>
    </form>`
}

/** Tells password managers whose password a form asks for, when no field of it does. Nobody reads what it sends. */
function whosePassword({ member }: Look, fields: Fields): Markup | '' {
  const asks = Object.values(fields).some(
    ({ control }) => control.kind === 'password' && control.autocomplete === 'current-password',
  )
  if (member === undefined || !asks || 'username' in fields) return ''
  return html`<input type="text" name="username" value="${member.username}" autocomplete="username" readonly hidden />`
}

/** The input that every form needs. */
export const csrfInput = (visit: Visit): Markup =>
  html`<input type="hidden" name="csrf" value="${visit.csrf()}" />`

/** A form that is one button. */
export function buttonForm(visit: Visit, path: string, label: string, kind: 'plain' | 'danger' = 'plain') {
  return html`<form method="post" action="${visit.look.basePath}${path}">
    ${csrfInput(visit)}<button class="${kind}">${label}</button>
  </form>`
}

/** All that is wrong, first on the page (WCAG 3.3.1). The focus goes to the first wrong field, else here. */
function summary({ t }: Look, fields: Fields, { problems }: Typed, isAboutField: boolean): Markup | '' {
  const entries = Object.entries(problems)
  if (entries.length === 0) return ''
  const lines = entries.map(([name, problem]) => {
    const label = fields[name]?.label(t)
    const text = problem(t)
    return label === undefined || label === ''
      ? html`<li>${text}</li>`
      : html`<li><a href="#${name}">${label}</a>${t.common.colon}${text}</li>`
  })
  return html`<div class="problems" role="alert" ${isAboutField ? '' : html`tabindex="-1" autofocus`}>
    <h2>${isAboutField ? t.form.check : t.form.failed}</h2>
    <ul>${lines}</ul>
  </div>`
}
