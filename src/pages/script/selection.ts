/** Selecting works in the library: Shift takes a range, the total follows, and the address keeps it for a reload. */
export function listenToSelection(): void {
  let last: HTMLInputElement | undefined
  addEventListener('click', ({ target, shiftKey }) => {
    const box = boxIn(target)
    if (box === undefined) return
    if (shiftKey && last?.isConnected) checkBetween(last, box)
    last = box
  })
  addEventListener('change', ({ target }) => {
    const form = target instanceof Element ? target.closest<HTMLFormElement>('#selection') : null
    if (form !== null) keep(form)
  })
}

/** After the list was replaced, when an act has ended the selection. */
export function renewSelection(within: ParentNode): void {
  const form = within.querySelector<HTMLFormElement>('#selection')
  if (form !== null) keep(form)
}

const boxIn = (target: EventTarget | null): HTMLInputElement | undefined =>
  target instanceof HTMLInputElement && target.matches('#selection tbody [type=checkbox]')
    ? target
    : undefined

function checkBetween(one: HTMLInputElement, other: HTMLInputElement): void {
  const boxes = [...document.querySelectorAll<HTMLInputElement>('#selection tbody [type=checkbox]')]
  const [start = 0, end = 0] = [boxes.indexOf(one), boxes.indexOf(other)].sort((a, b) => a - b)
  for (const box of boxes.slice(start, end + 1)) box.checked = other.checked
}

function keep(form: HTMLFormElement): void {
  const ids = [...form.querySelectorAll<HTMLInputElement>('[type=checkbox]:checked')].flatMap(
    ({ name, value }) => (name === 'works' ? value.split(',') : name.slice('work_'.length)),
  )
  const total = form.querySelector('[data-total]')
  if (total !== null) total.textContent = String(ids.length)
  const url = new URL(location.href)
  url.searchParams.set('select', '1')
  url.searchParams.delete('works')
  const query = ids.length === 0 ? url.search : `${url.search}&works=${ids.join(',')}`
  history.replaceState(history.state, '', url.pathname + query)
}
