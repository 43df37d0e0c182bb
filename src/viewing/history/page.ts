import { keptMs, type ListedAct } from '../../library/acts/act'
import { listActs } from '../../library/acts/find-acts'
import { listWritten, type WrittenByApplication } from '../../library/acts/find-written'
import { html, type Markup } from '../../pages/html'
import { icon, waves } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { formatDay, readerTime } from '../../pages/local-format'
import { timeMarkup } from '../../pages/moment'
import { positiveInteger } from '../../values/number'
import { readIfValid } from '../../values/value'
import { definePage, member } from '../../web/page'
import { type MemberVisit, queryText } from '../../web/visit'
import { fullActText, writtenText } from '../acts/toast'
import { actForm } from '../parts/act-form'
import { cover, workPath } from '../parts/cover'

const pageSize = 50

/** What the member did in the last 30 days, on pages and by applications (D122), each with its undo. */
export const historyPage = definePage({
  path: '/settings/history',
  access: member,
  show: async (visit) => {
    const { deps, session } = visit
    const cursor = (name: string) => readIfValid(positiveInteger, queryText(visit, name))
    const before = { acts: cursor('before'), written: cursor('written') }
    const limit = pageSize + 1
    const acts = await listActs(deps.seen, session.userId, { before: before.acts, limit })
    const written = await listWritten(deps.seen, session.userId, { before: before.written, limit })
    return showHistory(visit, before, mergeEntries(acts, written))
  },
})

type Entry =
  | { readonly what: 'act'; readonly act: ListedAct }
  | { readonly what: 'written'; readonly act: WrittenByApplication }

/** Newest first, each in the order of its list. */
function mergeEntries(acts: readonly ListedAct[], written: readonly WrittenByApplication[]): Entry[] {
  const entries: Entry[] = []
  let [at, other] = [0, 0]
  for (;;) {
    const [act, one] = [acts[at], written[other]]
    if (act !== undefined && (one === undefined || act.createdAt >= one.createdAt)) {
      entries.push({ what: 'act', act })
      at += 1
    } else if (one !== undefined) {
      entries.push({ what: 'written', act: one })
      other += 1
    } else return entries
  }
}

interface Cursors {
  readonly acts: number | undefined
  readonly written: number | undefined
}

function showHistory(visit: MemberVisit, before: Cursors, entries: readonly Entry[]): PageContent {
  const { t, basePath, now } = visit
  const kept = entries.filter(({ act }) => act.createdAt >= now - keptMs)
  const shown = kept.slice(0, pageSize)
  const last = (what: Entry['what']) => shown.findLast((entry) => entry.what === what)?.act.id
  const next = { before: last('act') ?? before.acts, written: last('written') ?? before.written }
  const older = Object.entries(next).flatMap(([name, id]) => (id === undefined ? [] : [`${name}=${id}`]))
  const more =
    kept.length > pageSize
      ? html`<p><a class="button small" href="${basePath}/settings/history?${older.join('&')}">${t.history.older}</a></p>`
      : ''
  const list = shown.length === 0 ? nothing(visit) : dayLists(visit, shown)
  const main = html`<a class="back" href="${basePath}/settings">${icon('back', 16)}${t.settings.title}</a>
    <h1>${t.history.title}</h1><p class="soft">${t.history.explained}</p>${list}${more}`
  return { title: t.history.title, main, place: 'me' }
}

const nothing = ({ t, basePath }: MemberVisit): Markup =>
  html`<div class="nothing">${waves()}<h2>${t.history.nothing}</h2><p>${t.history.nothingExplained}</p><a class="button filled" href="${basePath}/">${t.diary.toTrack}</a></div>`

function dayLists(visit: MemberVisit, entries: readonly Entry[]): readonly Markup[] {
  const byDay = Map.groupBy(entries, ({ act }) => readerTime(visit, act.createdAt).dayNumber)
  return [...byDay].map(
    ([day, some]) =>
      html`<section class="acts-of-day"><h2 class="meta">${formatDay(visit, day, 'weekdayAndDay')}</h2><ul class="rows">${some.map((entry) => entryRow(visit, entry))}</ul></section>`,
  )
}

function entryRow(visit: MemberVisit, entry: Entry): Markup {
  const { t } = visit
  const { act } = entry
  const isUndone = entry.what === 'act' && entry.act.undoneAt !== null
  const text = entry.what === 'act' ? fullActText(visit, entry.act) : writtenText(visit, entry.act)
  const by = entry.what === 'act' ? '' : html`<bdi>${entry.act.by ?? t.history.endedAccess}</bdi> · `
  const end = isUndone
    ? html`<span class="state">${icon('check', 14)}${t.history.undone}</span>`
    : undoForm(visit, entry, text)
  return html`<li class="row act" id="${rowId(entry)}">${cover(visit, act.work, 32)}<div class="text"><a class="work" href="${workPath(visit, act.workId)}">${isUndone ? html`<s>${text}</s>` : text}</a><p class="meta">${by}${timeMarkup(visit, act.createdAt, 'clock')}</p></div>${end}</li>`
}

const rowId = ({ what, act }: Entry): string => `${what}-${act.id}`

const undoForm = (visit: MemberVisit, entry: Entry, text: string): Markup =>
  actForm(
    visit,
    { act: 'undo', path: entry.what === 'act' ? '/undo' : '/undo/written', swap: `#${rowId(entry)}` },
    html`<button class="small" name="${entry.what === 'act' ? 'act_id' : 'activity_id'}" value="${entry.act.id}" data-focus="undo-${rowId(entry)}" aria-label="${visit.t.history.undo(text)}">${visit.t.shell.undo}</button>`,
  )
