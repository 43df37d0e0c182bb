import { element } from '../element'
import { texts } from '../told'
import type { OutboxEntry } from './store'

/** Rows as they came, by id: a press that is withdrawn gives them back. */
const before = new Map<string, Element>()

/** Marks the row of a press that waits, and lets its ✓ go on to the next episode. The same again changes nothing. */
export function markWaiting({ fields }: OutboxEntry): void {
  const sent = new Map(fields)
  const episode = sent.get('episode_id')
  const button = episode === undefined ? undefined : buttonFor(episode)
  const row =
    button?.closest<HTMLElement>('[data-work]') ??
    document.querySelector<HTMLElement>(`:is(li, tr)[data-work="${CSS.escape(sent.get('work_id') ?? '')}"]`)
  if (!row || row.tagName === 'ARTICLE') return
  if (row.id !== '' && !before.has(row.id)) before.set(row.id, row.cloneNode(true) as Element)
  row.ariaBusy = 'true'
  if (button !== undefined && episode !== undefined) goOn(button, episode)
  tell(row, button)
}

/** The button that records this episode, or is to record it next. */
function buttonFor(episode: string): HTMLButtonElement | undefined {
  const buttons = document.querySelectorAll<HTMLButtonElement>(
    'main form[data-act=record] button[name=episode_id]',
  )
  return [...buttons].find(
    (button) => button.value === episode || nextOf(button).some(([id]) => id === episode),
  )
}

/** `data-next` of a button: ids and names of the episodes after its own. */
const nextOf = ({ dataset }: HTMLElement): readonly (readonly [id: string, name: string])[] =>
  (dataset.next ?? '')
    .split(',')
    .filter((one) => one !== '')
    .map((one) => {
      const [id = '', ...name] = one.split(' ')
      return [id, name.join(' ')]
    })

function goOn(button: HTMLButtonElement, episode: string): void {
  const next = nextOf(button)
  const at = button.value === episode ? -1 : next.findIndex(([id]) => id === episode)
  const [id, name] = next[at + 1] ?? []
  const now = button.dataset.now ?? ''
  const last = at < 0 ? now : (next[at]?.[1] ?? now)
  button.classList.add('pressed')
  button.dataset.last = last
  if (id === undefined || name === undefined) {
    button.value = ''
    return
  }
  button.value = id
  const sheet = button.closest('[data-work]')?.querySelector<HTMLAnchorElement>('a.more')
  if (sheet) sheet.hash = `${id} ${name}`
  button.ariaLabel = withName(button.ariaLabel ?? '', now, name)
  button.dataset.now = name
  button.dataset.next = next
    .slice(at + 2)
    .map((one) => one.join(' '))
    .join(',')
}

/** `#8124 Episode 7` in the address of a sheet: it is of an earlier episode, which waits to be sent. */
export function aimSheet(sheet: HTMLElement, { hash }: URL): void {
  const [, id, name] = /^#(\d+) (.+)/.exec(decodeURIComponent(hash)) ?? []
  const told = sheet.querySelector('.sheet-head .meta')
  if (told === null || id === undefined || name === undefined) return
  for (const field of sheet.querySelectorAll<HTMLInputElement>('[name=episode_id]')) field.value = id
  const form = sheet.querySelector<HTMLFormElement>('form[data-queue]')
  const before = told.firstChild?.textContent?.trim() ?? ''
  if (form) form.dataset.queue = form.dataset.queue?.replace(before, name)
  told.textContent = name
}

/** In the middle of a sentence, a name may begin with a small letter. */
function withName(sentence: string, before: string, name: string): string {
  const at = sentence.toLowerCase().indexOf(before.toLowerCase())
  if (at < 0 || before === '') return sentence
  const isSmall = sentence.charAt(at) !== before.charAt(0)
  const fit = isSmall ? name.charAt(0).toLowerCase() + name.slice(1) : name
  return sentence.slice(0, at) + fit + sentence.slice(at + before.length)
}

/** Behind the name of the last episode that was pressed. */
function tell(row: HTMLElement, button: HTMLElement | undefined): void {
  const line = row.querySelector('.upcoming')
  const name = line?.querySelector('.episode')
  if (name && button?.dataset.last) name.textContent = button.dataset.last
  if (line === null || line.querySelector('.waits') !== null) return
  line.querySelector('.episode-title')?.remove()
  line.append(' ', element('span', { className: 'waits', textContent: texts.waits }))
}

/** As the page came: before what still waits is marked anew. */
export function unmark(): void {
  for (const [id, row] of before) document.getElementById(id)?.replaceWith(row.cloneNode(true))
  before.clear()
}

/** Fragments have come from the server: what was remembered of them is out of date. */
export const forgetMarks = (): void => before.clear()
