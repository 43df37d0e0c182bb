import { version } from '../version'
import { html } from './html'
import type { PageContent, PageContext } from './layout'

export const aboutPage = ({ t, basePath }: PageContext): PageContent => ({
  title: t.layout.about,
  main: html`
      <h1>${t.layout.about}</h1>
      <p>${t.about.licence(version)}</p>
      <p><a href="${basePath}/about/data">${t.about.toData}</a></p>`,
})
