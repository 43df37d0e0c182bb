/** Makes the cells of each strip of episodes one Tab stop: arrow keys, Home and End move between them. */
export function walkStrips(): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const cell = event.target instanceof HTMLElement ? event.target : null
    const strip = cell?.matches('.cell') ? cell.closest<HTMLElement>('.strip') : null
    if (strip === null || cell === null) return
    const to = cellAt(cellsOf(strip), cell, event.code)
    if (to === undefined) return
    event.preventDefault()
    beOnlyStop(strip, to)
    to.focus()
  })
  addEventListener('focusin', ({ target }) => {
    const cell = target instanceof HTMLElement && target.matches('.strip .cell') ? target : null
    const strip = cell?.closest<HTMLElement>('.strip')
    if (cell && strip) beOnlyStop(strip, cell)
  })
  joinStrips(document)
}

/** The next episode's cell is the stop, unless another one has the focus. */
export function joinStrips(within: ParentNode): void {
  for (const strip of within.querySelectorAll<HTMLElement>('.strip')) {
    const [first] = cellsOf(strip)
    const stop = strip.querySelector<HTMLElement>('.cell.next') ?? first
    if (stop !== undefined) beOnlyStop(strip, stop)
  }
}

const cellsOf = (strip: HTMLElement): readonly HTMLElement[] => [
  ...strip.querySelectorAll<HTMLElement>('.cell'),
]

function beOnlyStop(strip: HTMLElement, stop: HTMLElement): void {
  for (const cell of cellsOf(strip)) cell.tabIndex = cell === stop ? 0 : -1
}

function cellAt(cells: readonly HTMLElement[], from: HTMLElement, code: string): HTMLElement | undefined {
  const at = cells.indexOf(from)
  const top = cells[0]?.getBoundingClientRect().top
  const perRow = cells.filter((cell) => cell.getBoundingClientRect().top === top).length
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -perRow,
    ArrowDown: perRow,
    Home: -at,
    End: cells.length - 1 - at,
  }
  return cells[at + (steps[code] ?? Number.NaN)]
}
