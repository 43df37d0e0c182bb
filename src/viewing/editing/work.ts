import { decidesEdits, editingRight } from '../../accounts/editing-right'
import { CatalogueChange } from '../../catalogue/edit/change'
import { findProposal } from '../../catalogue/edit/proposals'
import { type EditedRow, findEdited, sourcesSay } from '../../catalogue/edit/row'
import { byHand } from '../../catalogue/import/source'
import { handleOf } from '../../db/dialect'
import { type RawValues, textOrBlank } from '../../http/request-values'
import { html, type Markup } from '../../pages/html'
import type { PageContent } from '../../pages/layout'
import { positiveInteger } from '../../values/number'
import { readIfValid } from '../../values/value'
import { setFlash } from '../../web/flash'
import { defineAction, formText } from '../../web/form'
import { contributor, definePage, type PageRoute, seeOther } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import { type MemberVisit, queryText } from '../../web/visit'
import { findWork, type ShownWork } from '../work/view'
import { fieldsOf, textOf } from './fields'
import { backToWork, editHead } from './head'
import { type EditForm, editForm } from './page'
import { editorsOnly, saveEdits } from './save'
import { textsOfRow, textsSent } from './sent-edits'

const path = '/works/:id/edit'

/** All fields of a work; `propose_work` for those who may only suggest. */
export const workEditing: readonly PageRoute[] = [
  definePage({
    path,
    access: contributor,
    show: async (visit) => {
      const work = await findWork(visit)
      const row = await rowOf(visit, work)
      return await page(visit, work, row, await ownProposal(visit, row))
    },
  }),
  defineAction({
    path,
    access: contributor,
    run: async (visit, sent) => {
      const work = await findWork(visit)
      const row = await rowOf(visit, work)
      const saved = await saveEdits(visit, { kind: 'edit', work: work.id, row, sent })
      if ('answer' in saved) {
        setFlash(visit, saved.answer.word, saved.answer.id)
        return seeOther(visit, `/works/${work.id}`)
      }
      const texts = textsSent(row, sent)
      const proposal = readIfValid(positiveInteger, textOrBlank(sent, 'proposal'))
      return {
        ...(await page(visit, work, saved.row, { ...saved, texts, proposal })),
        status: saved.status,
        headers: saved.headers,
      }
    },
  }),
  ...(['use_source', 'unlock'] as const).map((act) =>
    defineAction({
      path: `${path}/${act}`,
      access: editorsOnly,
      run: async (visit, sent) => {
        const work = await findWork(visit)
        const id = await release(visit, await rowOf(visit, work), work.id, sent, act)
        setFlash(visit, id === undefined ? 'unedited' : 'edited', id)
        return seeOther(visit, `/works/${work.id}/edit`)
      },
    }),
  ),
]

/** What the reader suggested of it before, where the address names that. */
async function ownProposal(visit: MemberVisit, row: EditedRow): Promise<Partial<EditForm>> {
  const id = readIfValid(positiveInteger, queryText(visit, 'proposal'))
  const proposal = id === undefined ? undefined : await findProposal(visit.deps.read, id)
  if (proposal?.user_id !== visit.session.userId || proposal.state !== 'open') return {}
  const { edits, source_url, reason } = proposal
  const suggested = edits.flatMap(({ field, after }): [string, string][] => {
    const shown = fieldsOf(row.kind).find((one) => one.field === field)
    return shown === undefined ? [] : [[shown.name, textOf(shown, after)]]
  })
  return { proposal: id, texts: { ...textsOfRow(row), ...Object.fromEntries(suggested), source_url, reason } }
}

async function rowOf({ deps }: MemberVisit, { id }: ShownWork): Promise<EditedRow> {
  const row = await findEdited(deps.read, 'work', id)
  if (row === undefined) throw pageNotFound()
  return row
}

async function page(
  visit: MemberVisit,
  work: ShownWork,
  row: EditedRow,
  more: Partial<EditForm> = {},
): Promise<PageContent> {
  const { t, deps, session } = visit
  const mayEdit = editingRight(deps.config, session) !== 'suggest'
  const act = mayEdit ? 'edit_work' : 'propose_work'
  const form = await editForm(visit, { ...more, row, path: `/works/${work.id}/edit`, act })
  const title = `${mayEdit ? t.editing.edit : t.editing.suggestEdit}${t.common.colon}${work.title}`
  return {
    title,
    main: html`${editHead(visit, work, 'edit')}${form}${hideLink(visit, work)}`,
    place: 'find',
    back: backToWork(visit, work),
  }
}

const hideLink = ({ t, basePath, session }: MemberVisit, { id }: ShownWork): Markup | '' =>
  decidesEdits(session) ? html`<p><a href="${basePath}/works/${id}/hide">${t.editing.hide}…</a></p>` : ''

/** A field by hand becomes its source's again: with its value, or from its next file on. */
export async function release(
  { deps, session }: MemberVisit,
  row: EditedRow,
  work: number,
  sent: RawValues,
  act: 'use_source' | 'unlock',
): Promise<number | undefined> {
  const field = fieldsOf(row.kind).find(({ name }) => name === formText(sent, 'field'))?.field
  if (field === undefined || row.owners[field] !== byHand) return undefined
  const source = readIfValid(positiveInteger, formText(sent, 'source'))
  return await deps.write(async (tx) => {
    const says = (await sourcesSay(tx, row)).filter((one) => one.field === field)
    const theirs = says.find(({ sourceId }) => sourceId === source) ?? says[0]
    if (act === 'use_source' && theirs === undefined) return undefined
    const change = new CatalogueChange(handleOf(tx), {
      kind: 'edit',
      work,
      user: session.userId,
      now: deps.now(),
    })
    const value = act === 'use_source' ? (theirs?.value ?? null) : (row.values[field] ?? null)
    if (typeof value === 'object' && value !== null) return undefined
    change.put(row.kind, row.id, field, { value, owner: theirs?.sourceId ?? null })
    return change.save()
  })
}
