import { type EditedRow, type EditValue, type FieldEdit, otherWith } from '../../catalogue/edit/row'
import { webUrl } from '../../catalogue/import/kinds/cells'
import type { Read } from '../../db/open'
import type { Tx } from '../../db/write'
import { type RawValues, textOrBlank } from '../../http/request-values'
import type { Message } from '../../messages/languages'
import { InvalidValue } from '../../values/value'
import { typedProse } from '../acts/act-route'
import { type EditField, fieldsOf, textOf } from './fields'

/** What a form would change; or why not, by the name of its input. */
export interface SentEdits {
  readonly edits: readonly FieldEdit[]
  readonly problems: Readonly<Record<string, Message>>
  /** Fields that others changed since the form was opened, with what they made of them. */
  readonly conflicts: readonly { readonly field: EditField; readonly theirs: EditValue }[]
  /** Works that have an id which was typed, by the name of its input. */
  readonly taken: Readonly<Record<string, number>>
  readonly reason: string
  readonly sourceUrl: string
}

const longestReason = 1000

/** Texts by the name of their input. */
export type TypedTexts = Readonly<Record<string, string>>

/** What the form is filled with, for the field `was`. */
export const textsOfRow = (row: EditedRow): TypedTexts =>
  Object.fromEntries(
    fieldsOf(row.kind).map((field) => [field.name, textOf(field, row.values[field.field] ?? null)]),
  )

export function textsSent(row: EditedRow, sent: RawValues): TypedTexts {
  const now = textsOfRow(row)
  const typed = fieldsOf(row.kind).map((field): [string, string] => [field.name, typedText(field, sent, now)])
  const others = ['reason', 'source_url', 'is_shared'].map((name): [string, string] => [
    name,
    textOrBlank(sent, name),
  ])
  return Object.fromEntries([...typed, ...others])
}

/** Browsers send nothing for a box without a tick; what no form sends stays. */
function typedText({ name, look }: EditField, sent: RawValues, now: TypedTexts): string {
  if (sent.has(name)) return textOrBlank(sent, name).replaceAll('\r\n', '\n')
  return look === 'tick' && sent.has('was') ? '' : (now[name] ?? '')
}

/** `mustCite`: a suggestion says where it is written. */
export async function readSent(
  read: Read | Tx,
  row: EditedRow,
  sent: RawValues,
  { mustCite }: { readonly mustCite: boolean },
): Promise<SentEdits> {
  const [now, was] = [textsOfRow(row), wasOf(row, sent)]
  const typed = textsSent(row, sent)
  const problems: Record<string, Message> = {}
  const edits: FieldEdit[] = []
  const conflicts: { field: EditField; theirs: EditValue }[] = []
  for (const field of fieldsOf(row.kind)) {
    const text = typed[field.name] ?? ''
    if (
      row.keyed.has(field.field.replace('ids.', '')) ||
      same(text, was[field.name]) ||
      same(text, now[field.name])
    )
      continue
    const before = row.values[field.field] ?? null
    const after = field.read(text)
    if (after instanceof InvalidValue) problems[field.name] = after.rule
    else if (!same(was[field.name] ?? '', now[field.name])) conflicts.push({ field, theirs: before })
    else if (!Bun.deepEquals(before, after)) edits.push({ field: field.field, before, after })
  }
  const taken = await takenIds(read, row, edits, typed.is_shared === '1')
  for (const [name, id] of Object.entries(taken)) problems[name] = (t) => t.editing.idTaken(id)
  const { reason, sourceUrl } = readWhy(typed, mustCite, problems)
  checkSeason(row, edits, problems)
  return { edits, problems, conflicts, taken, reason, sourceUrl }
}

const same = (one: string, other: string | undefined) => one.trim() === (other ?? '').trim()

/** What the form was filled with; what it does not say is as it is now. */
function wasOf(row: EditedRow, sent: RawValues): TypedTexts {
  const now = textsOfRow(row)
  try {
    const was: unknown = JSON.parse(textOrBlank(sent, 'was'))
    if (typeof was !== 'object' || was === null) return now
    const said = Object.entries(was).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    )
    return { ...now, ...Object.fromEntries(said) }
  } catch {
    return now
  }
}

async function takenIds(read: Read | Tx, row: EditedRow, edits: readonly FieldEdit[], isShared: boolean) {
  const taken: Record<string, number> = {}
  if (isShared) return taken
  for (const { field, after } of edits) {
    const other = await otherWith(read, row, field, after)
    const name = fieldsOf(row.kind).find((one) => one.field === field)?.name
    if (other !== undefined && name !== undefined) taken[name] = other
  }
  return taken
}

export function readWhy(typed: TypedTexts, mustCite: boolean, problems: Record<string, Message>) {
  const reason = typedProse(longestReason).read(typed.reason ?? '')
  if (reason instanceof InvalidValue) problems.reason = reason.rule
  const url = (typed.source_url ?? '').trim()
  const sourceUrl = url === '' ? '' : webUrl.read(url)
  if (sourceUrl instanceof InvalidValue || !/^(?:https:\/\/\S+)?$/i.test(sourceUrl))
    problems.source_url = (t) => t.editing.httpsOnly
  else if (url === '' && mustCite) problems.source_url = (t) => t.editing.sourceNeeded
  return {
    reason: reason instanceof InvalidValue ? '' : reason,
    sourceUrl: sourceUrl instanceof InvalidValue ? '' : sourceUrl,
  }
}

/** A season is one of a year. */
function checkSeason(
  { kind, values }: EditedRow,
  edits: readonly FieldEdit[],
  problems: Record<string, Message>,
): void {
  if (kind !== 'work') return
  const next = (field: string) => {
    const edit = edits.find((one) => one.field === field)
    return edit === undefined ? values[field] : edit.after
  }
  if (next('season') !== null && next('season_year') === null)
    problems.season_year ??= (t) => t.editing.seasonNeedsYear
}
