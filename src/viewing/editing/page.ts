import { sql } from 'kysely'
import { editingRight } from '../../accounts/editing-right'
import { type EditedRow, type SourceSays, sourcesSay } from '../../catalogue/edit/row'
import { byHand } from '../../catalogue/import/source'
import { preparedSql } from '../../db/prepared'
import type { Message } from '../../messages/languages'
import { html, Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import { day } from '../../pages/moment'
import { csrfInput } from '../../web/form-markup'
import type { MemberVisit } from '../../web/visit'
import { longForm } from '../parts/act-form'
import { isApart } from './changes'
import { type EditField, fieldsOf, textOf } from './fields'
import { type EditorName, editorName } from './head'
import { type SentEdits, type TypedTexts, textsOfRow } from './sent-edits'

/** A form that edits a row. Paths without the base path. */
export interface EditForm {
  readonly row: EditedRow
  /** Where it is sent. */
  readonly path: string
  /** Of the act: `edit_work`. */
  readonly act: string
  readonly texts?: TypedTexts
  /** One's own suggestion, which it changes. */
  readonly proposal?: number | undefined
  readonly refused?: Pick<SentEdits, 'problems' | 'conflicts' | 'taken'>
  /** Of the whole. */
  readonly problem?: { readonly text: Message }
}

/** The form with whose each field is, and below it what is by hand and what sources say instead. */
export async function editForm(visit: MemberVisit, form: EditForm): Promise<Markup> {
  const { deps } = visit
  const { row } = form
  const canEdit = editingRight(deps.config, visit.session) !== 'suggest'
  const says = canEdit ? await sourcesSay(deps.read, row) : []
  const owners = await ownersOf(visit, row)
  const fields = fieldsOf(row.kind).map((field) => fieldRow(visit, form, field, owners, says))
  return html`${problemBox(visit, form)}
    <form method="post" action="${visit.basePath}${form.path}" class="edit-form" data-act="${form.act}"${longForm} novalidate>
      ${csrfInput(visit)}<input type="hidden" name="was" value="${JSON.stringify(textsOfRow(row))}" />${form.proposal === undefined ? '' : html`<input type="hidden" name="proposal" value="${form.proposal}" />`}
      <div class="edit-fields">${fields}</div>
      ${why(visit, form, canEdit)}
    </form>
    ${canEdit ? differences(visit, form, says) : ''}`
}

/** What stops it, at the top, where the focus goes. */
function problemBox({ t }: MemberVisit, { row, refused, problem }: EditForm): Markup | '' {
  const label = (name: string) =>
    fieldsOf(row.kind)
      .find((field) => field.name === name)
      ?.label(t)
  const others: Readonly<Record<string, string>> = {
    reason: t.editing.reason,
    source_url: t.editing.sourceUrl,
  }
  const lines = [
    ...(problem === undefined ? [] : [html`<li>${problem.text(t)}</li>`]),
    ...Object.entries(refused?.problems ?? {}).map(
      ([name, text]) =>
        html`<li><a href="#${name}">${label(name) ?? others[name] ?? name}</a>${t.common.colon}${text(t)}</li>`,
    ),
    ...(refused?.conflicts ?? []).map(
      ({ field }) =>
        html`<li><a href="#${field.name}">${field.label(t)}</a>${t.common.colon}${t.editing.changedSince}</li>`,
    ),
  ]
  if (lines.length === 0) return ''
  return html`<div class="problems" role="alert" tabindex="-1" autofocus><ul>${lines}</ul></div>`
}

function fieldRow(
  visit: MemberVisit,
  form: EditForm,
  field: EditField,
  owners: ReadonlyMap<string, FieldOwner>,
  says: readonly SourceSays[],
): Markup {
  const { t } = visit
  const { row, refused } = form
  const { name } = field
  const isKeyed = row.keyed.has(field.field.replace('ids.', ''))
  const problem = refused?.problems[name]?.(t)
  const conflict = refused?.conflicts.find((one) => one.field.name === name)
  const differs = says.some(
    (one) => one.field === field.field && !Bun.deepEquals(one.value, row.values[field.field]),
  )
  const notes = [
    ...(field.hint === undefined ? [] : [html`<p class="hint">${field.hint(t)}</p>`]),
    ...(problem === undefined ? [] : [html`<p class="problem">${problem}</p>`]),
    ...(conflict === undefined
      ? []
      : [
          html`<p class="problem">${t.editing.theirs}${t.common.colon}<b>${shownValue(visit, field, conflict.theirs)}</b></p>`,
        ]),
    ...(refused?.taken[name] === undefined ? [] : [sharedBox(visit, form, refused.taken[name])]),
  ]
  return html`<div class="edit-field" data-field="${name}"><label for="${name}">${field.label(t)}</label>
    <div class="value">${isKeyed ? html`<output id="${name}">${textOf(field, row.values[field.field] ?? null)}</output>` : input(visit, form, field)}${notes}</div>
    <div class="owner meta">${ownerOf(visit, owners.get(field.field))}${differs ? html`<a href="#differs-${name}">${t.editing.differs}</a>` : ''}</div></div>`
}

/** The other work is linked: it may be the same one. */
const sharedBox = ({ t, basePath }: MemberVisit, { texts }: EditForm, other: number): Markup =>
  html`<p class="check"><input type="checkbox" id="is_shared" name="is_shared" value="1"${texts?.is_shared === '1' ? html` checked` : ''} /><label for="is_shared">${t.editing.bothHaveIt}</label> <a href="${basePath}/works/${other}">${t.editing.otherWork}</a></p>`

function input(visit: MemberVisit, { row, texts, refused }: EditForm, field: EditField): Markup {
  const { t } = visit
  const { name, look, choices } = field
  const text = texts?.[name] ?? textOf(field, row.values[field.field] ?? null)
  const wrong = refused?.problems[name] === undefined ? '' : html` aria-invalid="true"`
  if (choices !== undefined) {
    const options = Object.entries(choices(t)).map(
      ([value, words]) =>
        html`<option value="${value}"${value === text ? html` selected` : ''}>${words}</option>`,
    )
    return html`<select id="${name}" name="${name}"${wrong}>${options}</select>`
  }
  if (look === 'lines')
    return html`<textarea id="${name}" name="${name}" rows="${Math.min(10, text.split('\n').length + 1)}"${wrong}>${'\n'}${text}</textarea>`
  if (look === 'tick')
    return html`<input type="checkbox" id="${name}" name="${name}" value="1"${text === '' ? '' : html` checked`}${wrong} />`
  const kind = new Markup(inputModes[look ?? ''] ?? '')
  return html`<input id="${name}" name="${name}" value="${text}" autocomplete="off" autocapitalize="off" spellcheck="false"${kind}${wrong} />`
}

const inputModes: Readonly<Record<string, string>> = {
  number: ' inputmode="numeric"',
  url: ' inputmode="url"',
}

/** A value in words, for those who compare. */
export function shownValue({ t }: MemberVisit, field: EditField, value: SourceSays['value']): string {
  const text = textOf(field, value)
  if (field.look === 'tick') return text === '' ? t.common.no : t.common.yes
  const words = field.choices?.(t)[text] ?? text.replaceAll('\n', ' · ')
  return words === '' ? t.editing.blank : words
}

function why({ t }: MemberVisit, { texts, refused }: EditForm, canEdit: boolean): Markup {
  const text = (name: string) => texts?.[name] ?? ''
  const wrong = (name: string) => (refused?.problems[name] === undefined ? '' : html` aria-invalid="true"`)
  return html`<div class="edit-why"><div class="field"><label for="source_url">${t.editing.sourceUrl} <small>${canEdit ? t.editing.optional : t.editing.required}</small></label><input id="source_url" name="source_url" value="${text('source_url')}" placeholder="https://" inputmode="url" autocomplete="off"${wrong('source_url')} /></div>
    <div class="field"><label for="reason">${t.editing.reason} <small>${t.editing.optional}</small></label><textarea id="reason" name="reason" rows="2"${wrong('reason')}>${'\n'}${text('reason')}</textarea></div>
    <button class="filled">${canEdit ? t.common.save : t.editing.suggest}</button><p class="soft">${canEdit ? t.editing.explained : t.editing.suggestExplained}</p></div>`
}

/** Whose a field is, and of those by hand who set it, when and why. */
interface FieldOwner extends EditorName {
  readonly source: string
  readonly isByHand: boolean
  readonly at: number | null
  readonly url: string
}

function ownerOf(visit: MemberVisit, owner: FieldOwner | undefined): Markup | '' {
  if (owner === undefined) return ''
  const { t } = visit
  if (!owner.isByHand) return html`<b>${owner.source}</b>`
  const by = owner.at === null ? '' : html`${editorName(visit, owner)} · ${day(visit, owner.at)}`
  const where = !URL.canParse(owner.url)
    ? ''
    : html` · <a href="${owner.url}" rel="noreferrer nofollow ugc">${hostOf(owner.url)}</a>`
  return html`<b class="by-hand">${icon('lock', 14)}${t.editing.byHand}</b><span>${by}${where}</span>`
}

export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

async function ownersOf(
  { deps, session }: MemberVisit,
  row: EditedRow,
): Promise<ReadonlyMap<string, FieldOwner>> {
  const sources = await allSources(deps.read, {})
  const changes = await takenByHand(deps.read, { kind: row.kind, id: row.id, reader: session.userId })
  const nobody = { user_id: null, username: null, privacy: null, is_hidden: 0, at: null, url: '' }
  return new Map(
    Object.entries(row.owners).map(([field, id]) => {
      const source = sources.find((one) => one.id === id)?.name ?? ''
      const change = id === byHand ? changes.find((one) => one.field === field) : undefined
      return [field, { ...nobody, ...change, source, isByHand: id === byHand }]
    }),
  )
}

const allSources = preparedSql<{ id: number; name: string }, Record<string, never>>(
  () => sql`select id, name from sources`,
)

type TakenByHand = EditorName & { field: string; at: number; url: string }

/** Newest first. Uses catalogue_change_fields_row. */
const takenByHand = preparedSql<TakenByHand, { kind: string; id: number; reader: number }>(
  (slot) => sql`
    select field, catalogue_changes.created_at as at, source_url as url, user_id, username, privacy,
      disabled_at is not null or ${isApart(slot('reader'))} as is_hidden
    from catalogue_change_fields join catalogue_changes on catalogue_changes.id = change_id
    left join users as author on author.id = user_id
    where catalogue_change_fields.kind = ${slot('kind')} and row_id = ${slot('id')} and owner_after = ${sql.lit(byHand)}
    order by change_id desc limit 200`,
)

/** What is by hand, with what sources say instead: take theirs, or hand the field back. */
function differences(visit: MemberVisit, { row, path }: EditForm, says: readonly SourceSays[]): Markup | '' {
  const { t } = visit
  const own = fieldsOf(row.kind).filter(({ field }) => row.owners[field] === byHand)
  if (own.length === 0) return ''
  const entry = (field: EditField) => {
    const now = row.values[field.field] ?? null
    const others = says.filter((one) => one.field === field.field && !Bun.deepEquals(one.value, now))
    const button = (act: 'use_source' | 'unlock', words: string, source?: number) =>
      html`<form method="post" action="${visit.basePath}${path}/${act}" data-act="${act}" data-swap="main">${csrfInput(visit)}<input type="hidden" name="field" value="${field.name}" />${source === undefined ? '' : html`<input type="hidden" name="source" value="${source}" />`}<button class="small" aria-label="${words}${t.common.colon}${field.label(t)}">${words}</button></form>`
    const theirs = others.map(
      (one) =>
        html`<dt>${one.source}</dt><dd>${shownValue(visit, field, one.value)} ${button('use_source', t.editing.useSource, one.sourceId)}</dd>`,
    )
    return html`<li data-differs="${field.name}" id="differs-${field.name}"><b>${field.label(t)}</b><dl><dt>${t.editing.here}</dt><dd>${shownValue(visit, field, now)}</dd>${theirs}</dl>${button('unlock', t.editing.unlock)}</li>`
  }
  return html`<section class="differences"><h2>${t.editing.locked} <small>${own.length}</small></h2><ul>${own.map(entry)}</ul><p class="soft">${t.editing.unlockExplained}</p></section>`
}
