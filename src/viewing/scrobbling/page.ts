import { html, type Markup } from '../../pages/html'
import { icon, waves } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { formatDay, readerTime } from '../../pages/local-format'
import { timeMarkup } from '../../pages/moment'
import { type DeliveryResult, deliveriesMs } from '../../scrobble/deliveries'
import { type Hook, listHooks } from '../../scrobble/hooks'
import { waitingSeries } from '../../scrobble/inbox'
import { countByHook, type HookCounts, listDeliveries, sendAgain } from '../../scrobble/list-deliveries'
import { setFlash } from '../../web/flash'
import { defineAction } from '../../web/form'
import { below, definePage, member, type PageRoute, seeOther } from '../../web/page'
import { type MemberVisit, pathId, queryText } from '../../web/visit'
import { pageLinks, pageNumber } from '../parts/page-links'
import { deliveryRows } from './delivery-rows'

export const scrobblingPath = '/settings/scrobbling'

/** What players report, and what was done with it; `src/site/account/players.ts` has their addresses. */
export const scrobblingRoutes: readonly PageRoute[] = below(
  { path: '/settings', name: (t) => t.settings.title, place: 'me' },
  [
    definePage({ path: scrobblingPath, access: member, show: scrobblingPage }),
    defineAction({
      path: `${scrobblingPath}/deliveries/:id/again`,
      access: member,
      run: async (visit) => {
        await sendAgain(visit.deps, visit.session.userId, pathId(visit))
        setFlash(visit, 'decided_again')
        return seeOther(visit, scrobblingPath)
      },
    }),
  ],
)

async function scrobblingPage(visit: MemberVisit): Promise<PageContent> {
  const { deps, session, t, basePath } = visit
  const hooks = await listHooks(deps.read, session.userId)
  const counts = new Map((await countByHook(deps, session.userId)).map((one) => [one.hookId, one]))
  const shown = hooks.toSorted(
    (one, other) => Number(one.revokedAt !== null) - Number(other.revokedAt !== null),
  )
  const list = shown.length === 0 ? noHooks(visit) : hookList(visit, shown, counts)
  const add = html`<a class="button outlined" href="${basePath}${scrobblingPath}/add">${icon('plus', 16)}${t.scrobbling.add}</a>`
  const main = html`<div class="head"><h1>${t.scrobbling.title}</h1>${add}</div>
    ${await waitingNote(visit)}${shown.map((hook) => floodNote(visit, hook, counts.get(hook.id)))}
    ${list}${await deliveries(visit)}`
  return { title: t.scrobbling.title, main }
}

async function waitingNote({ deps, session, t, basePath }: MemberVisit): Promise<Markup> {
  const waiting = await waitingSeries(deps, session.userId)
  if (waiting.length === 0) return html``
  const plays = waiting.reduce((sum, one) => sum + one.plays, 0)
  return html`<div class="note">${icon('inbox')}<p class="text">${t.scrobbling.waiting(t.scrobbling.plays(plays), waiting.length)}</p>
    <a class="button small" href="${basePath}${scrobblingPath}/inbox">${t.scrobbling.choose}</a></div>`
}

const noHooks = ({ t, basePath }: MemberVisit): Markup =>
  html`<div class="nothing">${waves()}<h2>${t.scrobbling.noHooks}</h2><p>${t.scrobbling.noHooksHint}</p>
    <a class="button filled" href="${basePath}${scrobblingPath}/add">${t.scrobbling.add}</a></div>`

const hookList = (
  visit: MemberVisit,
  hooks: readonly Hook[],
  counts: ReadonlyMap<number, HookCounts>,
): Markup =>
  html`<ul class="rows hooks">${hooks.map((hook) => hookRow(visit, hook, counts.get(hook.id)?.recorded ?? 0))}</ul>`

function hookRow(visit: MemberVisit, hook: Hook, recorded: number): Markup {
  const { t, basePath } = visit
  const state = hook.revokedAt === null ? hook.dryRun && t.scrobbling.trial : t.scrobbling.revoked
  const trial = state ? html` <span class="estimated">${state}</span>` : ''
  const facts = [
    ...(hook.playerUser === '' ? [] : [t.scrobbling.onlyUser(hook.playerUser)]),
    t.scrobbling.from(hook.threshold),
    ...(hook.dryRun ? [] : [hook.setStatus ? t.scrobbling.setsWatching : t.scrobbling.keepsStatus]),
  ]
  return html`<li class="row hook">${icon('plug')}<div class="text"><a href="${basePath}${scrobblingPath}/players/${hook.id}" aria-label="${t.scrobbling.settingsOf(hook.name)}"><b>${hook.name}</b></a>${trial}
    <p class="meta">${facts.join(' · ')}</p></div>${heardOf(visit, hook, recorded)}${icon('next', 16)}</li>`
}

/** A player that was heard keeps the page as it is; one that was not is waited for. */
function heardOf(visit: MemberVisit, { id, lastUsedAt, revokedAt }: Hook, recorded: number): Markup {
  const { t, now } = visit
  if (lastUsedAt === null && revokedAt !== null) return html``
  if (lastUsedAt === null)
    return html`<p class="meta when" id="silent-${id}" data-poll="10">${t.scrobbling.neverHeard}</p>`
  if (now - lastUsedAt > deliveriesMs && revokedAt === null)
    return html`<p class="state wrong when">${icon('warning', 16)}${t.scrobbling.silent(formatDay(visit, readerTime(visit, lastUsedAt).dayNumber, 'day'))}</p>`
  const count = t.scrobbling.recordedIn(recorded.toLocaleString(t.language.locale))
  return html`<p class="meta when">${count}<br />${t.scrobbling.last} ${timeMarkup(visit, lastUsedAt)}</p>`
}

/** As many as when a library is marked as played, which one press takes back. */
const many = 50

function floodNote({ t, basePath }: MemberVisit, { id, name }: Hook, counts: HookCounts | undefined): Markup {
  if (counts === undefined || counts.lately <= many) return html``
  const text = t.scrobbling.manyAtOnce(name, counts.lately.toLocaleString(t.language.locale))
  return html`<div class="note">${icon('warning')}<p class="text">${text}</p>
    <a class="button small" href="${basePath}${scrobblingPath}/players/${id}#undo">${t.scrobbling.undoTitle}</a></div>`
}

const filters = {
  recorded: ['recorded', 'rated'],
  unmatched: ['unmatched'],
  ignored: ['ignored', 'duplicate'],
} as const satisfies Readonly<Record<string, readonly DeliveryResult['result'][]>>

type Filter = keyof typeof filters

const pageSize = 50

/** The last hundred. */
const mostPages = 2

async function deliveries(visit: MemberVisit): Promise<Markup> {
  const { deps, session, t, basePath } = visit
  const filter = Object.keys(filters).find((one): one is Filter => one === queryText(visit, 'result'))
  const results = filter === undefined ? [] : filters[filter]
  const page = pageNumber(queryText(visit, 'page'), mostPages)
  const range = { offset: (page - 1) * pageSize, limit: pageSize, results }
  const said = await listDeliveries(deps, session.userId, range)
  if (said.total === 0)
    return html`<section><h2>${t.scrobbling.said}</h2><p class="soft">${t.scrobbling.nothingSaid}</p></section>`
  const countOf = (one: Filter) =>
    filters[one].reduce((sum, result) => sum + (said.counts.get(result) ?? 0), 0)
  const count = filter === undefined ? said.total : countOf(filter)
  const chip = (to: Filter | undefined) => {
    const current = to === filter ? html` aria-current="page"` : ''
    const name = to === undefined ? t.common.all : t.scrobbling.results[to]
    const figure =
      to === undefined
        ? ''
        : html` <span class="figure">${countOf(to).toLocaleString(t.language.locale)}</span>`
    return html`<a class="chip" href="${basePath}${scrobblingPath}${to === undefined ? '' : `?result=${to}`}"${current}>${name}${figure}</a>`
  }
  const path = `${basePath}${scrobblingPath}${filter === undefined ? '' : `?result=${filter}`}`
  const pages = { page, pages: Math.min(mostPages, Math.ceil(count / pageSize)) }
  const list =
    said.deliveries.length === 0
      ? html`<p class="soft">${t.scrobbling.noneOf}</p>`
      : html`${await deliveryRows(visit, said.deliveries)}${pageLinks(visit, path, pages)}`
  return html`<section id="said"><div class="head"><h2>${t.scrobbling.said} <span class="meta">${t.scrobbling.days}</span></h2>
    <nav class="chips" aria-label="${t.scrobbling.filter}">${[undefined, 'recorded' as const, 'unmatched' as const, 'ignored' as const].map(chip)}</nav></div>${list}</section>`
}
