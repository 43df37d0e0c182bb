import { keptMs, type ListedAct } from '../../library/acts/act'
import { listActs } from '../../library/acts/find-acts'
import { listWritten, type WrittenByApplication } from '../../library/acts/find-written'
import { html, type Markup } from '../../pages/html'
import { type IconName, icon, waves } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { formatDay, readerTime } from '../../pages/local-format'
import { timeMarkup } from '../../pages/moment'
import { mostImports } from '../../transfer/batch/limits'
import type { ImportState, ListImport } from '../../transfer/batch/list-import'
import { sourceNames } from '../../transfer/sources'
import { positiveInteger } from '../../values/number'
import { readIfValid } from '../../values/value'
import { definePage } from '../../web/page'
import { type MemberVisit, queryText } from '../../web/visit'
import { fullActText, writtenText } from '../acts/toast'
import { undoButton } from '../import/choose-page'
import { figure, type ImportVisit, importer, importPath, takenOf } from '../import/import-visit'
import { actForm } from '../parts/act-form'
import { cover, workPath } from '../parts/cover'

const pageSize = 50

/** What the member did in the last 30 days, on pages, by applications (D122) and by imports, each with its undo. */
export const historyPage = definePage({
  path: '/settings/history',
  access: importer,
  show: async (visit) => {
    const { deps, session } = visit
    const cursor = (name: string) => readIfValid(positiveInteger, queryText(visit, name))
    const before = { before: cursor('before'), written: cursor('written'), imported: cursor('imported') }
    const limit = pageSize + 1
    const acts = await listActs(deps.seen, session.userId, { before: before.before, limit })
    const written = await listWritten(deps.seen, session.userId, { before: before.written, limit })
    const imports = await beganImports(visit)
    const entries = mergeEntries([
      acts.map((act) => ({ what: 'act', id: act.id, at: act.createdAt, act })),
      written.map((act) => ({ what: 'written', id: act.id, at: act.createdAt, act })),
      imports.slice(imports.findIndex(({ id }) => id === before.imported) + 1),
    ])
    return showHistory(visit, before, { entries, imports })
  },
})

type Entry = { readonly id: number; readonly at: number } & (
  | { readonly what: 'act'; readonly act: ListedAct }
  | { readonly what: 'written'; readonly act: WrittenByApplication }
  | ImportEntry
)

interface ImportEntry {
  readonly what: 'import'
  readonly id: number
  /** When it was applied, or created if it never was to its end. */
  readonly at: number
  readonly import: ListImport
}

const began: readonly ImportState[] = ['applying', 'applied', 'undoing', 'undone', 'failed']

/** Newest first: all that have changed something. */
async function beganImports({ lists, session }: ImportVisit): Promise<readonly ImportEntry[]> {
  const { imports } = await lists.list(session.userId, { offset: 0, limit: mostImports })
  return imports
    .filter((one) => began.includes(one.state) && takenOf(one) > 0)
    .map((one) => ({ what: 'import' as const, id: one.id, at: one.appliedAt ?? one.createdAt, import: one }))
    .toSorted((one, other) => other.at - one.at)
}

const startOf = ([entry]: readonly Entry[]): number => entry?.at ?? Number.NEGATIVE_INFINITY

/** Newest first, each in the order of its list. */
function mergeEntries(lists: readonly (readonly Entry[])[]): Entry[] {
  const left = lists.map((list) => [...list])
  const entries: Entry[] = []
  for (;;) {
    const entry = left.reduce((one, other) => (startOf(other) > startOf(one) ? other : one)).shift()
    if (entry === undefined) return entries
    entries.push(entry)
  }
}

interface Cursors {
  readonly before: number | undefined
  readonly written: number | undefined
  readonly imported: number | undefined
}

interface Listed {
  readonly entries: readonly Entry[]
  readonly imports: readonly ImportEntry[]
}

function showHistory(visit: ImportVisit, before: Cursors, { entries, imports }: Listed): PageContent {
  const { t, basePath, now } = visit
  const kept = entries.filter(({ at }) => at >= now - keptMs)
  const shown = kept.slice(0, pageSize)
  const last = (what: Entry['what']) => shown.findLast((entry) => entry.what === what)?.id
  const next = {
    before: last('act') ?? before.before,
    written: last('written') ?? before.written,
    imported: last('import') ?? before.imported,
  }
  const older = Object.entries(next).flatMap(([name, id]) => (id === undefined ? [] : [`${name}=${id}`]))
  const more =
    kept.length > pageSize
      ? html`<p><a class="button small" href="${basePath}/settings/history?${older.join('&')}">${t.history.older}</a></p>`
      : ''
  // Imports can be undone for as long as they are listed there.
  const earlier = imports.some(({ at }) => at < now - keptMs)
    ? html`<p><a href="${basePath}/settings/import">${t.listImports.history}</a></p>`
    : ''
  const list = shown.length === 0 ? nothing(visit) : dayLists(visit, shown)
  const main = html`<a class="back" href="${basePath}/settings">${icon('back', 16)}${t.settings.title}</a>
    <h1>${t.history.title}</h1><p class="soft">${t.history.explained}</p>${list}${more}${earlier}`
  return { title: t.history.title, main, place: 'me' }
}

const nothing = ({ t, basePath }: MemberVisit): Markup =>
  html`<div class="nothing">${waves()}<h2>${t.history.nothing}</h2><p>${t.history.nothingExplained}</p><a class="button filled" href="${basePath}/">${t.diary.toTrack}</a></div>`

function dayLists(visit: MemberVisit, entries: readonly Entry[]): readonly Markup[] {
  const byDay = Map.groupBy(entries, ({ at }) => readerTime(visit, at).dayNumber)
  return [...byDay].map(
    ([day, some]) =>
      html`<section class="acts-of-day"><h2 class="meta">${formatDay(visit, day, 'weekdayAndDay')}</h2><ul class="rows">${some.map((entry) => entryRow(visit, entry))}</ul></section>`,
  )
}

function entryRow(visit: MemberVisit, entry: Entry): Markup {
  const { picture, path, text, by, isUndone, end } =
    entry.what === 'import' ? importParts(visit, entry) : actParts(visit, entry)
  const said = isUndone ? html`<s>${text}</s>` : text
  const state = html`<span class="state">${icon('check', 14)}${visit.t.history.undone}</span>`
  return html`<li class="row act" id="${rowId(entry)}">${picture}<div class="text">${path === undefined ? html`<span class="work">${said}</span>` : html`<a class="work" href="${path}">${said}</a>`}<p class="meta">${by}${timeMarkup(visit, entry.at, 'clock')}</p></div>${isUndone ? state : end}</li>`
}

function actParts(visit: MemberVisit, entry: Exclude<Entry, ImportEntry>) {
  const isWritten = entry.what === 'written'
  const text = isWritten ? writtenText(visit, entry.act) : fullActText(visit, entry.act)
  return {
    ...(isWritten ? workParts(visit, entry.act) : subjectParts(visit, entry.act)),
    text,
    by: isWritten ? html`<bdi>${entry.act.by ?? visit.t.history.endedAccess}</bdi> · ` : '',
    isUndone: !isWritten && entry.act.undoneAt !== null,
    end: undoForm(visit, entry, text),
  }
}

/** All lists, for one that was deleted. */
const listPath = ({ basePath, session }: MemberVisit, { listId, listDeed }: ListedAct): string =>
  `${basePath}/@${session.username}/lists${listDeed === 'deleted' ? '' : `/${listId}`}`

/** A work, a list or a person, whose page is there for as long as they are. */
function subjectParts(visit: MemberVisit, act: ListedAct) {
  const { work, workId, listId } = act
  if (listId !== 0)
    return {
      picture: work === undefined ? symbol('lines') : cover(visit, work, 32),
      path: listPath(visit, act),
    }
  if (work !== undefined) return workParts(visit, { work, workId })
  return {
    picture: symbol('me'),
    path: act.otherName === null ? undefined : `${visit.basePath}/@${act.otherName}`,
  }
}

const workParts = (visit: MemberVisit, { work, workId }: Pick<WrittenByApplication, 'work' | 'workId'>) => ({
  picture: cover(visit, work, 32),
  path: workPath(visit, workId),
})

const symbol = (name: IconName): Markup => html`<span class="of-import">${icon(name)}</span>`

function importParts(visit: MemberVisit, { import: one }: ImportEntry) {
  const { t, basePath } = visit
  const name = sourceNames[one.source]
  const taken = takenOf(one)
  const isRunning = one.state === 'applying' || one.state === 'undoing'
  return {
    picture: html`<span class="of-import">${icon('file')}</span>`,
    path: `${basePath}${importPath(one.id)}`,
    text: t.history.imported(name, figure(visit, taken), taken),
    by: html`<bdi>${one.fileName}</bdi> · `,
    isUndone: one.state === 'undone',
    end: isRunning
      ? html`<span class="state">${t.listImports.stateOf[one.state]}</span>`
      : undoButton(visit, one, name),
  }
}

const rowId = ({ what, id }: Entry): string => `${what}-${id}`

const undoForm = (visit: MemberVisit, entry: Exclude<Entry, ImportEntry>, text: string): Markup =>
  actForm(
    visit,
    { act: 'undo', path: entry.what === 'act' ? '/undo' : '/undo/written', swap: `#${rowId(entry)}` },
    html`<button class="small" name="${entry.what === 'act' ? 'act_id' : 'activity_id'}" value="${entry.id}" data-focus="undo-${rowId(entry)}" aria-label="${visit.t.history.undo(text)}">${visit.t.shell.undo}</button>`,
  )
