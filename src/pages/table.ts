import { html, type Markup } from './html'

type Cell = string | number | Markup

/** A head '' is for actions. Narrow screens show rows as blocks, which loses a table's semantics: hence the roles. */
export function table(heads: readonly string[], rows: readonly (readonly Cell[])[]): Markup {
  return html`<div class="scroll"><table role="table">
    <thead role="rowgroup"><tr role="row">${heads.map(headCell)}</tr></thead>
    <tbody role="rowgroup">${rows.map((cells) => row(heads, cells))}</tbody>
  </table></div>`
}

const headCell = (head: string): Markup =>
  head === '' ? html`<td role="cell"></td>` : html`<th role="columnheader" scope="col">${head}</th>`

function row(heads: readonly string[], [subject = '', ...cells]: readonly Cell[]): Markup {
  const labelled = cells.map((cell, index) => bodyCell(heads[index + 1] ?? '', cell))
  return html`<tr role="row"><th role="rowheader" scope="row">${subject}</th>${labelled}</tr>`
}

const bodyCell = (head: string, cell: Cell): Markup =>
  head === ''
    ? html`<td role="cell" class="actions">${cell}</td>`
    : html`<td role="cell" data-label="${head}">${cell}</td>`
