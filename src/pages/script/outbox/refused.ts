import { openInDialog } from '../dialog'
import { sayBeside } from '../fragments'
import { basePath, texts } from '../told'
import { fillIn } from './drafts'
import { type OutboxEntry, wayOn } from './store'

/** What was refused is in its form again, with what is wrong. It waits until that is pressed. */
export async function askAgain(form: HTMLFormElement, entry: OutboxEntry): Promise<void> {
  const again = form.isConnected ? form : ((await reopen(entry)) ?? form)
  if (again.querySelector('textarea') !== null) {
    // The next press takes the place of that one.
    again.dataset.entry = String(entry.n)
    // Recorded once already.
    if (entry.why === texts.elsewhere) again.querySelector('[name=once]')?.remove()
    const button = again.querySelector('.filled')
    if (button !== null) button.textContent = wayOn(entry)
  }
  sayBeside(again, entry.why)
}

async function reopen({ fields }: OutboxEntry): Promise<HTMLFormElement | null> {
  const episode = new Map(fields).get('episode_id')
  if (episode === undefined) return null
  const back = encodeURIComponent(location.pathname.slice(basePath.length))
  await openInDialog(`${basePath}/record/new?episode=${episode}&return_to=${back}`)
  const again = document.querySelector<HTMLFormElement>('dialog form[data-queue]')
  if (again !== null) fillIn(again, Object.fromEntries(fields))
  return again
}
