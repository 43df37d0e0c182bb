import { sql } from 'kysely'
import { decidesEdits } from '../../accounts/editing-right'
import { undoChange } from '../../catalogue/edit/undo'
import { handleOf } from '../../db/dialect'
import { preparedSql } from '../../db/prepared'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import { type PageContent, reloading } from '../../pages/layout'
import { day, moment } from '../../pages/moment'
import { positiveInteger } from '../../values/number'
import { readIfValid } from '../../values/value'
import { setFlash } from '../../web/flash'
import { defineAction, formText } from '../../web/form'
import { definePage, editor, member, type PageRoute, seeOther } from '../../web/page'
import { PageProblem, pageNotFound } from '../../web/problem'
import { safeReturn } from '../../web/return-to'
import { type MemberVisit, pathId, queryText } from '../../web/visit'
import { mergeProgress, undoMerge } from '../merging/progress'
import { nextLink } from '../parts/page-links'
import { findWork } from '../work/view'
import { changedFields, fieldName, rowNames } from './changed-fields'
import { fieldKey, type ListedChange, listChanges, mayUndo, undoneAt } from './changes'
import { correctionsPath } from './corrections'
import { backToWork, editHead, editorName } from './head'
import { hostOf } from './page'
import { refuseTooMany } from './save'
import { changesPath as allPath, changePath, undoForm } from './undo-button'

const pageSize = 30

/** Who changed what, with its undo (D95). */
export const historyPages: readonly PageRoute[] = [
  definePage({
    path: '/works/:id/history',
    access: member,
    show: async (visit) => {
      const work = await findWork(visit)
      const by = chips.find((one) => one === queryText(visit, 'by'))
      const { list, more } = await changeList(visit, { work: work.id, by }, `/works/${work.id}/history`)
      const chip = (one: (typeof chips)[number] | undefined, words: string) =>
        html`<a class="chip" href="${visit.basePath}/works/${work.id}/history${one === undefined ? '' : `?by=${one}`}"${one === by ? html` aria-current="true"` : ''}>${words}</a>`
      const { t } = visit
      const main = html`${editHead(visit, work, 'history')}<nav class="chips" aria-label="${t.editing.changedBy.title}">${chip(undefined, t.common.all)}${chips.map((one) => chip(one, t.editing.changedBy[one]))}</nav><p class="meta">${catalogueLinks(visit)}</p>${list}${more}`
      return {
        title: `${t.editing.tabs.history}${t.common.colon}${work.title}`,
        main,
        place: 'find',
        back: backToWork(visit, work),
      }
    },
  }),
  definePage({
    path: allPath,
    access: editor,
    show: async (visit) => {
      const { list, more } = await changeList(visit, {}, allPath)
      const title = visit.t.editing.allChanges
      return {
        title,
        main: html`<h1>${title}</h1><p><a href="${visit.basePath}/catalogue/twins">${visit.t.merging.twins}</a> · <a href="${visit.basePath}${correctionsPath}">${visit.t.editing.corrections}</a></p>${list}${more}`,
        place: 'find',
      }
    },
  }),
  definePage({
    path: `${allPath}/:id`,
    access: member,
    show: async (visit) => {
      const [change] = await listChanges(visit.deps.read, {
        id: pathId(visit),
        limit: 1,
        reader: visit.session.userId,
      })
      if (change === undefined) throw pageNotFound()
      return await changePage(visit, change)
    },
  }),
  defineAction({
    path: `${allPath}/:id/undo`,
    access: member,
    run: async (visit, sent) => {
      const back = safeReturn(formText(sent, 'return_to'), visit.deps.config.baseUrl)
      const change = pathId(visit)
      const id = (await undoMerge(visit, change)) ?? (await undo(visit, change, formText(sent, 'field')))
      setFlash(visit, id === undefined ? 'undo_left' : 'edited', id)
      return seeOther(visit, back)
    },
  }),
]

/** Pages of the whole catalogue. */
function catalogueLinks({ t, basePath, session }: MemberVisit): Markup {
  const link = (path: string, words: string) => html`<a href="${basePath}${path}">${words}</a>`
  if (!decidesEdits(session)) return link('/catalogue/proposals', t.editing.ownProposals)
  return html`${link(allPath, t.editing.allChanges)} · ${link('/catalogue/proposals', t.editing.proposals)} · ${link('/catalogue/hidden', t.editing.hiddenWorks)}`
}

const chips = ['hand', 'source', 'merge'] as const

async function undo(visit: MemberVisit, id: number, key: string): Promise<number | undefined> {
  const { deps, session } = visit
  const [change] = await listChanges(deps.read, { id, limit: 1, reader: session.userId })
  if (change === undefined) throw pageNotFound()
  if (!mayUndo(visit, change))
    throw new PageProblem(403, (t) => [t.problem.editorsOnlyTitle, t.problem.editorsOnly])
  const only = key === '' ? undefined : change.fields.find((field) => fieldKey(field) === key)
  if (key !== '' && only === undefined) throw pageNotFound()
  const about = { change: id, user: session.userId, now: deps.now() }
  return await deps.write(async (tx) => {
    await refuseTooMany(tx, session.userId, about.now)
    return undoChange(handleOf(tx), only === undefined ? about : { ...about, only }).id
  })
}

type Query = Pick<Parameters<typeof listChanges>[1], 'work' | 'by'>

async function changeList(visit: MemberVisit, query: Query, path: string) {
  const { t, deps, basePath } = visit
  const before = readIfValid(positiveInteger, queryText(visit, 'before'))
  const found = await listChanges(deps.read, {
    ...query,
    before,
    limit: pageSize + 1,
    reader: visit.session.userId,
  })
  const shown = found.slice(0, pageSize)
  const names = await rowNames(visit, shown)
  const rows = shown.map((change) => changeRow(visit, change, names, query.work === undefined))
  const by = query.by === undefined ? '' : `by=${query.by}&`
  return {
    list:
      shown.length === 0
        ? html`<p class="soft">${t.editing.noChanges}</p>`
        : html`<ol class="changes">${rows}</ol>`,
    more:
      found.length > pageSize
        ? nextLink(`${basePath}${path}?${by}before=${shown.at(-1)?.id ?? 0}`, t.history.older)
        : '',
  }
}

type RowNames = Awaited<ReturnType<typeof rowNames>>

function changeRow(visit: MemberVisit, change: ListedChange, names: RowNames, withWork: boolean): Markup {
  const { t, basePath } = visit
  const undone = undoneAt(change)
  const end =
    undone === undefined
      ? undoOf(visit, change, names)
      : html`<span class="meta">${icon('undo', 14)}${t.editing.undoneOn} ${day(visit, undone)}</span>`
  const work =
    withWork && change.title !== null
      ? html`<a class="work" href="${basePath}/works/${change.work_id}/history">${change.title}</a> `
      : ''
  return html`<li class="change" data-change="${change.id}"><div class="head"><p>${work}${whoAndWhen(visit, change)}</p>${end}</div>${changedFields(visit, change, names)}${reasonOf(visit, change)}</li>`
}

/** What was merged or split is undone by its own form (D97). */
const undoOf = (visit: MemberVisit, change: ListedChange, names: RowNames): Markup | '' =>
  mayUndo(visit, change) && change.kind !== 'merge' && change.kind !== 'split'
    ? undoForm(visit, change.id, whatOf(visit, change, names))
    : ''

/** For the name of a button. */
const whatOf = (visit: MemberVisit, { fields, title }: ListedChange, names: RowNames): string =>
  fields.length === 1 && fields[0] !== undefined
    ? fieldName(visit, fields[0], names)
    : (title ?? visit.t.editing.someFields(fields.length))

function whoAndWhen(visit: MemberVisit, change: ListedChange): Markup {
  const { t, basePath } = visit
  const who = change.source === null ? editorName(visit, change) : html`${change.source}`
  const accepted = change.acceptor === null ? '' : html` · ${t.editing.acceptedBy(change.acceptor)}`
  const where = !URL.canParse(change.source_url)
    ? ''
    : html` · ${t.editing.sourceUrl} <a href="${change.source_url}" rel="noreferrer nofollow ugc">${hostOf(change.source_url)}</a>`
  const kind = t.editing.changeKinds[kindWord(change.kind)]
  return html`<b>${who}</b> <span class="meta">${kind === '' ? '' : html`${kind} · `}<a href="${basePath}${changePath(change.id)}">${moment(visit, change.created_at)}</a>${accepted}${where}</span>`
}

const kindWord = (kind: string): 'merge' | 'split' | 'undo' | 'hide' | 'show' | 'create' | 'edit' =>
  (['merge', 'split', 'undo', 'hide', 'show', 'create'] as const).find((one) => one === kind) ?? 'edit'

/** Words of somebody who is hidden from the reader are, too. */
const reasonOf = ({ session }: MemberVisit, { reason, is_hidden }: ListedChange): Markup | '' =>
  reason === '' || (is_hidden === 1 && !decidesEdits(session))
    ? ''
    : html`<p class="reason" dir="auto">${reason}</p>`

async function changePage(visit: MemberVisit, change: ListedChange): Promise<PageContent> {
  const { t, deps } = visit
  const names = await rowNames(visit, [change])
  const [present] = await workTitle(deps.read, { id: change.work_id })
  const back =
    present === undefined ? {} : { back: { path: `/works/${change.work_id}/history`, name: present.title } }
  const title = `${t.editing.change}${present === undefined ? '' : `${t.common.colon}${present.title}`}`
  const buttons = (field: ListedChange['fields'][number]) =>
    mayUndo(visit, change) && change.fields.length > 1
      ? undoForm(visit, change.id, fieldName(visit, field, names), fieldKey(field))
      : ''
  const end = undoOf(visit, change, names)
  const merge = await mergeProgress(visit, change.id)
  const main = html`<h1>${title}</h1>${merge?.markup ?? ''}<div class="change" data-change="${change.id}"><div class="head"><p>${whoAndWhen(visit, change)}</p>${end}</div>${changedFields(visit, change, names, buttons)}${reasonOf(visit, change)}</div>`
  return { title, main, place: 'find', ...back, ...(merge?.isRunning === true && { head: reloading }) }
}

const workTitle = preparedSql<{ title: string }, { id: number }>(
  (slot) => sql`select title from works where id = ${slot('id')}`,
)
