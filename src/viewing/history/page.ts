import type { ListedAct } from '../../library/acts/act'
import { listActs } from '../../library/acts/find-acts'
import { keptMs } from '../../library/acts/write-act'
import { html, type Markup } from '../../pages/html'
import { icon, waves } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { formatDay, readerTime } from '../../pages/local-format'
import { timeMarkup } from '../../pages/moment'
import { positiveInteger } from '../../values/number'
import { readIfValid } from '../../values/value'
import { definePage, member } from '../../web/page'
import { type MemberVisit, queryText } from '../../web/visit'
import { fullActText } from '../acts/act-text'
import { actForm } from '../parts/act-form'
import { cover, workPath } from '../parts/cover'

const pageSize = 50

/** The member's acts of the last 30 days, each with its undo. */
export const historyPage = definePage({
  path: '/settings/history',
  access: member,
  show: async (visit) => {
    const before = readIfValid(positiveInteger, queryText(visit, 'before'))
    const asked = { ...(before && { before }), limit: pageSize + 1 }
    const listed = await listActs(visit.deps.read, visit.session.userId, asked)
    return showHistory(visit, listed)
  },
})

function showHistory(visit: MemberVisit, listed: readonly ListedAct[]): PageContent {
  const { t, basePath, now } = visit
  const kept = listed.filter(({ createdAt }) => createdAt >= now - keptMs)
  const shown = kept.slice(0, pageSize)
  const older =
    kept.length > pageSize
      ? html`<p><a class="button small" href="${basePath}/settings/history?before=${shown.at(-1)?.id ?? 0}">${t.history.older}</a></p>`
      : ''
  const list = shown.length === 0 ? nothing(visit) : dayLists(visit, shown)
  const main = html`<a class="back" href="${basePath}/settings">${icon('back', 16)}${t.settings.title}</a>
    <h1>${t.history.title}</h1><p class="soft">${t.history.explained}</p>${list}${older}`
  return { title: t.history.title, main, place: 'me' }
}

const nothing = ({ t, basePath }: MemberVisit): Markup =>
  html`<div class="nothing">${waves()}<h2>${t.history.nothing}</h2><p>${t.history.nothingExplained}</p><a class="button filled" href="${basePath}/">${t.diary.toTrack}</a></div>`

function dayLists(visit: MemberVisit, acts: readonly ListedAct[]): readonly Markup[] {
  const byDay = Map.groupBy(acts, ({ createdAt }) => readerTime(visit, createdAt).dayNumber)
  return [...byDay].map(
    ([day, some]) =>
      html`<section class="acts-of-day"><h2 class="meta">${formatDay(visit, day, 'weekdayAndDay')}</h2><ul class="rows">${some.map((act) => actRow(visit, act))}</ul></section>`,
  )
}

function actRow(visit: MemberVisit, act: ListedAct): Markup {
  const text = fullActText(visit, act)
  const undone = html`<span class="state">${icon('check', 14)}${visit.t.history.undone}</span>`
  return html`<li class="row act" id="act-${act.id}">${cover(visit, act.work, 32)}<div class="text"><a class="work" href="${workPath(visit, act.workId)}">${act.undoneAt === null ? text : html`<s>${text}</s>`}</a><p class="meta">${timeMarkup(visit, act.createdAt, 'clock')}</p></div>${act.undoneAt === null ? undoForm(visit, act, text) : undone}</li>`
}

const undoForm = (visit: MemberVisit, { id }: ListedAct, text: string): Markup =>
  actForm(
    visit,
    { act: 'undo', path: '/undo', swap: `#act-${id}` },
    html`<button class="small" name="act_id" value="${id}" data-focus="undo-${id}" aria-label="${visit.t.history.undo(text)}">${visit.t.shell.undo}</button>`,
  )
