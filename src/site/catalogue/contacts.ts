import type { Config } from '../../config'
import { html, type Markup } from '../../pages/html'
import type { PageContext } from '../../pages/layout'
import type { AnySource } from '../../sources/source'
import { homeOf, hostsText, howOften, sourceText } from './source-text'

/** Every host that may be contacted, how often and what is sent, and the licences of what comes from there. */
export function contacts(pageContext: PageContext, sources: readonly AnySource[], config: Config): Markup {
  const { t } = pageContext
  const { about } = t.catalogue
  const annict = URL.parse(config.annictUrl)?.host ?? config.annictUrl
  const others = [about.annictImport(annict), about.pictures, about.mail, about.bucket, about.commands]
  return html`<h2 id="contacts">${about.contactsTitle}</h2>
    <p>${about.contactsExplained}</p>
    <dl class="contacts">${sources.map((source) => contact(pageContext, source))}</dl>
    <p>${about.others}</p>
    <ul>${others.map((one) => html`<li>${one}</li>`)}</ul>`
}

function contact(pageContext: PageContext, source: AnySource): Markup {
  const { t } = pageContext
  const { sends, attribution } = sourceText(t, source)
  return html`<dt><a href="${homeOf(pageContext, source)}" rel="noreferrer">${source.title}</a></dt>
    <dd><p>${hosts(t, source)} · ${howOften(t, source)}</p>
      <p>${t.catalogue.sent}${t.common.colon}${sends}</p>
      <p>${t.catalogue.licence}${t.common.colon}${attribution}</p></dd>`
}

const hosts = (t: PageContext['t'], source: AnySource): Markup =>
  source.hosts.length === 0
    ? html`${hostsText(t, source)}`
    : html`${source.hosts.map((host, index) => html`${index === 0 ? '' : ', '}<code>${host}</code>`)}`
