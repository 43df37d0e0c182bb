import { element } from '../element'
import { clock, me, texts } from '../told'
import { clearKeptPages, keptBytes, keptPages } from './kept-pages'
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
  put('needs', own.filter(({ state }) => state === 'needs_you').map(needing), [
    texts.needsOne,
    texts.needsSome,
  ])
  put('waiting', own.filter(({ state }) => state === 'waiting').map(waiting), [texts.waiting])
  if (document.querySelector('[data-part=kept]') === null) return
  put('kept', await keptLinks())
  const since = document.querySelector<HTMLElement>('[data-since]')
  if (since !== null) since.textContent = await keptSince(since.dataset.since ?? '')
}

/** `headings` say how many there are: of one, and of `{n}`. */
function put(name: string, items: readonly Node[], headings: readonly string[] = []): void {
  const part = document.querySelector<HTMLElement>(`[data-part=${name}]`)
  if (part === null) return
  part.hidden = items.length === 0
  part.querySelector('ul')?.replaceChildren(...items)
  const title = part.querySelector('h2')
  const heading = items.length === 1 ? headings[0] : headings.at(-1)
  if (heading !== undefined && title !== null) title.textContent = heading.replace('{n}', `${items.length}`)
}

/** The day, too, if it was not today. */
function when({ done_at }: OutboxEntry): string {
  const at = new Date(done_at)
  return at.toDateString() === new Date().toDateString() ? clock(at) : clock(at, 'medium')
}

const textOf = ({ fields }: OutboxEntry): string =>
  new Map(fields).get('comment') || new Map(fields).get('text') || ''

/** As rows of works are: the cover, what it does, and when it was pressed. */
function row(entry: OutboxEntry, about: string, ...more: readonly Node[]): readonly Node[] {
  const { label, cover } = entry
  const picture = element('img', { className: 'cover', src: cover ?? '', alt: '', width: 40, height: 60 })
  const told = element('p', {
    className: 'meta',
    textContent: [about, when(entry)].filter(Boolean).join(' · '),
  })
  const text = element('div', { className: 'text' }, element('b', { textContent: label }), told)
  return [...(cover ? [picture] : []), text, ...more]
}

const action = (textContent: string, className: string, go: () => Promise<unknown>): HTMLElement =>
  element('button', { textContent, className, onclick: () => void go().then(fill) })

const discard = (entry: OutboxEntry): HTMLElement =>
  action(texts.discard, 'quiet danger', async () => {
    await takeBack(entry)
    run()
  })

const waiting = (entry: OutboxEntry): HTMLElement =>
  element('li', { className: 'row' }, ...row(entry, textOf(entry), discard(entry)))

function needing(entry: OutboxEntry): HTMLElement {
  const comment = textOf(entry)
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
    element('div', { className: 'row' }, ...row(entry, entry.why)),
    quote,
    element('div', { className: 'buttons' }, send, copy, discard(entry)),
  )
}

/** `since {time} · {size} MB` */
async function keptSince(said: string): Promise<string> {
  const times = [...(await keptPages()).values()].map(({ headers }) => Number(headers.get('X-Kiroku-Kept')))
  if (times.length === 0) return ''
  const size = ((await keptBytes()) / 1e6).toFixed(1)
  return said.replace('{time}', clock(new Date(Math.min(...times)), 'medium')).replace('{size}', size)
}

/** Named as the pages are; sheets are opened from Track. */
async function keptLinks(): Promise<readonly HTMLElement[]> {
  const pages = [...(await keptPages())].filter(
    ([url]) => !url.includes('/record/new') && url !== location.href,
  )
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
