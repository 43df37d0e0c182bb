import { errorTypes } from '../http/errors'
import { html } from './html'
import type { PageContent, PageContext } from './layout'

/** Each error at the anchor that error responses link to (D27). */
export const errorsPage = ({ t }: PageContext): PageContent => ({
  title: t.apiErrors.title,
  main: html`
      <h1>${t.apiErrors.title}</h1>
    <div lang="en">
      <p>
        Every error under <code>/v1</code> has one shape: an array <code>errors</code> with one object per
        violation, each with <code>type</code>, <code>message</code> (for the end user),
        <code>developer_message</code> (the parameter and the rule) and <code>url</code> (a section of this page).
      </p>
      ${Object.entries(errorTypes).map(
        ([type, { status, meaning }]) => html`
          <section id="${type}">
            <h2><code>${type}</code> <small>${status}</small></h2>
            <p>${meaning}</p>
          </section>`,
      )}</div>`,
})
