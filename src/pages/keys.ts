import { html, type Markup } from './html'
import type { PageContent, PageContext } from './layout'

/** The script hides those that the page below does not have. */
export function keysPage({ t, basePath, member }: PageContext): PageContent {
  const title = t.keys.title
  const inList: readonly Key[] = [
    [['j', 'k'], t.keys.row, 'j'],
    [['Enter'], t.keys.open, 'j'],
    [['r'], t.keys.record],
    [['R'], t.keys.sheet],
    [['u'], t.keys.upTo],
    [['s', '1–5'], t.keys.status, 's 1'],
    [['1–4'], t.keys.rating, '1'],
    [['z'], t.keys.undo],
    [['Z'], t.keys.toUndo],
  ]
  const everywhere: readonly Key[] = [
    [['/'], t.keys.search],
    [['g', 't'], t.keys.track, 'g t'],
    [['g', 'f'], t.keys.find, 'g f'],
    [['g', 'l'], t.keys.library, 'g l'],
    [['g', 'm'], t.keys.me, 'g m'],
    [['g', 'c'], t.calendar.title, 'g c'],
    [['[', ']'], t.keys.season, '['],
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

/** `tried`: the key that tells whether a page has it, if it is not the one that is shown. */
type Key = readonly [keys: readonly string[], meaning: string, tried?: string]

const column = (heading: string, keys: readonly Key[]): Markup => html`<section>
          <h2>${heading}</h2>
          <dl>${keys.map(
            ([names, meaning, tried = names.join(' ')]) =>
              html`<div data-tried="${tried}"><dt>${names.map((name) => html`<kbd>${name}</kbd>`)}</dt><dd>${meaning}</dd></div>`,
          )}</dl>
        </section>`
