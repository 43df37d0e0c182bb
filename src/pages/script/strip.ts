// A file of its own (`strip.js`) for the page of a work: makes the cells of the strip of episodes one Tab stop. Arrow keys,
// Home and End move between them. In the dialog that opens there (`/past`), and on its page, it sums up what is ticked.
start()

function start(): void {
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
  addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement) sumUp(target.form)
  })
  addEventListener('focusin', ({ target }) => {
    const cell = target instanceof HTMLElement && target.matches('.strip .cell') ? target : null
    const strip = cell?.closest<HTMLElement>('.strip')
    if (cell && strip) beOnlyStop(strip, cell)
  })
  joinCells()
  // Acts replace it.
  new MutationObserver(joinCells).observe(document.body, { childList: true, subtree: true })
}

/** The next episode's cell is the stop of a strip that has just come. */
function joinCells(): void {
  const strip = document.querySelector<HTMLElement>('.strip')
  if (strip === null || cellsOf(strip).filter(({ tabIndex }) => tabIndex === 0).length === 1) return
  const [first] = cellsOf(strip)
  const stop = strip.querySelector<HTMLElement>('.cell.next') ?? first
  if (stop !== undefined) beOnlyStop(strip, stop)
}

function cellsOf(strip: HTMLElement): readonly HTMLElement[] {
  return [...strip.querySelectorAll<HTMLElement>('.cell')]
}

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

/** `data-sum="episodes"` on a number: the sum of `data-episodes` of what is ticked in its form. */
function sumUp(form: HTMLFormElement | null): void {
  for (const sum of form?.querySelectorAll<HTMLElement>('[data-sum]') ?? []) {
    let all = 0
    for (const { dataset } of form?.querySelectorAll<HTMLElement>('[data-works]:checked') ?? [])
      all += Number(dataset[sum.dataset.sum ?? ''])
    sum.textContent = String(all)
  }
}
