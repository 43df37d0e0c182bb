import { sql } from 'kysely'
import { handleOf } from '../../db/dialect'
import type { Read } from '../../db/open'
import { preparedSql } from '../../db/prepared'
import type { Tx } from '../../db/write'
import type { Message } from '../../messages/languages'
import type { KindName } from '../import/kinds/field'
import { CatalogueChange } from './change'
import type { ChangeKind } from './log'
import { applyEdits, type EditedRow, type FieldEdit, findEdited } from './row'

/** Of one person. */
const mostOpenProposals = 20
const mostProposalsADay = 50
export const longestAnswer = 1000

/** What somebody would change of one row. */
export interface Proposal {
  readonly id: number
  readonly kind: ChangeKind
  readonly work_id: number
  readonly subject_kind: KindName
  readonly subject_id: number
  readonly user_id: number
  readonly state: 'open' | 'accepted' | 'rejected' | 'withdrawn'
  readonly edits: readonly FieldEdit[]
  readonly source_url: string
  readonly reason: string
  readonly answer: string
  readonly created_at: number
  readonly decided_at: number | null
}

export type NewProposal = Pick<
  Proposal,
  'kind' | 'work_id' | 'subject_kind' | 'subject_id' | 'user_id' | 'edits' | 'source_url' | 'reason'
>

/** Keeps a suggestion and tells the editors; `full`: there are too many. `now`: epoch milliseconds. */
export async function propose(
  tx: Tx,
  proposal: NewProposal,
  now: number,
): Promise<{ readonly id: number } | { readonly full: Message }> {
  const { edits, user_id } = proposal
  const [count] = await countOf(tx, { user: user_id, since: now - 86_400_000 })
  if ((count?.open ?? 0) >= mostOpenProposals)
    return { full: (t) => t.editing.tooManyOpen(mostOpenProposals) }
  if ((count?.today ?? 0) >= mostProposalsADay)
    return { full: (t) => t.editing.tooManyToday(mostProposalsADay) }
  const { edits: _, ...columns } = proposal
  const { id } = await tx
    .insertInto('catalogue_proposals')
    .values({ ...columns, content: JSON.stringify(edits), created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tellEditors(tx, { proposal: id, by: user_id, at: now })
  return { id }
}

/** Its author changes what is still open. Returns whether it was. */
export async function changeProposal(
  tx: Tx,
  id: number,
  { edits, source_url, reason, user_id }: Pick<NewProposal, 'edits' | 'source_url' | 'reason' | 'user_id'>,
  now: number,
): Promise<boolean> {
  const changed = await tx
    .updateTable('catalogue_proposals')
    .set({ content: JSON.stringify(edits), source_url, reason, updated_at: now })
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .where('state', '=', 'open')
    .returning('id')
    .execute()
  return changed.length > 0
}

type Counted = { open: number; today: number }

// uses catalogue_proposals_user
const countOf = preparedSql<Counted, { user: number; since: number }>(
  (slot) => sql`
    select count(*) filter (where state = 'open') as open, count(*) filter (where created_at > ${slot('since')}) as today
    from catalogue_proposals where user_id = ${slot('user')}`,
)

const tellEditors = preparedSql<never, { proposal: number; by: number; at: number }>(
  (slot) => sql`
    insert into notifications (user_id, kind, actor_id, proposal_id, created_at)
    select id, 'proposal', ${slot('by')}, ${slot('proposal')}, ${slot('at')} from users
    where (is_admin = 1 or is_editor = 1) and disabled_at is null and id <> ${slot('by')}`,
)

export async function findProposal(read: Read | Tx, id: number): Promise<Proposal | undefined> {
  const [row] = await proposalOf(read, { id })
  return row && ({ ...row, edits: JSON.parse(row.content) } satisfies Proposal & { content: string })
}

const proposalOf = preparedSql<Omit<Proposal, 'edits'> & { content: string }, { id: number }>(
  (slot) => sql`
    select id, kind, work_id, subject_kind, subject_id, user_id, state, content, source_url, reason, answer, created_at, decided_at
    from catalogue_proposals where id = ${slot('id')}`,
)

/** The row that it is about, or that this was merged into; undefined if there is none. */
export async function subjectOf(
  tx: Read | Tx,
  { subject_kind, subject_id }: Proposal,
): Promise<EditedRow | undefined> {
  const [found] = await survivorOf(tx, { kind: subject_kind, id: subject_id })
  return await findEdited(tx, subject_kind, found?.to_id ?? subject_id)
}

// uses the primary key of redirects
const survivorOf = preparedSql<{ to_id: number }, { kind: string; id: number }>(
  (slot) => sql`select to_id from redirects where kind = ${slot('kind')} and from_id = ${slot('id')}`,
)

/** Whether somebody changed the field since it was suggested. */
export const isOutdated = ({ values }: EditedRow, { field, before }: FieldEdit): boolean =>
  !Bun.deepEquals(values[field] ?? null, before)

interface Deciding {
  readonly proposal: Proposal
  readonly editor: number
  readonly now: number
}

/** Makes the named fields its author's change. Returns the id of that; undefined if it is not open or changes nothing. */
export async function acceptProposal(
  tx: Tx,
  { proposal, editor, now, take }: Deciding & { readonly take: readonly string[] },
): Promise<number | undefined> {
  const row = await subjectOf(tx, proposal)
  if (row === undefined || !(await decide(tx, { proposal, editor, now }, 'accepted', ''))) return undefined
  const { id, kind, work_id, subject_kind, user_id, source_url, reason } = proposal
  const change = new CatalogueChange(handleOf(tx), {
    ...{
      kind,
      work: subject_kind === 'work' ? row.id : work_id,
      subject: row,
      user: user_id,
      acceptedBy: editor,
    },
    ...{ proposal: id, sourceUrl: source_url, reason, now },
  })
  applyEdits(
    change,
    row,
    proposal.edits.filter(({ field }) => take.includes(field)),
  )
  const made = change.save()
  await tellAuthor(tx, { proposal: id, user: user_id, kind: 'proposal_accepted', at: now })
  return made
}

/** Returns whether it was open. */
export async function rejectProposal(
  tx: Tx,
  deciding: Deciding & { readonly answer: string },
): Promise<boolean> {
  if (!(await decide(tx, deciding, 'rejected', deciding.answer))) return false
  const { proposal, now } = deciding
  await tellAuthor(tx, { proposal: proposal.id, user: proposal.user_id, kind: 'proposal_rejected', at: now })
  return true
}

/** By its author. What editors were told of it goes. Returns whether it was open. */
export async function withdrawProposal(
  tx: Tx,
  { proposal, now }: Omit<Deciding, 'editor'>,
): Promise<boolean> {
  if (!(await decide(tx, { proposal, editor: proposal.user_id, now }, 'withdrawn', ''))) return false
  await tx.deleteFrom('notifications').where('proposal_id', '=', proposal.id).execute()
  return true
}

async function decide(
  tx: Tx,
  { proposal, editor, now }: Deciding,
  state: Proposal['state'],
  answer: string,
): Promise<boolean> {
  const decided = await tx
    .updateTable('catalogue_proposals')
    .set({ state, answer, decided_by: editor, decided_at: now, updated_at: now })
    .where('id', '=', proposal.id)
    .where('state', '=', 'open')
    .returning('id')
    .execute()
  return decided.length > 0
}

/** Of an editor no name: theirs are not for all members. */
const tellAuthor = preparedSql<never, { proposal: number; user: number; kind: string; at: number }>(
  (slot) => sql`
    insert into notifications (user_id, kind, proposal_id, created_at)
    select ${slot('user')}, ${slot('kind')}, ${slot('proposal')}, ${slot('at')}
    where not exists (select 1 from deletions where user_id = ${slot('user')})`,
)
