import { element } from '../element'
import { clock, me, texts } from '../told'
import { clearKeptPages, keptPages } from './kept-pages'
import { changeEntry, type OutboxEntry, onChange, outbox, takeBack, wayOn } from './store'

// A file of its own (`phone.js`) for two pages. `/settings/phone`: what needs its person, what waits, what is kept. `/offline`:
// what can be read without a network.
start()

function start(): void {
  document.querySelector('[data-clear]')?.addEventListener('click', () => void clearKeptPages().then(fill))
  document.querySelector('[data-try]')?.addEventListener('click', run)
  addEventListener('beforeinstallprompt', offerInstalling)
  onChange(() => void fill())
  void fill()
}

/** The page's script sends what waits whenever the browser is online, and tells when it has. */
const run = () => dispatchEvent(new Event('online'))

async function fill(): Promise<void> {
  const own = (await outbox()).filter(({ user, label }) => user === me && label !== '')
  const put = (name: string, items: readonly Node[]) => {
    const part = document.querySelector<HTMLElement>(`[data-part=${name}]`)
    if (part === null) return
    part.hidden = items.length === 0
    part.querySelector('ul')?.replaceChildren(...items)
  }
  put('needs', own.filter(({ state }) => state === 'needs_you').map(needing))
  put('waiting', own.filter(({ state }) => state === 'waiting').map(waiting))
  put('kept', document.querySelector('[data-part=kept]') === null ? [] : await keptLinks())
}

const when = ({ done_at }: OutboxEntry) => clock(new Date(done_at))

const line = (entry: OutboxEntry): HTMLElement =>
  element(
    'div',
    { className: 'text' },
    element('b', { textContent: entry.label }),
    element('p', { className: 'meta', textContent: [entry.why, when(entry)].filter(Boolean).join(' · ') }),
  )

const action = (textContent: string, className: string, go: () => Promise<unknown>): HTMLElement =>
  element('button', { textContent, className, onclick: () => void go().then(fill) })

const discard = (entry: OutboxEntry): HTMLElement =>
  action(texts.discard, 'quiet danger', async () => {
    await takeBack(entry)
    run()
  })

const waiting = (entry: OutboxEntry): HTMLElement =>
  element('li', { className: 'row' }, line(entry), discard(entry))

function needing(entry: OutboxEntry): HTMLElement {
  const comment = new Map(entry.fields).get('comment') ?? new Map(entry.fields).get('text') ?? ''
  const send = action(wayOn(entry), 'outlined', async () => {
    await changeEntry({ ...entry, state: 'waiting', why: '' })
    run()
  })
  const copy = action(texts.copy, '', () => navigator.clipboard.writeText(comment))
  copy.hidden = comment === '' || navigator.clipboard === undefined
  const quote = element('blockquote', { textContent: comment, hidden: comment === '' })
  return element(
    'li',
    {},
    line(entry),
    quote,
    element('div', { className: 'buttons' }, send, copy, discard(entry)),
  )
}

/** Named as the pages are; sheets are opened from Track. */
async function keptLinks(): Promise<readonly HTMLElement[]> {
  const pages = [...(await keptPages())].filter(([url]) => !url.includes('/record/new'))
  return await Promise.all(
    pages.map(async ([href, response]) => {
      const page = new DOMParser().parseFromString(await response.text(), 'text/html')
      const at = new Date(Number(page.documentElement.dataset.kept))
      const link = element('a', { href, textContent: page.title.replace(/ · kiroku$/, '') })
      const time = element('span', {
        className: 'meta',
        textContent: texts.asOf.replace('{time}', clock(at)),
      })
      return element('li', {}, link, time)
    }),
  )
}

/** Where the browser can install it itself. */
function offerInstalling(event: Event): void {
  const button = document.querySelector<HTMLButtonElement>('[data-install]')
  if (button === null) return
  event.preventDefault()
  button.hidden = false
  button.onclick = () => void (event as Event & { prompt(): Promise<void> }).prompt()
}
