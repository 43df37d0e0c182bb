import { html, type Markup } from './html'
import type { PageContent, PageContext } from './layout'

export function keysPage({ t, basePath, member }: PageContext): PageContent {
  const title = t.keys.title
  const inList: readonly Key[] = [
    [['j', 'k'], t.keys.row],
    [['Enter'], t.keys.open],
    [['r'], t.keys.record],
    [['R'], t.keys.sheet],
    [['u'], t.keys.upTo],
    [['s', '1–5'], t.keys.status],
    [['1–4'], t.keys.rating],
    [['z'], t.keys.undo],
  ]
  const everywhere: readonly Key[] = [
    [['/'], t.keys.search],
    [['g', 't'], t.keys.track],
    [['g', 'f'], t.keys.find],
    [['g', 'l'], t.keys.library],
    [['g', 'm'], t.keys.me],
    [['[', ']'], t.keys.season],
    [['t'], t.keys.today],
    [['?'], t.keys.list],
    [['Esc'], t.keys.close],
  ]
  const off =
    member === undefined ? '' : html`<a href="${basePath}/settings/display#has_keys">${t.keys.switchOff}</a>`
  return {
    title,
    main: html`
      <h1>${title}</h1>
      <div class="keys-columns">
        ${column(t.keys.inList, inList)}
        ${column(t.keys.everywhere, everywhere)}
      </div>
      <p class="meta">${t.keys.notInFields} ${off}</p>`,
  }
}

type Key = readonly [keys: readonly string[], meaning: string]

const column = (heading: string, keys: readonly Key[]): Markup => html`<section>
          <h2>${heading}</h2>
          <dl>${keys.map(
            ([names, meaning]) =>
              html`<div><dt>${names.map((name) => html`<kbd>${name}</kbd>`)}</dt><dd>${meaning}</dd></div>`,
          )}</dl>
        </section>`
