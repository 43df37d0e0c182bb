import { element } from '../element'
import { basePath, clock, keptAt, me, texts } from '../told'
import type { LinkState } from './send'
import { outbox } from './store'

const pill = document.querySelector<HTMLElement>('.pill-offline')

/** What the person is told above the bar: whether there is a network, of when the page is, and what waits. */
export async function drawPill(connection: LinkState): Promise<void> {
  dispatchEvent(new Event('outbox'))
  if (pill === null || me === undefined) return
  const own = (await outbox()).filter(({ user }) => user === me)
  const count = own.filter(({ state, label }) => state === 'waiting' && label !== '').length
  const needing = own.filter(({ state }) => state === 'needs_you').length
  const isAnswered = ['signed_out', 'other'].includes(connection)
  const isOffline = !isAnswered && (keptAt !== undefined || connection === 'none' || !navigator.onLine)
  const parts = [
    ...(isOffline ? [texts.offline] : []),
    ...(keptAt === undefined ? [] : [texts.asOf.replace('{time}', clock(new Date(Number(keptAt))))]),
    ...(count === 0 ? [] : [texts.waiting.replace('{n}', String(count))]),
    ...(needing === 0
      ? []
      : [(needing === 1 ? texts.needsOne : texts.needsSome).replace('{n}', String(needing))]),
  ]
  pill.dataset.outbox = String(count)
  pill.toggleAttribute('data-offline', isOffline || keptAt !== undefined)
  const text = parts.join(' · ')
  const asksToSignIn = isAnswered && count + needing > 0
  const said = `${text}${asksToSignIn}`
  // Said once: a live region repeats whatever is put into it.
  if (pill.dataset.said === said) return
  pill.dataset.said = said
  const back = encodeURIComponent(location.pathname.slice(basePath.length) + location.search)
  pill.replaceChildren(
    ...(text === '' ? [] : [element('a', { href: `${basePath}/settings/phone`, textContent: text })]),
    ...(asksToSignIn
      ? [element('a', { href: `${basePath}/sign_in?return_to=${back}`, textContent: texts.signIn })]
      : []),
  )
  pill.hidden = pill.childElementCount === 0
}
