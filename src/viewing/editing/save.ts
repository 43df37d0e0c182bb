import { editingRight } from '../../accounts/editing-right'
import { CatalogueChange } from '../../catalogue/edit/change'
import type { ChangeKind } from '../../catalogue/edit/log'
import { changeProposal, propose } from '../../catalogue/edit/proposals'
import { applyEdits, type EditedRow, findEdited } from '../../catalogue/edit/row'
import { handleOf } from '../../db/dialect'
import type { Tx } from '../../db/write'
import { type RawValues, textOrBlank } from '../../http/request-values'
import type { Message } from '../../messages/languages'
import { positiveInteger } from '../../values/number'
import { readIfValid } from '../../values/value'
import { contributor, editor } from '../../web/page'
import { FormProblem } from '../../web/problem'
import type { MemberVisit, Visit } from '../../web/visit'
import type { EditForm } from './page'
import { readSent, type SentEdits } from './sent-edits'

/** For what is done at once, by whoever may edit: not a suggestion. */
export function editorsOnly(visit: Visit): MemberVisit {
  const known = contributor(visit)
  return editingRight(known.deps.config, known.session) === 'suggest' ? editor(visit) : known
}

/** What became of a form: the word and number for the next page, or the form again with what stopped it. */
type Saved =
  | { readonly answer: { readonly word: string; readonly id: number | undefined } }
  | (Pick<EditForm, 'row' | 'problem'> & {
      readonly refused: SentEdits
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
    })

interface SentForm {
  readonly kind: ChangeKind
  /** 0: about none. */
  readonly work: number
  readonly row: EditedRow
  readonly sent: RawValues
}

/** Changes the row as the form says, or keeps it as a suggestion of who may not edit. */
export async function saveEdits(visit: MemberVisit, { kind, work, row, sent }: SentForm): Promise<Saved> {
  const { deps, session } = visit
  const isSuggestion = editingRight(deps.config, session) === 'suggest'
  return await deps.write(async (tx): Promise<Saved> => {
    const present = (await findEdited(tx, row.kind, row.id)) ?? row
    const read = await readSent(tx, present, sent, { mustCite: isSuggestion })
    const again = { row: present, refused: read, headers: {} }
    if (Object.keys(read.problems).length > 0) return { ...again, status: 422 }
    if (read.conflicts.length > 0) return { ...again, status: 409 }
    if (read.edits.length === 0) return { answer: { word: 'unedited', id: undefined } }
    if (isSuggestion) return await suggest(tx, visit, { kind, work, row: present, sent }, read)
    const busy = await tooMany(tx, session.userId, deps.now())
    if (busy !== undefined)
      return { ...again, problem: { text: busy }, status: 429, headers: { 'Retry-After': '600' } }
    const { reason, sourceUrl } = read
    const about = { kind, work, subject: row, user: session.userId, reason, sourceUrl, now: deps.now() }
    const change = new CatalogueChange(handleOf(tx), about)
    applyEdits(change, present, read.edits)
    const id = change.save()
    return { answer: { word: id === undefined ? 'unedited' : 'edited', id } }
  })
}

/** A new suggestion, or another version of one's own that is open. */
async function suggest(
  tx: Tx,
  { deps, session }: MemberVisit,
  { kind, work, row, sent }: SentForm,
  read: SentEdits,
): Promise<Saved> {
  const { edits, sourceUrl: source_url, reason } = read
  const said = { edits, source_url, reason, user_id: session.userId }
  const former = readIfValid(positiveInteger, textOrBlank(sent, 'proposal'))
  if (former !== undefined && (await changeProposal(tx, former, said, deps.now())))
    return { answer: { word: 'suggested', id: former } }
  const proposal = { ...said, kind, work_id: work, subject_kind: row.kind, subject_id: row.id }
  const made = await propose(tx, proposal, deps.now())
  if ('id' in made) return { answer: { word: 'suggested', id: made.id } }
  return { row, refused: read, problem: { text: made.full }, status: 429, headers: { 'Retry-After': '3600' } }
}

/** Changes of one person an hour. */
const mostChanges = 600

/** Why this person has to wait; undefined if not. Uses catalogue_changes_user. */
async function tooMany(tx: Tx, user: number, now: number): Promise<Message | undefined> {
  const { n } = await tx
    .selectFrom('catalogue_changes')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('user_id', '=', user)
    .where('created_at', '>', now - 3_600_000)
    .executeTakeFirstOrThrow()
  return n < mostChanges ? undefined : (t) => t.editing.tooManyChanges(mostChanges)
}

/** For pages that change something by a button. Throws the problem. */
export async function refuseTooMany(tx: Tx, user: number, now: number): Promise<void> {
  const busy = await tooMany(tx, user, now)
  if (busy !== undefined) throw new FormProblem('', busy, 429, { 'Retry-After': '600' })
}
