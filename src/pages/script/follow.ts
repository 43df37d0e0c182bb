import { fetchPage } from './answer'
import { replaceFragments } from './fragments'

/**
 * `data-poll="2"` on an element with an id: updates it from the same page every so many seconds, until it is gone from
 * that page, which is then reloaded.
 */
export function follow(): void {
  const one = document.querySelector<HTMLElement>('[data-poll]')
  if (one !== null) setTimeout(ask, Number(one.dataset.poll) * 1000, one)
}

async function ask({ id }: HTMLElement): Promise<void> {
  try {
    const page = await fetchPage(location.href)
    if (page.document.querySelector(`#${id}`) === null) return location.reload()
    replaceFragments([`#${id}`], page)
  } catch {
    // Offline: try again later.
  }
  follow()
}
