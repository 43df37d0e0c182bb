import { sql } from 'kysely'
import type { ChangedField } from '../../catalogue/edit/log'
import { preparedSql } from '../../db/prepared'
import type { Messages } from '../../messages/en'
import { html, type Markup } from '../../pages/html'
import { timeMarkup } from '../../pages/moment'
import type { MemberVisit } from '../../web/visit'
import { fieldKey, type ListedChange } from './changes'
import { fieldsOf, siteNames } from './fields'
import { shownValue } from './page'

/** Names of rows other than works, as `episode 12`. */
type NamesOfRows = ReadonlyMap<string, string>

/** Before and after of each field; `end` stands behind it. */
export function changedFields(
  visit: MemberVisit,
  { fields }: ListedChange,
  names: NamesOfRows,
  end: (field: ChangedField) => Markup | '' = () => '',
): Markup {
  const { t } = visit
  const shown = fields.slice(0, mostShown)
  const row = (field: ChangedField) =>
    html`<div data-field="${field.kind === 'work' ? field.field : fieldKey(field)}"><dt>${fieldName(visit, field, names)}</dt><dd>${values(visit, field)} ${end(field)}</dd></div>`
  const more =
    fields.length > mostShown
      ? html`<p class="meta">${t.editing.moreFields(fields.length - mostShown)}</p>`
      : ''
  return html`<dl class="changed-fields">${shown.map(row)}</dl>${more}`
}

const mostShown = 50

/** The row, unless it is the work, and the field. */
export function fieldName(
  { t }: MemberVisit,
  { kind, row_id, field }: ChangedField,
  names: NamesOfRows,
): string {
  const row = kind === 'work' ? '' : (names.get(`${kind} ${row_id}`) ?? t.editing.kinds[kind])
  const name = nameOf(t, kind, field)
  return [row, name].filter((part) => part !== '').join(' · ')
}

function nameOf(t: Messages, kind: ChangedField['kind'], field: string): string {
  if (field === '*' || field === 'hidden') return t.editing.entry
  const known = fieldsOf(kind).find((one) => one.field === field)
  if (known !== undefined) return known.label(t)
  const [part = '', rest = ''] = field.split(/\.(.*)/s)
  if (part === 'ids') return siteNames[rest] ?? rest
  if (part === 'aliases' || part === 'series' || part === 'streams') return t.editing.partNames[part]
  return isColumn(t.editing.columns, field) ? t.editing.columns[field] : field
}

const isColumn = (columns: Messages['editing']['columns'], field: string): field is keyof typeof columns =>
  field in columns

function values(visit: MemberVisit, field: ChangedField): Markup {
  const { t } = visit
  const before = shown(visit, field, field.before)
  const after = shown(visit, field, field.after)
  if (field.before === field.after)
    return html`${after} (${field.owner_after === 1 ? t.editing.byHand : t.editing.unlocked})`
  return html`<del><span class="unseen">${t.editing.before}</span>${before}</del> → <ins><span class="unseen">${t.editing.after}</span>${after}</ins>`
}

function shown(visit: MemberVisit, { kind, field }: ChangedField, json: string | null): string | Markup {
  const { t } = visit
  const value: unknown = json === null ? null : JSON.parse(json)
  if (field === '*') return value === null ? t.editing.notThere : t.editing.there
  if (field === 'hidden') return value === 1 ? t.editing.takenOut : t.editing.there
  if (Array.isArray(value)) return value.length === 0 ? t.editing.blank : partText(field)
  if (field.endsWith('_at') && typeof value === 'number') return timeMarkup(visit, value)
  const known = fieldsOf(kind).find((one) => one.field === field)
  if (known !== undefined && (value === null || typeof value === 'string' || typeof value === 'number'))
    return shownValue(visit, known, value)
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')
  return text === '' ? t.editing.blank : text
}

const partText = (field: string): string => field.slice(field.indexOf('.') + 1).replace('\n', ' ')

export async function rowNames(
  { deps }: MemberVisit,
  changes: readonly ListedChange[],
): Promise<NamesOfRows> {
  const rows = changes.flatMap(({ fields }) => fields.map(({ kind, row_id }) => ({ kind, id: row_id })))
  const found = await namesOf(deps.read, { rows: JSON.stringify(rows.slice(0, 2000)) })
  return new Map(found.map(({ kind, id, name }) => [`${kind} ${id}`, name]))
}

type NamedOfKind = { kind: string; id: number; name: string }

const namesOf = preparedSql<NamedOfKind, { rows: string }>(
  (slot) => sql`
    with rows as (select distinct value ->> 'kind' as kind, value ->> 'id' as id from json_each(${slot('rows')}))
    select kind, rows.id, case kind
      when 'episode' then (select iif(number_text = '', ifnull(number, title), number_text) from episodes where episodes.id = rows.id)
      when 'person' then (select name from people where people.id = rows.id)
      when 'organization' then (select name from organizations where organizations.id = rows.id)
      when 'character' then (select name from characters where characters.id = rows.id)
      when 'series' then (select name from series where series.id = rows.id)
      when 'channel' then (select name from channels where channels.id = rows.id)
      when 'cast' then (select name from casts where casts.id = rows.id)
      when 'staff' then (select name from staffs where staffs.id = rows.id)
      when 'program' then (select channels.name from programs join channels on channels.id = channel_id where programs.id = rows.id)
    end as name from rows where name is not null`,
)
