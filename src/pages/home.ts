import { version } from '../version'
import { html } from './html'
import { type Look, page } from './layout'

/** The first page: what this is, what it holds, where to go from here. */
export const homePage = (look: Look, held: { works: number; episodes: number; users: number }) =>
  page(
    look,
    'kiroku',
    html`
      <h1>A viewing log for anime</h1>
      <p>This instance of kiroku ${version} keeps its own catalogue and what its people watch.</p>
      <dl class="figures">
        <div><dt>Works</dt><dd>${grouped(held.works)}</dd></div>
        <div><dt>Episodes</dt><dd>${grouped(held.episodes)}</dd></div>
        <div><dt>Users</dt><dd>${grouped(held.users)}</dd></div>
      </dl>
      <p>
        Clients speak to it through the <a href="${look.basePath}/docs">REST API</a>, which takes the requests
        that Annict's v1 takes.
      </p>`,
  )

const grouped = (count: number) => count.toLocaleString('en')
