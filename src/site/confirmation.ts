import { sentence, type Words } from '../lib/words'
import { html, type Markup } from '../pages/html'
import type { Shown } from '../pages/layout'
import type { MemberVisit } from '../web/visit'

/** What somebody is asked before something that cannot be undone. */
export interface Question {
  readonly title: Words
  /** What then happens. */
  readonly text: Words
  /** Where to go instead. */
  readonly back: string
}

/** The page between a link and what cannot be undone: `form` is the button that does it. */
export function confirmation({ look }: MemberVisit, form: Markup, { title, text, back }: Question): Shown {
  const { language, say, basePath } = look
  return {
    title: title[language],
    main: html`
      <h1>${title[language]}</h1>
      <p>${sentence(text)[language]}</p>
      ${form}
      <p><a href="${basePath}${back}">${say('Cancel', 'キャンセル')}</a></p>`,
  }
}

/** A link to such a page, for a row of a table; `subject` is what the row is about. */
export const dangerLink = ({ look }: MemberVisit, path: string, label: string, subject: string): Markup =>
  html`<a class="danger" href="${look.basePath}${path}" aria-label="${label}${look.say(': ', '：')}${subject}">${label}</a>`

/** The last part of a page: what does harm, apart from everything else. */
export const dangerZone = (title: string, content: Markup): Markup =>
  html`<section class="danger-zone"><h2>${title}</h2>${content}</section>`
