/** The figures of a page by their stable names. */
export const figures = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/<data data-figure="(\w+)" value="(\d+)">/g)].map(([, name, value]) => [
      name,
      Number(value),
    ]),
  )
/** The names of the charts on a page. */
export const charts = (text: string) =>
  [...text.matchAll(/<figure class="chart" data-chart="(\w+)">/g)].map(([, name]) => name)
/** The sentence in place of a chart. */
export const few = (text: string, name: string) =>
  new RegExp(`<p class="soft few" data-few="${name}">(.*?)</p>`).exec(text)?.[1]
/** Rows of the table of a chart, as text. */
export const rowsOf = (text: string, name: string) => {
  const [, figure = ''] = new RegExp(`data-chart="${name}">([\\s\\S]*?)</figure>`).exec(text) ?? []
  return [...figure.matchAll(/<tr><th scope="row">(.*?)<\/th>(.*?)<\/tr>/g)].map(
    ([, head = '', cells = '']) =>
      [head, ...[...cells.matchAll(/>([^<]*)<\/td>/g)].map(([, cell]) => cell)]
        .join(' ')
        .replaceAll(/<[^>]*>/g, ''),
  )
}
