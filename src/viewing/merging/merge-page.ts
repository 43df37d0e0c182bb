import { sql } from 'kysely'
import { coverColumns } from '../../catalogue/cover-path'
import { beginMerge, type MergeableKind } from '../../catalogue/edit/merges'
import { type EditedRow, findEdited } from '../../catalogue/edit/row'
import { idIn } from '../../catalogue/search/ways/by-address'
import { handleOf } from '../../db/dialect'
import type { RawValues } from '../../http/request-values'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { positiveInteger } from '../../values/number'
import { readIfValid } from '../../values/value'
import { defineAction, formText } from '../../web/form'
import { csrfInput } from '../../web/form-markup'
import { definePage, editor, type PageRoute, seeOther } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import { type MemberVisit, pathId, queryText } from '../../web/visit'
import { shownValue } from '../editing/page'
import { refuseTooMany } from '../editing/save'
import { changePath } from '../editing/undo-button'
import { cover } from '../parts/cover'
import { matchedBox, movedBox, warnings } from './box'
import { type ComparedRows, type MergedField, mergedFields, movedRows, takenFields } from './preview'
import { goOn, reasonIn, refusalText } from './run'

/** The kinds of rows that a page merges, by the part of its path. */
const places: readonly { readonly kind: MergeableKind; readonly path: string }[] = [
  { kind: 'work', path: '/works' },
  { kind: 'person', path: '/catalogue/people' },
  { kind: 'organization', path: '/catalogue/organizations' },
  { kind: 'character', path: '/catalogue/characters' },
  { kind: 'series', path: '/catalogue/series' },
]

export type MergePlace = (typeof places)[number]

/** One row of the catalogue goes into another (D97): what moves, what is chosen, and the merge. */
export const mergePages: readonly PageRoute[] = places.flatMap((place) => [
  definePage({ path: `${place.path}/:id/merge`, access: editor, show: (visit) => mergePage(visit, place) }),
  defineAction({
    path: `${place.path}/:id/merge`,
    access: editor,
    run: (visit, sent) => merge(visit, place, sent),
  }),
])

async function mergePage(visit: MemberVisit, place: MergePlace): Promise<PageContent> {
  const goes = await rowOf(visit, place.kind, pathId(visit))
  const into = queryText(visit, 'into').trim()
  const id = into === '' ? undefined : await rowNamed(visit, place.kind, into)
  const stays = id === undefined || id === goes.id ? undefined : await findShown(visit, place.kind, id)
  const title = visit.t.merging.titles[place.kind]
  const main =
    stays === undefined
      ? html`<h1>${title}</h1>${whichOther(visit, place, goes, into)}`
      : html`<h1>${title}</h1>${await mergeForm(visit, place, { stays, goes })}`
  return {
    title: `${title}${visit.t.common.colon}${nameOf(goes)}`,
    main,
    place: 'find',
    back: backTo(place, goes),
  }
}

const backTo = (place: MergePlace, row: EditedRow) => ({
  path: place.kind === 'work' ? `/works/${row.id}` : '/catalogue/changes',
  name: nameOf(row),
})

export const nameOf = ({ values, id }: EditedRow): string => String(values.title ?? values.name ?? id)

async function rowOf(visit: MemberVisit, kind: MergeableKind, id: number): Promise<EditedRow> {
  const row = await findShown(visit, kind, id)
  if (row === undefined) throw pageNotFound()
  return row
}

async function findShown(
  { deps }: MemberVisit,
  kind: MergeableKind,
  id: number,
): Promise<EditedRow | undefined> {
  const row = await findEdited(deps.read, kind, id)
  return row?.hidden === 0 ? row : undefined
}

/** By its number, the address of its page here or, of a work, one elsewhere. */
export async function rowNamed(
  { deps }: MemberVisit,
  kind: MergeableKind,
  text: string,
): Promise<number | undefined> {
  const own = /(?:^|\/(?:works|people|organizations|characters|series)\/)([1-9][0-9]{0,14})(?:$|[-/?#])/.exec(
    text,
  )
  const number = readIfValid(positiveInteger, own?.[1] ?? '')
  if (number !== undefined) return number
  const named = idIn(text)
  if (named === undefined) return undefined
  const [found] = await deps.read
    .selectFrom('external_ids')
    .select('local_id')
    .where('kind', '=', kind)
    .where('ns', '=', named.ns)
    .where('external_id', '=', named.id)
    .limit(1)
    .execute()
  return found?.local_id
}

/** Asks for the other one. */
function whichOther(visit: MemberVisit, { path }: MergePlace, goes: EditedRow, into: string): Markup {
  const { t, basePath } = visit
  const problem =
    into === '' ? '' : html`<p class="problem" id="into-problem" role="alert">${t.merging.noSuch}</p>`
  return html`<p><b>${nameOf(goes)}</b> <span class="meta">${t.merging.id(goes.id)}</span></p>
    <form method="get" action="${basePath}${path}/${goes.id}/merge"><div class="field"><label for="into">${t.merging.into}</label><input id="into" name="into" value="${into}" required autocomplete="off"${into === '' ? '' : html` aria-invalid="true" aria-describedby="into-problem"`} /><p class="hint">${t.merging.intoHint}</p>${problem}</div><button class="filled">${t.merging.compare}</button></form>`
}

async function mergeForm(
  visit: MemberVisit,
  place: MergePlace,
  rows: ComparedRows,
  { texts, problem }: { readonly texts?: RawValues; readonly problem?: Markup } = {},
): Promise<Markup> {
  const { t, basePath } = visit
  const { stays, goes } = rows
  const fields = mergedFields(stays, goes)
  const reason = texts === undefined ? '' : formText(texts, 'reason')
  return html`<form method="post" action="${basePath}${place.path}/${goes.id}/merge" class="merge-form" data-act="merge">
    ${csrfInput(visit)}<input type="hidden" name="into" value="${stays.id}" />
    <div class="merge-fields">${await heads(visit, place, rows)}${fields.map((field) => fieldChoice(visit, field, texts))}
      <p class="soft">${t.merging.otherFields}</p>${await matchedBox(visit, place.kind, rows)}</div>
    <aside class="box"><h2>${t.merging.whatHappens}</h2>${problem ?? ''}${await movedBox(visit, place.kind, rows)}${await warnings(visit, place.kind, rows, fields)}
      <div class="field"><label for="reason">${t.editing.reason} <small>${t.editing.optional}</small></label><input id="reason" name="reason" value="${reason}" maxlength="500" autocomplete="off" /></div>
      <button class="filled wide">${t.merging.merge(stays.id)}</button><p class="soft">${t.merging.explained(goes.id)}</p></aside>
    </form>`
}

/** Both rows, and the way to let the other one stay. */
async function heads(
  visit: MemberVisit,
  { kind, path }: MergePlace,
  { stays, goes }: ComparedRows,
): Promise<Markup> {
  const { t, basePath } = visit
  const head = async (row: EditedRow, words: string) =>
    html`<div class="twin">${await picture(visit, kind, row)}<div class="text"><span class="meta">${words}</span><b lang="ja">${kind === 'work' ? html`<a href="${basePath}/works/${row.id}">${nameOf(row)}</a>` : nameOf(row)}</b><span class="meta">${t.merging.id(row.id)}</span></div></div>`
  return html`<div class="merge-heads">${await head(stays, t.merging.stays)}${await head(goes, t.merging.goes)}<a class="button small" href="${basePath}${path}/${stays.id}/merge?into=${goes.id}">${icon('swap', 14)}${t.merging.swap}</a></div>`
}

async function picture(visit: MemberVisit, kind: MergeableKind, { id }: EditedRow): Promise<Markup | ''> {
  if (kind !== 'work') return ''
  const work = await visit.deps.read
    .selectFrom('works')
    .select(['id', 'title'])
    .select(coverColumns(sql.lit(visit.session.userId)))
    .where('id', '=', id)
    .executeTakeFirst()
  return work === undefined ? '' : cover(visit, { ...work, media: work.media }, 48)
}

/** `take_…`: own or other. */
function fieldChoice(visit: MemberVisit, one: MergedField, texts: RawValues | undefined): Markup {
  const { t } = visit
  const { field, stays, goes, takesOther, isFixed } = one
  const name = `take_${field.name}`
  const taken = isFixed ? takesOther : takesOf(texts, one)
  const choice = (value: 'own' | 'other', shown: MergedField['goes']) => {
    const words = shownValue(visit, field, shown)
    const isChosen = (value === 'other') === taken
    return isFixed
      ? html`<span class="choice${isChosen ? ' chosen' : ''}">${words}</span>`
      : html`<label class="choice"><input type="radio" name="${name}" value="${value}"${isChosen ? html` checked` : ''} />${words}</label>`
  }
  const otherNote = field.name === 'title' ? t.merging.becomesAlias : ''
  const note = takesOther ? t.merging.fillsGap : otherNote
  return html`<fieldset class="merge-field" data-field="${field.name}"><legend>${field.label(t)}</legend>${choice('own', stays)}${choice('other', goes)}<span class="meta">${note}</span></fieldset>`
}

const takesOf = (sent: RawValues | undefined, { field, takesOther }: MergedField): boolean => {
  const said = sent === undefined ? '' : formText(sent, `take_${field.name}`)
  return said === '' ? takesOther : said === 'other'
}

async function merge(
  visit: MemberVisit,
  place: MergePlace,
  sent: RawValues,
): Promise<PageContent | Response> {
  const { deps, session } = visit
  const goes = await rowOf(visit, place.kind, pathId(visit))
  const stays = await rowOf(visit, place.kind, readIfValid(positiveInteger, formText(sent, 'into')) ?? 0)
  const rows = { stays, goes }
  try {
    const reason = reasonIn(sent)
    const fields = takenFields(mergedFields(stays, goes), (field) => takesOf(sent, field))
    const moving = await movedRows(deps.read, { kind: place.kind, from: goes.id, to: stays.id })
    const total = moving.reduce((sum, { move }) => sum + move, 0)
    const change = await deps.write(async (tx) => {
      await refuseTooMany(tx, session.userId, deps.now())
      const order = { kind: place.kind, from: goes.id, to: stays.id, fields, total }
      return beginMerge(handleOf(tx), order, { user: session.userId, reason, now: deps.now() })
    })
    await goOn(deps)
    return seeOther(visit, changePath(change))
  } catch (cause) {
    const refused = refusalText(visit, cause)
    if (refused === undefined) throw cause
    const title = visit.t.merging.titles[place.kind]
    const problem = html`<div class="problems" role="alert" tabindex="-1" autofocus>${refused.text}</div>`
    const form = await mergeForm(visit, place, rows, { texts: sent, problem })
    const { status, headers } = refused
    return {
      title,
      main: html`<h1>${title}</h1>${form}`,
      place: 'find',
      back: backTo(place, goes),
      status,
      headers,
    }
  }
}
