import { version } from '../version'
import { html, type Markup } from './html'
import type { Look, Shown } from './layout'

interface HomeCounts {
  readonly works: number
  readonly episodes: number
  readonly users: number
}

/** The first page: what this is, what it holds, where to go from here. */
export function homePage(look: Look, counts: HomeCounts): Shown {
  const { t, basePath } = look
  const main = html`
      <h1>${t.home.title}</h1>
      <p>${t.home.explained(version)}</p>
      ${figures(look, counts)}
      ${look.member?.isAdmin && counts.users === 1 ? nextSteps(look) : ''}
      <p><a href="${basePath}/docs">${t.home.api}</a></p>`
  return { title: 'kiroku', main }
}

const figures = ({ t }: Look, counts: HomeCounts): Markup => {
  const { format } = new Intl.NumberFormat(t.language.locale)
  return html`
      <dl class="figures">
        <div><dt>${t.home.works}</dt><dd>${format(counts.works)}</dd></div>
        <div><dt>${t.home.episodes}</dt><dd>${format(counts.episodes)}</dd></div>
        <div><dt>${t.home.users}</dt><dd>${format(counts.users)}</dd></div>
      </dl>`
}

/** What whoever has just set the instance up wants to do. */
function nextSteps({ t, basePath }: Look): Markup {
  const step = (path: string, label: string) => html`<li><a href="${basePath}${path}">${label}</a></li>`
  return html`
      <h2>${t.home.nextSteps}</h2>
      <ul>
        ${step('/admin/invitations', t.home.invite)}
        ${step('/oauth/applications', t.applications.register)}
        ${step('/settings/tokens', t.home.createToken)}
        ${step('/settings', t.home.reviewSettings)}
      </ul>`
}
