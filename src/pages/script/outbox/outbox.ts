import { fetchPage } from '../answer'
import { closeSent } from '../dialog'
import { element } from '../element'
import { rememberPress } from '../focus'
import { listOf, putToast, replaceFragments, sayBeside, showFromTop, showToast } from '../fragments'
import { focusSearch } from '../search-field'
import { addressOf, isSecondTap, noteDone } from '../swap'
import { basePath, keptAt, me, texts } from '../told'
import { draftKey, keepDraft } from './drafts'
import { keepSheets } from './kept-pages'
import { forgetMarks, markWaiting, unmark } from './marks'
import { drawPill } from './pill'
import { askAgain } from './refused'
import { type LinkState, sendWaiting, trustPage, waiting } from './send'
import { addEntry, type OutboxEntry, onChange, outbox, randomId, takeBack } from './store'

/** A press is shown as waiting if there is no answer by then: milliseconds. */
const patience = 2500

interface Press {
  readonly form: HTMLFormElement
  readonly button: HTMLElement | null
  readonly entry: OutboxEntry
}

/** Presses in this page whose answer it waits for. */
const presses = new Map<number, Press>()

/** `data-queue` on a form: its press is written down before it is sent, and sent until it is answered (D106). */
export function queuePresses(): void {
  if (me === undefined) return
  // What a kept page reports was done when it was kept.
  if (keptAt !== undefined) putToast()
  addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    if (event.defaultPrevented || form.dataset.queue === undefined) return
    event.preventDefault()
    // Its ✓ has gone through all episodes it knows (`marks.ts`).
    const isAtEnd = event.submitter?.matches('[name=episode_id][value=""]')
    if (form.ariaBusy !== 'true' && !isAtEnd && !isSecondTap(form, event.timeStamp))
      void press(form, event.submitter)
  })
  for (const name of ['online', 'pageshow'] as const) addEventListener(name, () => void run())
  addEventListener('offline', () => {
    connection = 'none'
    void drawPill(connection)
  })
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && void run())
  onChange(() => void drawPill())
  void run()
}

async function press(form: HTMLFormElement, button: HTMLElement | null): Promise<void> {
  const entry = entryOf(form, button)
  setBusy(form, button, true)
  if (form.closest('#toast') === null) rememberPress()
  if (!isRunning) trustPage()
  // A press of a form that was refused takes the place of that one.
  const n = await addEntry(entry, { draft: draftKey(form), instead: Number(form.dataset.entry ?? 0) })
  if (n === undefined) {
    setBusy(form, button, false)
    return sayBeside(form, texts.full)
  }
  presses.set(n, { form, button, entry: { ...entry, n } })
  const late = setTimeout(() => void showWaiting(), patience)
  await run()
  // Another run may be under way, which sends it next.
  if (!isRunning) clearTimeout(late)
}

function entryOf(form: HTMLFormElement, button: HTMLElement | null): Omit<OutboxEntry, 'n'> {
  const data = new FormData(form, button)
  data.delete('csrf')
  const about = form.dataset.queue || document.title.replace(/ · kiroku$/, '')
  return {
    user: me ?? '',
    path: new URL(addressOf(form, button)).pathname,
    fields: [...data].map(([field, value]) => [field, String(value)] as const),
    form_id: randomId(),
    done_at: new Date().toISOString(),
    label: button?.ariaLabel ?? `${about} · ${button?.textContent?.trim() ?? ''}`,
    cover: form.closest('[data-work], dialog, .sheet-page')?.querySelector<HTMLImageElement>('.cover')?.src,
    swap: form.dataset.swap ?? '',
    tries: 0,
    state: 'waiting',
    why: '',
  }
}

/** Shows at once, on the button and its row, that the press arrived. */
function setBusy(form: HTMLFormElement, button: HTMLElement | null, isBusy: boolean): void {
  const row = (button ?? form).closest(':is(li, tr)[data-work]')
  for (const one of [form, row]) if (one !== null) one.ariaBusy = isBusy ? 'true' : null
  button?.classList.toggle('pressed', isBusy)
}

/** As the last run ended. */
let connection: LinkState = 'open'
let isRunning = false
let isWanted = false
let failures = 0
let timer = 0

/** One run at a time; a press during a run makes another follow. After a failure it tries again, while it is visible. */
export async function run(failed = 0): Promise<void> {
  // The network may be there now, however long there was none: a run that nothing but time began goes on counting.
  failures = failed
  isWanted = true
  if (isRunning) return
  isRunning = true
  clearTimeout(timer)
  try {
    while (isWanted) {
      isWanted = false
      const ended = await sendWaiting()
      connection = ended.connection
      await settle(ended.sent)
    }
  } catch {
    // The page did not come, or the browser keeps nothing: again later.
    connection = 'none'
  }
  isRunning = false
  await showWaiting()
  failures = connection === 'none' ? failures + 1 : 0
  if (failures > 0) timer = window.setTimeout(tryAgain, Math.min(1000 * 2 ** failures, 300_000))
  else comeBack()
}

const tryAgain = () => document.visibilityState === 'visible' && void run(failures)

/** A second reload would end the first, whose page says what was done: once. */
let isLeft = false

/** The network is there again: so is the page of now, unless something is being typed. False if this page stays. */
function comeBack(): boolean {
  if (isLeft) return true
  isLeft = keptAt !== undefined && connection === 'open' && document.querySelector('dialog[open]') === null
  if (isLeft) location.reload()
  return isLeft
}

/** What was answered, and the presses of it in this page, until the page shows it. */
const unseen = { entries: new Map<number, OutboxEntry>(), presses: [] as Press[] }

/** What was sent, by this tab or another one: the page shows it. Rejects if the page does not come. */
async function settle(sent: readonly OutboxEntry[]): Promise<void> {
  const left = new Map((await outbox()).map((entry) => [entry.n, entry]))
  for (const [n, one] of presses) {
    const entry = left.get(n)
    if (entry?.state === 'waiting') continue
    presses.delete(n)
    setBusy(one.form, one.button, false)
    if (entry !== undefined) await askAgain(one.form, entry)
    else {
      unseen.presses.push(one)
      unseen.entries.set(n, one.entry)
    }
  }
  for (const entry of sent) if (!left.has(entry.n)) unseen.entries.set(entry.n, entry)
  if (unseen.entries.size === 0) return
  await refresh([...unseen.entries.values()], unseen.presses)
  unseen.entries.clear()
  unseen.presses = []
}

/** Takes the fragments that the presses change, and the message, from the page of the last one. */
async function refresh(sent: readonly OutboxEntry[], done: readonly Press[]): Promise<void> {
  const pressed = done.at(-1)
  const target =
    basePath + (new Map((pressed ?? { entry: sent.at(-1) }).entry?.fields ?? []).get('return_to') ?? '/')
  const isHere = new URL(target, location.href).pathname === location.pathname
  if (pressed !== undefined && (!isHere || pressed.form.dataset.swap === undefined))
    return location.assign(target)
  // Not a copy: its message would be lost with the page that comes too late.
  for (const { form } of done) closeSent(form.closest('dialog'))
  // The page of now tells it.
  if (comeBack()) return
  const page = await fetchPage(isHere ? target : location.href, { cache: 'no-store' })
  if (page.isKept || !page.isOk) throw new Error('no page')
  const shows = pressed?.button?.dataset.show
  if (pressed !== undefined && shows === undefined) noteDone(pressed.form)
  forgetMarks()
  replaceFragments([...new Set(sent.flatMap(({ swap }) => listOf(swap)))], page)
  showToast(page)
  countSent(sent)
  keepSheets()
  if (shows !== undefined) showFromTop(shows)
  if (pressed?.form.dataset.focusNext === 'search') focusSearch()
}

/** The message names the last press: before it stands how many there were. */
function countSent(sent: readonly OutboxEntry[]): void {
  const count = sent.filter(({ label }) => label !== '').length
  if (count > 1)
    document.querySelector('#toast span')?.prepend(`${texts.sentSome.replace('{n}', `${count}`)} · `)
}

/** What waits is marked in its row; the sheet it was written in is closed, as nothing of it can be lost. */
async function showWaiting(): Promise<void> {
  const entries = await waiting()
  for (const entry of entries) if (entry.label !== '') markWaiting(entry)
  const newest = [...presses.values()].at(-1)?.entry.n
  for (const entry of entries) {
    const pressed = presses.get(entry.n)
    if (pressed === undefined) continue
    const { form, button } = pressed
    // A viewing names no episode: pressed again, it would count twice.
    if (form.dataset.act !== 'viewing') {
      form.ariaBusy = null
      if (form.closest('li, tr') === null) button?.classList.remove('pressed')
    }
    // Kept in memory only, it would be lost with the page: its form stays.
    if (entry.n > 0) closeSent(form.closest('dialog'))
    if (entry.n === newest && entry.n !== offered) offerUndo(entry)
  }
  await drawPill(connection)
}

/** The last press whose message was shown: once, however often it is tried. */
let offered = 0

function offerUndo(entry: OutboxEntry): void {
  offered = entry.n
  const undo = element('button', { textContent: texts.undo, onclick: () => void withdraw(entry) })
  undo.dataset.keys = 'z'
  const text = element('span', { textContent: `${entry.label} · ${texts.waits}` })
  putToast(element('div', { className: 'toast' }, text, undo))
}

/** What was typed is a draft again. */
async function giveBack({ n }: OutboxEntry): Promise<void> {
  const pressed = presses.get(n)
  if (pressed === undefined) return
  presses.delete(n)
  setBusy(pressed.form, pressed.button, false)
  await keepDraft(pressed.form)
}

/** Gives back what was typed and pressed, here and at the server. */
async function withdraw(entry: OutboxEntry): Promise<void> {
  putToast()
  await giveBack(entry)
  await takeBack(entry)
  unmark()
  void run()
}
