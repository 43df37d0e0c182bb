import type { Messages } from '../../messages/en'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContext } from '../../pages/layout'
import { sourceNames } from '../../transfer/source-names'
import { type Source, sources } from '../../transfer/sources'

/** `chosen`: '' to detect the source. */
export function sourceSelect({ t }: PageContext, chosen: string): Markup {
  const option = (value: string, name: string) =>
    html`<option value="${value}"${value === chosen ? html` selected` : ''}>${name}</option>`
  return html`<div class="field"><label for="source">${t.listImports.what}</label>
    <select id="source" name="source">${option('', t.listImports.findOut)}${sources.map((source) =>
      option(source, sourceNames[source]),
    )}${option(ownColumns, t.listImports.columns.choose)}</select></div>`
}

/** Instead of a source: a table whose columns are to be named, even if they are known. */
export const ownColumns = 'columns'

export const sourceIn = (text: string): Source | undefined => sources.find((source) => source === text)

/** Where users get the file of each source. */
export function whereToGetIt({ t }: PageContext): Markup {
  const lines = sources.flatMap((source) => {
    const text = placeOf(t, source)
    return text === undefined ? [] : [html`<div><dt>${sourceNames[source]}</dt><dd>${text}</dd></div>`]
  })
  return html`<details class="fold-line"><summary>${t.listImports.where}${icon('down', 16)}</summary>
    <dl class="places">${lines}</dl></details>`
}

const placeOf = (t: Messages, source: Source): string | undefined =>
  isPlace(t.listImports.places, source) ? t.listImports.places[source] : undefined

const isPlace = (places: Messages['listImports']['places'], source: string): source is keyof typeof places =>
  source in places
