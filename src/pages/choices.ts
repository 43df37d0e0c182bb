import { html, type Markup } from './html'
import { icon } from './icons'
import type { PageContext } from './layout'

/** A name and its current value, linked to `path`, where it is changed. */
export interface SettingLink {
  readonly path: string
  readonly name: string
  readonly value?: string | Markup
}

export const choiceList = (
  { basePath }: PageContext,
  heading: string,
  choices: readonly SettingLink[],
): Markup => html`<section>
    <h2 class="choices-head">${heading}</h2>
    <ul class="choices">
      ${choices.map(
        ({ path, name, value }) =>
          html`<li><a href="${basePath}${path}"><b>${name}</b>${
            value === undefined
              ? ''
              : html`
        <span class="value">${value}</span>`
          }${icon('next', 16)}</a></li>`,
      )}
    </ul>
  </section>`

export const backLink = (
  { basePath }: PageContext,
  { path, name }: { readonly path: string; readonly name: string },
): Markup => html`<a class="back" href="${basePath}${path}">${icon('back', 16)}${name}</a>`
