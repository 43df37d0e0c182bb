import type { Tx } from '../../db/write'
import { ApiError, notFound } from '../../http/errors'
import type { OpenAct } from '../../library/acts/write-act'

export const visibilities = ['public', 'members', 'private'] as const
/** Who sees a list (D88); a private profile narrows it to approved followers. */
export type Visibility = (typeof visibilities)[number]

/** In code points. */
export const longestListName = 100
export const longestListText = 2000
export const longestListNote = 500

/** Of one person, and works in one list. */
export const mostLists = 100
export const mostInList = 1000

/** Nothing was written: there is no room for another list, or for these works in the list. */
export class ListFull extends ApiError {
  constructor(readonly what: 'lists' | 'works') {
    super('invalid_params', [fullTexts[what]])
  }
}

const fullTexts = {
  lists: `name must be of one of at most ${mostLists} lists.`,
  works: `work_id must be of one of at most ${mostInList} works in the list.`,
}

/** An API request logs its changes too, but nobody keeps that log: only acts of pages are undone. */
export type ListWriting = Pick<OpenAct, 'tx' | 'userId' | 'now' | 'log' | 'aside'>

/** What is undefined stays as it is. */
export interface ListFields {
  readonly name: string
  readonly text: string | undefined
  /** By default as the profile is. */
  readonly visibility: Visibility | undefined
  readonly isOrdered: boolean | undefined
  /** Epoch milliseconds; now by default. */
  readonly createdAt?: number | undefined
}

export type ListChange = {
  readonly [Name in Exclude<keyof ListFields, 'createdAt'>]?: ListFields[Name] | undefined
}

/** Returns its id. Throws `ListFull`. */
export async function insertList(
  { tx, userId, now, log }: ListWriting,
  { name, text = '', visibility, isOrdered = false, createdAt = now }: ListFields,
): Promise<number> {
  const { n } = await tx
    .selectFrom('lists')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('user_id', '=', userId) // uses lists_user
    .executeTakeFirstOrThrow()
  if (n >= mostLists) throw new ListFull('lists')
  const { id } = await tx
    .insertInto('lists')
    .values({
      ...{ user_id: userId, name, text, visibility: visibility ?? (await profileOf(tx, userId)) },
      ...{ is_ordered: Number(isOrdered), created_at: createdAt, updated_at: now },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await log.inserted('lists', 0, id)
  return id
}

async function profileOf(tx: Tx, userId: number): Promise<string> {
  const { privacy } = await tx
    .selectFrom('users')
    .select('privacy')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return privacy
}

/** Throws not_found, also for somebody else's. */
export async function ownList(tx: Tx, userId: number, id: number) {
  const list = await tx
    .selectFrom('lists')
    .select(['id', 'name', 'text', 'is_ordered'])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (list === undefined) throw notFound('The list')
  return list
}

/** Saving the same again changes nothing. Throws not_found. */
export async function changeList(
  { tx, userId, now, log }: ListWriting,
  id: number,
  { isOrdered, ...fields }: ListChange,
): Promise<void> {
  await ownList(tx, userId, id)
  const is_ordered = isOrdered === undefined ? undefined : Number(isOrdered)
  if ([is_ordered, ...Object.values(fields)].every((value) => value === undefined)) return
  await log.changed('lists', 0, id, () =>
    tx
      .updateTable('lists')
      .set({ ...fields, is_ordered })
      .where('id', '=', id)
      .execute(),
  )
  await touchList({ tx, now, log }, id)
}

/** For the order of one's lists, unless nothing was changed: what was used last. An undo does not. */
export async function touchList(
  { tx, now, log }: Pick<ListWriting, 'tx' | 'now' | 'log'>,
  id: number,
): Promise<void> {
  if (!log.isEmpty) await tx.updateTable('lists').set({ updated_at: now }).where('id', '=', id).execute()
}

/** With its works. Throws not_found. */
export async function deleteList({ tx, userId, log }: ListWriting, id: number): Promise<void> {
  await ownList(tx, userId, id)
  await log.deleting('lists', 0, id)
  await tx.deleteFrom('lists').where('id', '=', id).execute()
}
