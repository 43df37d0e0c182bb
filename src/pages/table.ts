import { html, type Markup } from './html'

type Cell = string | number | Markup

/** `head` is '' for a column of actions. */
type Column<R> = readonly [head: string, cell: (row: R) => Cell]

/** Narrow screens show rows as blocks, which loses a table's semantics: hence the roles. */
export const table = <R>(rows: readonly R[], columns: readonly Column<R>[]): Markup =>
  html`<div class="scroll"><table role="table">
    <thead role="rowgroup"><tr role="row">${columns.map(([head]) => headCell(head))}</tr></thead>
    <tbody role="rowgroup">${rows.map((row) => tableRow(row, columns))}</tbody>
  </table></div>`

const headCell = (head: string): Markup =>
  head === '' ? html`<td role="cell"></td>` : html`<th role="columnheader" scope="col">${head}</th>`

function tableRow<R>(row: R, columns: readonly Column<R>[]): Markup {
  const [subject, ...others] = columns
  const labelled = others.map(([head, cell]) => bodyCell(head, cell(row)))
  return html`<tr role="row"><th role="rowheader" scope="row">${subject?.[1](row) ?? ''}</th>${labelled}</tr>`
}

const bodyCell = (head: string, cell: Cell): Markup =>
  head === ''
    ? html`<td role="cell" class="actions">${cell}</td>`
    : html`<td role="cell" data-label="${head}">${cell}</td>`
