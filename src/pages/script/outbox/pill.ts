import { element } from '../element'
import { basePath, clock, keptAt, me, texts } from '../told'
import type { LinkState } from './send'
import { outbox } from './store'

const pill = document.querySelector<HTMLElement>('.pill-offline')

let last: LinkState = 'open'

/** What the person is told above the bar: whether there is a network, of when the page is, and what waits. */
export async function drawPill(connection = last): Promise<void> {
  last = connection
  if (pill === null || me === undefined) return
  const own = (await outbox()).filter(({ user }) => user === me)
  const count = own.filter(({ state, label }) => state === 'waiting' && label !== '').length
  const needing = own.filter(({ state }) => state === 'needs_you').length
  const isAnswered = ['signed_out', 'other'].includes(connection)
  // Not `navigator.onLine`: a server on this machine, or at home, answers without the internet.
  const isOffline = !isAnswered && (!!keptAt || connection === 'none')
  const parts = [
    isOffline && texts.offline,
    keptAt && texts.asOf.replace('{time}', clock(new Date(Number(keptAt)))),
    count && texts.waiting.replace('{n}', `${count}`),
    needing && (needing === 1 ? texts.needsOne : texts.needsSome).replace('{n}', `${needing}`),
  ]
  pill.dataset.outbox = `${count}`
  pill.toggleAttribute('data-offline', isOffline || !!keptAt)
  const text = parts.filter(Boolean).join(' · ')
  const asksToSignIn = isAnswered && count + needing > 0
  // Said once: a live region repeats whatever is put into it.
  if (pill.textContent === text + (asksToSignIn ? texts.signIn : '')) return
  const back = encodeURIComponent(location.pathname.slice(basePath.length) + location.search)
  const link = (href: string, textContent: string) => element('a', { href, textContent })
  pill.replaceChildren(...(text === '' ? [] : [link(`${basePath}/settings/phone`, text)]))
  if (asksToSignIn) pill.append(link(`${basePath}/sign_in?return_to=${back}`, texts.signIn))
  pill.hidden = text === ''
}
