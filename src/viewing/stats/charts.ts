import { html, type Markup } from '../../pages/html'
import type { PageContext } from '../../pages/layout'

/** One bar of a chart, and its row in the table. */
export interface Bar {
  readonly label: string
  /** For the table, where the label is short; may be a link. */
  readonly name?: Markup
  readonly count: number
  /** Shown before the label. */
  readonly mark?: Markup
  /** Further cells of the table. */
  readonly more?: readonly number[]
}

interface Chart {
  /** Stable: `data-chart`. */
  readonly name: string
  readonly title: string
  /** Says in words what the drawing shows. */
  readonly sentence: string
  readonly bars: readonly Bar[]
  /** Of the table: what the bars stand for, and one for each number. */
  readonly heads: readonly string[]
}

/** Numbers of bars that are best told in a sentence. */
export const fewest = 5

const top = 30
const height = 150
const total = top + height + 26

/**
 * Upright bars, as wide as the page: x in percent and y in pixels, so that text stays as it is. On a phone only the most and the
 * least are written over their bars, and narrow labels below them.
 */
export function columnChart(
  page: PageContext,
  chart: Chart & { readonly narrow?: readonly string[] },
): Markup {
  const { bars, narrow } = chart
  const { most, best, least } = endsOf(bars)
  const step = 100 / bars.length
  const lines = [1, 2, 3].map((part) => lineAt(top + height - (height * part) / 3))
  const columns = bars.map(({ count }, at) => {
    const size = Math.round((height * count) / most)
    const rect = html`<rect${at === best ? html` class="best"` : ''} x="${percent((at + 0.13) * step)}" y="${top + height - size}" width="${percent(0.74 * step)}" height="${size}" rx="3"/>`
    return count === 0
      ? html``
      : html`${rect}${valueOver({ at, step, size, count, isBest: at === best, isEnd: at === best || at === least })}`
  })
  const labels = bars.map(({ label }, at) =>
    labelBelow({ at, step, label, narrow: narrow?.[at], bars: bars.length }),
  )
  const svg = html`<svg class="columns" role="img" width="100%" height="${total}"><title>${chart.title}</title><desc>${chart.sentence}</desc>${lines}${columns}${labels}</svg>`
  return figure(page, chart, svg)
}

const percent = (value: number) => `${Math.round(value * 100) / 100}%`
const lineAt = (y: number) => html`<line x1="0" x2="100%" y1="${y}" y2="${y}"/>`

/** The first that has most, the first that has least of those that have any. */
function endsOf(bars: readonly Bar[]): { most: number; best: number; least: number } {
  const counts = bars.map(({ count }) => count)
  const most = Math.max(1, ...counts)
  const least = Math.min(...counts.filter((count) => count > 0))
  return { most, best: counts.indexOf(most), least: counts.indexOf(least) }
}

interface Value {
  readonly at: number
  readonly step: number
  readonly size: number
  readonly count: number
  readonly isBest: boolean
  readonly isEnd: boolean
}

/** More than 24 numbers do not fit beside each other. */
function valueOver({ at, step, size, count, isBest, isEnd }: Value): Markup {
  if (!isEnd && step <= 100 / 25) return html``
  const place = html`x="${percent((at + 0.5) * step)}" y="${top + height - size - 7}"`
  const text = count.toLocaleString('en')
  if (isBest) return html`<text class="best" ${place}>${text}</text>`
  return html`<text${isEnd ? '' : html` class="wide"`} ${place}>${text}</text>`
}

interface Label {
  readonly at: number
  readonly step: number
  readonly label: string
  readonly narrow: string | undefined
  readonly bars: number
}

/** Of many bars only some have a label: of 13 or more every third, of 25 or more every fifth. */
function labelBelow({ at, step, label, narrow, bars }: Label): Markup {
  const every = bars > 24 ? 5 : 3
  if (bars > 12 && at % every !== 0) return html``
  const place = html`x="${percent((at + 0.5) * step)}" y="${total - 6}"`
  if (narrow === undefined || narrow === label) return html`<text class="name" ${place}>${label}</text>`
  return html`<text class="name wide" ${place}>${label}</text><text class="name slim" ${place}>${narrow}</text>`
}

const rowHeight = 32
const thickness = 12

/** Lying bars, each with its label before and its number after it. */
export function rowChart(page: PageContext, chart: Chart): Markup {
  const { most, best } = endsOf(chart.bars)
  const rects = chart.bars.map(
    ({ count }, at) =>
      html`<rect${at === best ? html` class="best"` : ''} y="${at * rowHeight + (rowHeight - thickness) / 2}" width="${percent((100 * count) / most)}" height="${thickness}" rx="3"/>`,
  )
  const labels = chart.bars.map(({ label, mark }) => html`<li>${mark ?? ''}<span>${label}</span></li>`)
  const numbers = chart.bars.map(({ count }) => html`<li>${count.toLocaleString('en')}</li>`)
  return figure(
    page,
    chart,
    html`<div class="row-chart"><ul aria-hidden="true">${labels}</ul><svg role="img" width="100%" height="${chart.bars.length * rowHeight}"><title>${chart.title}</title><desc>${chart.sentence}</desc>${rects}</svg><ul class="numbers" aria-hidden="true">${numbers}</ul></div>`,
  )
}

function figure({ t }: PageContext, { name, heads, bars }: Chart, drawing: Markup): Markup {
  const head = heads.map((text) => html`<th scope="col">${text}</th>`)
  const rows = bars.map(({ label, name, count, more = [] }) => {
    const numbers = [count, ...more].map(
      (number) => html`<td class="number">${number.toLocaleString('en')}</td>`,
    )
    return html`<tr><th scope="row">${name ?? label}</th>${numbers}</tr>`
  })
  return html`<figure class="chart" data-chart="${name}">${drawing}<details class="as-table"><summary>${t.profilePage.asTable}</summary><table class="dense"><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></details></figure>`
}

interface Hours {
  readonly title: string
  readonly sentence: string
  /** By weekday from Monday and two hours from 6:00. */
  readonly cells: readonly (readonly number[])[]
  readonly weekdays: readonly string[]
  /** Of the columns. */
  readonly hours: readonly string[]
}

const cellHeight = 22
const cellStep = 26

/** Seven weekdays by twelve times of two hours, the darker the more. */
export function hourChart({ t }: PageContext, { title, sentence, cells, weekdays, hours }: Hours): Markup {
  const most = Math.max(1, ...cells.flat())
  const rects = cells.map((row, weekday) =>
    row.map(
      (count, at) =>
        html`<rect class="heat-${Math.ceil((3 * count) / most)}" x="${percent((at * 100) / 12)}" y="${weekday * cellStep}" width="${percent(100 / 12 - 0.8)}" height="${cellHeight}" rx="3"/>`,
    ),
  )
  const labels = [0, 3, 6, 9].map(
    (at) =>
      html`<text class="name" x="${percent((at * 100) / 12)}" y="${7 * cellStep + 14}">${hours[at] ?? ''}</text>`,
  )
  const rows = cells.map(
    (row, weekday) =>
      html`<tr><th scope="row">${weekdays[weekday] ?? ''}</th>${row.map((count) => html`<td class="number">${count}</td>`)}</tr>`,
  )
  return html`<figure class="chart" data-chart="when"><div class="hours"><ul aria-hidden="true">${weekdays.map((name) => html`<li>${name}</li>`)}</ul><svg role="img" width="100%" height="${7 * cellStep + 20}"><title>${title}</title><desc>${sentence}</desc>${rects.flat()}${labels}</svg></div>
    <details class="as-table"><summary>${t.profilePage.asTable}</summary><div class="scroll"><table class="dense"><thead><tr><td></td>${hours.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div></details></figure>`
}
