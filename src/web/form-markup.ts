import { pathOf } from '../http/edge'
import type { Words } from '../lib/words'
import { html, Markup } from '../pages/html'
import type { Look } from '../pages/layout'
import type { Field, Fields } from './fields'
import type { Typed } from './form'
import { formIdInput } from './sent-once'
import type { Visit } from './visit'

/** The markup of a form that is sent to the page it stands on, with what was typed and what is wrong with that. */
export function formMarkup(
  visit: Visit,
  { fields, button, once }: { fields: Fields; button: Words; once?: true },
  typed: Typed,
): Markup {
  const { look, request } = visit
  return html`
    ${summary(look, fields, typed)}
    <form method="post" action="${look.basePath}${pathOf(request.url)}">
      ${csrfInput(visit)}
      ${once ? formIdInput(visit) : ''}
      ${whosePassword(look, fields)}
      ${Object.entries(fields).map(([name, field]) => drawn(look, name, field, typed))}
      <button>${button[look.language]}</button>
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

/** All that is wrong, first on the page, where a screen reader begins (WCAG 3.3.1). */
function summary({ language, say }: Look, fields: Fields, { problems }: Typed): Markup | '' {
  const entries = Object.entries(problems)
  if (entries.length === 0) return ''
  const lines = entries.map(([name, problem]) => {
    const label = fields[name]?.label[language]
    return label === undefined || label === ''
      ? html`<li>${problem[language]}</li>`
      : html`<li><a href="#${name}">${label}</a>: ${problem[language]}</li>`
  })
  return html`<div class="problems" role="alert" tabindex="-1" autofocus>
    <h2>${say('This could not be done', '処理できませんでした')}</h2>
    <ul>${lines}</ul>
  </div>`
}

function drawn(look: Look, name: string, field: Field<unknown>, { texts, problems }: Typed): Markup {
  const text = texts[name] ?? ''
  if (field.control.kind === 'hidden') return html`<input type="hidden" name="${name}" value="${text}" />`
  const hint = field.hint?.[look.language]
  const problem = problems[name]?.[look.language]
  const described = [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(' ')
  const input = control(look, name, field, text, attributes(described, problem !== undefined))
  const label = html`<label for="${name}">${field.label[look.language]}</label>`
  return html`<div class="field">
    ${field.control.kind === 'checkbox' ? html`<div class="check">${input}${label}</div>` : label}
    ${hint === undefined ? '' : html`<p class="hint" id="${name}-hint">${hint}</p>`}
    ${problem === undefined ? '' : html`<p class="problem" id="${name}-problem">${problem}</p>`}
    ${field.control.kind === 'checkbox' ? '' : input}
  </div>`
}

function attributes(described: string, isWrong: boolean): Markup {
  const by = described === '' ? html`` : html` aria-describedby="${described}"`
  return isWrong ? html`${by} aria-invalid="true"` : by
}

function control(look: Look, name: string, field: Field<unknown>, text: string, others: Markup): Markup {
  const input = field.control
  switch (input.kind) {
    case 'lines':
      // The first line feed of a textarea is not part of its text.
      return html`<textarea id="${name}" name="${name}" rows="4"${flags(input)}${others}>${'\n'}${text}</textarea>`
    case 'checkbox':
      return html`<input type="checkbox" id="${name}" name="${name}" value="1"${new Markup(text === '' ? '' : ' checked')}${others} />`
    case 'choice':
      return html`<select id="${name}" name="${name}"${others}>
        ${Object.entries(input.options).map(([value, label]) => option(value, label[look.language], value === text))}
      </select>`
    case 'password':
      // What was typed is never sent back.
      return html`<input type="password" id="${name}" name="${name}" autocomplete="${input.autocomplete}"${flags(input)}${others} />`
    case 'hidden':
      return html``
    default:
      return html`<input type="${input.kind}" id="${name}" name="${name}" value="${text}" autocomplete="${input.autocomplete}" autocapitalize="off" spellcheck="false"${flags(input)}${others} />`
  }
}

const flags = ({ required }: { required: boolean }) => new Markup(required ? ' required' : '')

const option = (value: string, label: string, isChosen: boolean) =>
  html`<option value="${value}"${new Markup(isChosen ? ' selected' : '')}>${label}</option>`
