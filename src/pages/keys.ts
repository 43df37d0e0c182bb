import { html, type Markup } from './html'
import type { PageContent, PageContext } from './layout'

/** The script shows only those that do something on the page below. */
export function keysPage({ t, basePath, member, preferences }: PageContext): PageContent {
  const title = t.keys.title
  const inList: readonly Key[] = [
    [['j', 'k'], t.keys.row, 'j'],
    [['Enter'], t.keys.open],
    [['r'], t.keys.record],
    [['R'], t.keys.sheet],
    [['u'], t.keys.upTo],
    [['s', '1'], t.statuses.wanna_watch],
    [['s', '2'], t.statuses.watching],
    [['s', '3'], t.statuses.watched],
    [['s', '4'], t.statuses.on_hold],
    [['s', '5'], t.statuses.stop_watching],
    [preferences.ratingDisplay === 'words' ? ['1–4'] : ['1–9', '0'], t.keys.rating, '1'],
    [['a'], t.lists.addTo],
    [['Alt', '↑', '↓'], t.keys.moveRow, 'Alt ArrowUp'],
    [['z'], t.keys.undo],
    [['Z'], t.keys.toUndo],
  ]
  const everywhere: readonly Key[] = [
    [['/'], t.keys.search],
    [['g', 't'], t.keys.track],
    [['g', 'f'], t.keys.find],
    [['g', 'l'], t.keys.library],
    [['g', 'm'], t.keys.me],
    [['g', 'c'], t.calendar.title],
    [['['], t.common.previous],
    [[']'], t.common.next],
    [['t'], t.keys.today],
    [['?'], t.keys.list, ''],
    [['Esc'], t.keys.close, ''],
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

/** `tried`: the key that tells whether a page has it, if it is not the one that is shown; '' if each has it. */
type Key = readonly [keys: readonly string[], meaning: string, tried?: string]

const column = (heading: string, keys: readonly Key[]): Markup => html`<section>
          <h2>${heading}</h2>
          <dl>${keys.map(
            ([names, meaning, tried = names.join(' ')]) =>
              html`<div${tried === '' ? '' : html` data-tried="${tried}"`}><dt>${names.map((name) => html`<kbd>${name}</kbd>`)}</dt><dd>${meaning}</dd></div>`,
          )}</dl>
        </section>`
