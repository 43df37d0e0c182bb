import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type RawValues, textOrBlank } from '../../http/request-values'
import { uploadDirectory } from '../../http/upload/directory'
import { statusKinds } from '../../library/statuses'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import {
  dropTable,
  forgetShape,
  mostColumns,
  rememberedColumns,
  shapesOf,
  type WaitingTable,
  waitingTable,
} from '../../transfer/batch/tables'
import { csvCells } from '../../transfer/file/csv'
import { columnsIn, columnsSaid, knownColumns, tableFields } from '../../transfer/readers/table/columns'
import { positiveInteger } from '../../values/number'
import { defineAction } from '../../web/form'
import { csrfInput } from '../../web/form-markup'
import { definePage, seeOther } from '../../web/page'
import { readOrNotFound } from '../../web/visit'
import { type ImportVisit, importer } from './import-visit'
import { readList } from './read-list'

const path = '/settings/import/columns'

/** Asks which column of a table is which, with its first lines. */
export const columnsPage = definePage({
  path,
  access: importer,
  show: async (visit) => {
    const table = await waitingTable(visit.deps.seen, visit.session.userId)
    return table === undefined ? seeOther(visit, '/settings/import') : await showColumns(visit, table)
  },
})

export const columnsAction = defineAction({
  path,
  access: importer,
  run: async (visit, sent) => {
    const { deps, session } = visit
    const table = await waitingTable(deps.seen, session.userId)
    if (table === undefined) return seeOther(visit, '/settings/import')
    const columns = columnsText(sent)
    const refuse = (sentence: string) => showColumns(visit, table, { columns, sentence })
    const { header } = await startOf(table)
    if (columnsIn(columns, header) === undefined) return await refuse(visit.t.listImports.columns.tooFew)
    const file = join(uploadDirectory(deps), `table-${crypto.randomUUID()}`)
    try {
      await Bun.write(file, table.content, { mode: 0o600 })
      const answer = await readList(
        visit,
        { path: file, name: table.name },
        { source: 'csv', columns },
        refuse,
      )
      if (answer instanceof Response) await deps.write((tx) => dropTable(tx, session.userId))
      return answer
    } finally {
      await rm(file, { force: true })
    }
  },
})

export const forgetColumns = defineAction({
  path: '/settings/import/tables/:table/forget',
  access: importer,
  run: async (visit) => {
    const id = readOrNotFound(positiveInteger, visit.params.table)
    await visit.deps.write((tx) => forgetShape(tx, visit.session.userId, id))
    return seeOther(visit, '/settings/import')
  },
})

/** Of several columns with one meaning the first. */
function columnsText(sent: RawValues): string {
  const chosen = new Map<string, number>()
  for (let column = 1; column <= mostColumns; column += 1) {
    const field = textOrBlank(sent, `column_${column}`)
    if (field !== '' && !chosen.has(field)) chosen.set(field, column)
  }
  const all = textOrBlank(sent, 'all')
  return [
    ...[...chosen].map(([field, at]) => `${field}=${at}`),
    ...(all === '' ? [] : [`status=:${all}`]),
  ].join(',')
}

/** The names of the columns, and the first lines below them. */
async function startOf({ name, content }: WaitingTable) {
  const bytes = async function* () {
    yield content
  }
  const lines: (readonly string[])[] = []
  for await (const cells of csvCells({ name, bytes })) if (lines.push(cells) > shownLines) break
  const [header = [], ...first] = lines
  return { header: header.slice(0, mostColumns).map((one) => one.trim()), first }
}

const shownLines = 4

async function showColumns(
  visit: ImportVisit,
  table: WaitingTable,
  refused?: { readonly columns: string; readonly sentence: string },
): Promise<PageContent> {
  const { t, basePath, deps, session } = visit
  const words = t.listImports.columns
  const { header, first } = await startOf(table)
  const said = refused && columnsSaid(refused.columns, header)
  const known = said ?? (await rememberedColumns(deps.seen, session.userId, header)) ?? knownColumns(header)
  const line = (name: string, at: number) => {
    const samples = first.map((cells) => cells[at]?.slice(0, 60) ?? '').filter((cell) => cell !== '')
    const chosen = tableFields.find((field) => known.columns[field] === at)
    const option = (field: string, text: string) =>
      html`<option value="${field}"${field === (chosen ?? '') ? html` selected` : ''}>${text}</option>`
    return html`<tr><th scope="row" id="name-${at + 1}">${name === '' ? `${at + 1}` : name}<small class="import-sample">${samples.join(' · ')}</small></th>
      <td><select name="column_${at + 1}" aria-labelledby="name-${at + 1}">${option('', words.none)}${tableFields.map((field) => option(field, words.fields[field]))}</select></td></tr>`
  }
  const status = (kind: string, text: string) =>
    html`<option value="${kind}"${kind === (known.all ?? '') ? html` selected` : ''}>${text}</option>`
  const main = html`<h1>${words.title}</h1>
    <div class="import-choose"><p class="soft">${words.explained}</p><p class="meta file-name">${table.name}</p>
    ${refused === undefined ? '' : html`<div class="problems refusal" role="alert" tabindex="-1" autofocus>${icon('warning')}<div><p>${refused.sentence}</p></div></div>`}
    <form method="post" action="${basePath}${path}">${csrfInput(visit)}
      <table class="dense import-columns"><thead><tr><th scope="col">${words.column}</th><th scope="col">${words.meaning}</th></tr></thead>
      <tbody>${header.map(line)}</tbody></table>
      <div class="field"><label for="all">${words.all}</label>
        <select id="all" name="all">${status('', words.asInColumn)}${statusKinds.map((kind) => status(kind, t.statuses[kind]))}</select></div>
      <button class="filled wide">${words.read}</button></form></div>`
  return { title: words.title, main, status: refused === undefined ? 200 : 422 }
}

/** The tables whose columns the user has named, each with a button to name them anew the next time. */
export async function namedTables(visit: ImportVisit): Promise<Markup> {
  const { t, basePath, deps, session } = visit
  const shapes = await shapesOf(deps.seen, session.userId)
  if (shapes.length === 0) return html``
  const words = t.listImports.columns
  return html`<details class="fold-line"><summary>${words.remembered}${icon('down', 16)}</summary><ul class="rows">${shapes.map(
    ({ id, header, columns }) => {
      const named = tableFields.flatMap((field) => {
        const at = columns.columns[field]
        return at === undefined ? [] : [`${header[at]} → ${words.fields[field]}`]
      })
      return html`<li class="row"><div class="text">${named.join(t.common.comma)}</div>
        <form method="post" action="${basePath}/settings/import/tables/${id}/forget">${csrfInput(visit)}<button class="small" aria-label="${words.forgetName(header.join(', ').slice(0, 100))}">${words.forget}</button></form></li>`
    },
  )}</ul></details>`
}
