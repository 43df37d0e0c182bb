import type { Message } from '../messages/languages'
import { html, Markup } from '../pages/html'
import type { PageContext } from '../pages/layout'
import { readerTime } from '../pages/local-format'
import { zoneOptions } from '../pages/zone-options'
import type { Control, ExplainedOption, FormField } from './fields'

export interface ShownField {
  readonly name: string
  readonly field: FormField<unknown>
  readonly text: string
  readonly problem: Message | undefined
  readonly hasFocus: boolean
}

/** Label, hint, problem and the input that refers to them (WCAG 1.3.1, 3.3.1). */
export function fieldMarkup(pageContext: PageContext, shown: ShownField): Markup {
  const { name, field, text } = shown
  const { kind } = field.control
  if (kind === 'hidden') return html`<input type="hidden" name="${name}" value="${text}" />`
  if (field.control.kind === 'radios') return radioGroup(pageContext, shown, field.control.options)
  if (field.control.kind === 'segments') return segmentGroup(pageContext, shown, field.control.options)
  const label = html`<label for="${name}">${field.label(pageContext.t)}</label>`
  const input = inputMarkup(pageContext, shown, field.control)
  return html`<div class="field">
    ${kind === 'checkbox' ? html`<div class="check">${input}${label}</div>` : label}
    ${kind === 'checkbox' ? '' : input}
    ${hintAndProblem(pageContext, shown)}
  </div>`
}

function hintAndProblem({ t }: PageContext, { name, field, problem }: ShownField): Markup {
  const hint = field.hint?.(t)
  return html`
    ${hint === undefined ? '' : html`<p class="hint" id="${name}-hint">${hint}</p>`}
    ${problem === undefined ? '' : html`<p class="problem" id="${name}-problem">${problem(t)}</p>`}`
}

function radioGroup(
  pageContext: PageContext,
  shown: ShownField,
  options: Readonly<Record<string, ExplainedOption>>,
): Markup {
  const { name, field, text, problem } = shown
  const values = Object.keys(options)
  const chosen = values.includes(text) ? text : values[0]
  const radio = ([value, { label, hint, lang }]: [string, ExplainedOption], index: number) => {
    const id = index === 0 ? name : `${name}-${index + 1}`
    const isWrong = problem !== undefined && index === 0
    return html`<div class="check">
      <input type="radio" id="${id}" name="${name}" value="${value}" aria-describedby="${id}-means"${flag('checked', value === chosen)}${flag('autofocus', shown.hasFocus && index === 0)}${isWrong ? html` aria-invalid="true"` : ''} />
      <div><label for="${id}">${label(pageContext.t)}</label><p class="hint" id="${id}-means"${lang === undefined ? '' : html` lang="${lang}"`}>${hint(pageContext.t)}</p></div>
    </div>`
  }
  return html`<fieldset class="field"${described(shown)}>
    <legend>${field.label(pageContext.t)}</legend>
    <div>${Object.entries(options).map(radio)}</div>
    ${hintAndProblem(pageContext, shown)}
  </fieldset>`
}

function segmentGroup(
  pageContext: PageContext,
  shown: ShownField,
  options: Readonly<Record<string, Message>>,
): Markup {
  const { name, field, text } = shown
  const values = Object.keys(options)
  const chosen = values.includes(text) ? text : values[0]
  const segment = ([value, label]: [string, Message], index: number) => {
    const id = index === 0 ? name : `${name}-${index + 1}`
    return html`<label for="${id}"><input type="radio" id="${id}" name="${name}" value="${value}"${flag('checked', value === chosen)}${flag('autofocus', shown.hasFocus && index === 0)} />${label(pageContext.t)}</label>`
  }
  return html`<fieldset class="field"${described(shown)}>
    <legend>${field.label(pageContext.t)}</legend>
    <div class="segments">${Object.entries(options).map(segment)}</div>
    ${hintAndProblem(pageContext, shown)}
  </fieldset>`
}

type Input = Exclude<Control, { kind: 'hidden' | 'radios' | 'segments' }>

function inputMarkup(pageContext: PageContext, shown: ShownField, input: Input): Markup {
  const { name, text } = shown
  const start = html`id="${name}" name="${name}"`
  const end = html`${described(shown)}${flag('autofocus', shown.hasFocus)}`
  switch (input.kind) {
    case 'lines':
      // Browsers drop the first line feed in a textarea.
      return html`<textarea ${start} rows="4"${flag('required', input.required)}${end}>${'\n'}${text}</textarea>`
    case 'checkbox':
      return html`<input type="checkbox" ${start} value="1"${flag('checked', text !== '')}${end} />`
    case 'choice':
      return html`<select ${start}${end}>
        ${Object.entries(input.options).map(
          ([value, label]) =>
            html`<option value="${value}"${flag('selected', value === text)}>${label(pageContext.t)}</option>`,
        )}
      </select>`
    case 'zone':
      return html`<select ${start}${end}>
        <option value="">${pageContext.t.preferences.zoneOfBrowser}</option>
        ${zoneOptions(pageContext.now, text)}
      </select>
      <p class="hint">${pageContext.t.preferences.nowThere(readerTime(pageContext, pageContext.now).clock)}</p>`
    case 'file':
      return html`<input type="file" ${start} accept="${input.accept}" required${end} />`
    case 'password':
      return html`<input type="password" ${start} autocomplete="${input.autocomplete}"${flag('required', input.required)}${end} />`
    default:
      return html`<input type="${input.kind}" ${start} value="${text}" autocomplete="${input.autocomplete}" autocapitalize="off" spellcheck="false"${flag('required', input.required)}${end} />`
  }
}

function described({ name, field, problem }: ShownField): Markup {
  const ids = [
    ...(field.hint === undefined ? [] : [`${name}-hint`]),
    ...(problem === undefined ? [] : [`${name}-problem`]),
  ]
  const by = ids.length === 0 ? html`` : html` aria-describedby="${ids.join(' ')}"`
  const isGroup = field.control.kind === 'radios' || field.control.kind === 'segments'
  return problem === undefined || isGroup ? by : html`${by} aria-invalid="true"`
}

const flag = (name: string, isOn: boolean) => new Markup(isOn ? ` ${name}` : '')
