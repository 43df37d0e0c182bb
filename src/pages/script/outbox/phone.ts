import { fetchPage } from '../answer'
import { createQuestion, showDialog } from '../dialog'
import { element } from '../element'
import { replaceFragments } from '../fragments'
import { basePath, hasWorker, me, texts } from '../told'
import { forgetDrafts } from './drafts'
import { clearKeptPages } from './kept-pages'
import { run } from './outbox'
import { outbox, takeBack } from './store'

/** Registers the worker, asks before signing out with presses that wait, and renews Track after a pause. */
export function setUpPhone(): void {
  if (me !== undefined && hasWorker && navigator.serviceWorker !== undefined)
    navigator.serviceWorker.register(`${basePath}/sw.js`).catch(() => {})
  addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    if (event.defaultPrevented || me === undefined || !form.action.endsWith('/sign_out')) return
    event.preventDefault()
    void askBeforeLeaving(form)
  })
  renewTrack()
}

const ownEntries = async () => (await outbox()).filter(({ user, label }) => user === me && label !== '')

async function askBeforeLeaving(form: HTMLFormElement): Promise<void> {
  const count = (await ownEntries()).length
  if (count === 0) return leave(form)
  const button = (textContent: string, className: string, go: () => Promise<unknown>) =>
    element('button', { textContent, className, onclick: () => void go() })
  const send = button(texts.sendNow, 'filled', async () => {
    await run()
    dialog.close()
    await askBeforeLeaving(form)
  })
  const keep = button(texts.keepUntil, '', () => leave(form))
  const drop = button(texts.throwAway, 'danger', async () => {
    for (const entry of await ownEntries()) await takeBack(entry)
    await run()
    await leave(form)
  })
  const dialog = createQuestion(texts.leaving.replace('{n}', String(count)), send, keep, drop)
  showDialog(dialog)
}

/** What the person has here goes with them, but for presses that were to stay. */
async function leave(form: HTMLFormElement): Promise<void> {
  await Promise.allSettled([forgetDrafts(), clearKeptPages()])
  form.submit()
}

/** Milliseconds out of sight, after which Track is of another hour. */
const pause = 600_000

function renewTrack(): void {
  let hiddenAt = Date.now()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') hiddenAt = Date.now()
    else if (Date.now() - hiddenAt > pause && document.querySelector('.tracked-works') !== null) void renew()
  })
}

async function renew(): Promise<void> {
  const page = await fetchPage(location.href).catch(() => undefined)
  if (page?.isOk && !page.isKept) replaceFragments(['.tracked-works', '#today'], page)
}
