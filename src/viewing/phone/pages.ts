import { findRows } from '../../catalogue/search/find'
import { receiptOf, writeReceipt } from '../../library/acts/receipts'
import { undo } from '../../library/acts/undo'
import { pageScript } from '../../pages/assets'
import { html, type Markup } from '../../pages/html'
import { waves } from '../../pages/icons'
import { defineAction } from '../../web/form'
import { anyone, below, definePage, member, type PageRoute, seeOther } from '../../web/page'
import { json, pressAnswer, signedOut, wantsJson } from '../../web/press-answer'
import { FormProblem } from '../../web/problem'
import { queryText, type Visit } from '../../web/visit'
import { pressIdIn } from '../acts/act-route'
import { installedRoutes } from './installed'

/** What needs its person, what waits and what is kept here: `script/outbox/phone-page.ts` fills the lists from the device. */
const phonePage = definePage({
  path: '/settings/phone',
  access: member,
  show: (visit) => {
    const { t } = visit
    const tryNow = html`<button data-try>${t.phone.tryNow}</button>`
    const clear = html`<button data-clear>${t.phone.clear}</button>`
    const main = html`<h1>${t.phone.title}</h1>
      <noscript><p class="note">${t.phone.withoutScript}</p></noscript>
      ${part('needs', t.phone.needsTitle, 'box needs')}
      ${part('waiting', t.phone.waitingTitle, '', tryNow)}
      <p class="soft">${t.phone.explained}</p>
      ${part('kept', t.phone.kept, '', clear, html`<p class="meta" data-since="${t.phone.since('{time}', '{size}')}"></p>`)}
      ${visit.hasWorker ? html`<p class="soft">${t.phone.keptExplained}</p>` : ''}
      <section><h2>${t.phone.app}</h2>
        <button class="outlined" data-install hidden>${t.phone.install}</button>
        <p class="soft">${t.phone.installExplained}</p></section>`
    return {
      title: t.phone.title,
      place: 'me',
      // The pill leads here when there is no network. The lists are the device's own.
      isKept: true,
      head: pageScript(visit, 'phone.js'),
      main: html`<div class="phone">${main}</div>`,
    }
  },
})

const part = (
  name: string,
  title: string,
  look: string,
  more: Markup | '' = '',
  below: Markup | '' = '',
): Markup =>
  html`<section class="${look}" data-part="${name}" hidden><div class="head"><h2>${title}</h2>${more}</div>${below}<ul class="rows"></ul></section>`

/** Kept by the worker for everybody, so it names nobody. */
const offlinePage = definePage({
  path: '/offline',
  access: anyone,
  show: (visit: Visit) => ({
    title: visit.t.phone.offlineTitle,
    head: pageScript(visit, 'phone.js'),
    isBare: true,
    isForNobody: true,
    main: html`<div class="nothing" data-offline-page>${waves()}
        <h1>${visit.t.phone.offlineTitle}</h1>
        <p>${visit.t.phone.offlineExplained}</p>
        <section data-part="kept" hidden><ul class="plain-links"></ul></section>
        <a class="button filled" href="${visit.basePath}/">${visit.t.phone.again}</a></div>`,
  }),
})

/** Where other apps share to: the work that an address names, else the search. Writes nothing and asks no other site. */
const sharePage = definePage({
  path: '/share',
  access: member,
  show: async (visit) => {
    const texts = ['url', 'text', 'title'].map((name) => queryText(visit, name))
    const address = texts.map(addressIn).find((one) => one !== undefined)
    const [work] = address === undefined ? [] : await findRows(visit.deps.seen, 'works', address)
    if (work !== undefined) return seeOther(visit, `/works/${work}`)
    const text = address ?? texts.find((one) => one.trim() !== '') ?? ''
    return seeOther(visit, `/search?q=${encodeURIComponent(text.trim().slice(0, 300))}`)
  },
})

/** `見てね https://annict.com/works/1 #anime`: the address in it. */
const addressIn = (text: string): string | undefined => /https?:\/\/[^\s<>"'「」（）]+/i.exec(text)?.[0]

/** Who is signed in, and the token to send what waits with: the page it was pressed on may be old. */
const whose = definePage({
  path: '/outbox',
  access: anyone,
  show: (visit) => {
    const { session } = visit
    if (session === undefined) return signedOut()
    return json(200, { user: { id: session.userId, username: session.username }, csrf: visit.csrf() })
  },
})

/**
 * Takes back a press that may have arrived (`press` is its form_id): what it did is undone; if it did not arrive, it will
 * never be done.
 */
const takeBack = defineAction({
  path: '/outbox/undo',
  access: member,
  run: async (visit, sent) => {
    const { deps, session } = visit
    const formId = pressIdIn(sent, 'press')
    if (formId === undefined) throw new FormProblem('press', (t) => t.form.missing)
    const press = { userId: session.userId, formId, at: deps.now() }
    const first = await deps.write(async (tx) => {
      const receipt = await receiptOf(tx, press)
      if (receipt === undefined) await writeReceipt(tx, press, { actId: null, result: 'before' })
      return receipt
    })
    const actId = first?.actId ?? null
    if (actId !== null) await undo(deps, session.userId, { actId })
    return wantsJson(visit) ? pressAnswer({ result: 'done', act_id: actId }) : seeOther(visit, '/')
  },
})

export const phoneRoutes: readonly PageRoute[] = [
  ...installedRoutes,
  whose,
  takeBack,
  sharePage,
  offlinePage,
  ...below({ path: '/settings', name: (t) => t.settings.title, place: 'me' }, [phonePage]),
]
