import { fetchPage } from '../answer'
import { openInDialog } from '../dialog'
import { listOf, replaceFragments, sayBeside } from '../fragments'
import { basePath } from '../told'
import { fillIn, keepDraft } from './drafts'
import { type OutboxEntry, removeEntry } from './store'

/** What was refused is in its form again, with what is wrong. */
export async function askAgain(form: HTMLFormElement, entry: OutboxEntry): Promise<void> {
  if (form.isConnected && (await showRefused(form, entry))) return
  const episode = new Map(entry.fields).get('episode_id')
  if (episode === undefined || form.isConnected) return sayBeside(form, entry.why)
  const back = encodeURIComponent(location.pathname.slice(basePath.length))
  await openInDialog(`${basePath}/record/new?episode=${episode}&return_to=${back}`)
  const again = document.querySelector<HTMLFormElement>('dialog form[data-queue]')
  if (again === null) return
  fillIn(again, Object.fromEntries(entry.fields))
  // It takes the place of that one.
  again.dataset.entry = String(entry.n)
  sayBeside(again, entry.why)
}

/** As the server shows the form with its problem. False if it does not. */
async function showRefused(form: HTMLFormElement, { n, path, fields }: OutboxEntry): Promise<boolean> {
  await keepDraft(form)
  const body = new FormData(form)
  for (const [name, text] of fields) body.set(name, text)
  const page = await fetchPage(path, { method: 'POST', body }).catch(() => undefined)
  const there = listOf(form.dataset.swap).filter((selector) => page?.document.querySelector(selector))
  if (page === undefined || page.isOk || there.length === 0) return false
  replaceFragments(there, page)
  await removeEntry(n)
  return true
}
