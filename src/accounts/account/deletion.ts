import { sql } from 'kysely'
import type { Tx } from '../../db/write'
import type { Deps } from '../../deps'
import { FieldProblem } from '../../values/field-problem'
import { deleteImportRows, deletePiece, disownChanges, ownedTables } from './deletion-pieces'
import { isLastAdministrator } from './standing'

/** `keepsComments`: records with a comment and reviews with a text are kept. */
export interface AccountDeletion {
  readonly userId: number
  readonly keepsComments: boolean
}

type DeletionDeps = Pick<Deps, 'read' | 'write' | 'now' | 'storage'>

/** Ends access and clears the profile in one short write. Throws a `FieldProblem` for the last administrator. */
export async function beginDeletion(
  { write, now }: Pick<DeletionDeps, 'write' | 'now'>,
  { userId, keepsComments }: AccountDeletion,
): Promise<void> {
  const keeps_comments = keepsComments ? 1 : 0
  await write(async (tx) => {
    await refuseLastAdministrator(tx, userId)
    await tx
      .insertInto('deletions')
      .values({ user_id: userId, keeps_comments, begun_at: now() })
      .onConflict((conflict) =>
        conflict.column('user_id').doUpdateSet({
          keeps_comments: sql`deletions.keeps_comments & excluded.keeps_comments`,
          finished_at: null,
        }),
      )
      .execute()
    await tx.updateTable('users').set(anonymousUser(userId, now())).where('id', '=', userId).execute()
    await endAccess(tx, userId)
    // Stops whatever is applying or undoing an import.
    await tx.updateTable('list_imports').set({ state: 'deleting' }).where('user_id', '=', userId).execute()
  })
}

/**
 * Deletes the content in many short writes, so that other requests come in between, and then empties the log, where
 * it could still be read. May be interrupted and called again.
 */
export async function finishDeletion(
  { read, write, now, storage }: DeletionDeps,
  userId: number,
  show: (rows: number) => void = () => {},
): Promise<void> {
  const deletion = await read
    .selectFrom('deletions')
    .select('keeps_comments')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (deletion === undefined) return
  const keepsComments = deletion.keeps_comments === 1
  let rows = 0
  for (let deleted = 1; deleted > 0; rows += deleted) {
    deleted = await write(
      async (tx) => (await deleteImportRows(tx, userId)) + (await disownChanges(tx, userId)),
    )
    show(rows)
    await new Promise(setImmediate)
  }
  for (const part of ownedTables) {
    for (let after: number | undefined = 0; after !== undefined; ) {
      const from: number = after
      const deleted = await write((tx) => deletePiece(tx, part, { userId, keepsComments, after: from }))
      after = deleted.at(-1)
      rows += deleted.length
      show(rows)
      // SQLite calls are synchronous: yield to waiting requests.
      await new Promise(setImmediate)
    }
  }
  await write((tx) => concludeDeletion(tx, { userId, keepsComments }, now()))
  await emptyLog({ write, storage })
}

/** Also empties a log that a killed server left, which may have rows of accounts deleted just before. */
export async function finishDeletions(deps: DeletionDeps & Pick<Deps, 'log'>): Promise<void> {
  const open = await deps.read
    .selectFrom('deletions')
    .select('user_id')
    .where('finished_at', 'is', null)
    .execute()
  for (const { user_id } of open) await finishDeletionOrLog(deps, user_id)
  const left = await deps.read.selectFrom('instance').select('name').where('name', '=', logMark).execute()
  if (left.length > 0) await emptyLog(deps)
}

/** Never rejects: a failure is logged, and the next start resumes the deletion. */
export async function finishDeletionOrLog(
  deps: DeletionDeps & Pick<Deps, 'log'>,
  userId: number,
): Promise<void> {
  try {
    await finishDeletion(deps, userId)
    deps.log('account_deleted', { user: userId })
  } catch (cause) {
    deps.log('deletion_interrupted', { user: userId, why: String(cause) })
  }
}

/** A read or write of this moment prevents it, so it tries again; a replicator that holds the log empties it itself. */
async function emptyLog({ write, storage }: Pick<Deps, 'write' | 'storage'>): Promise<void> {
  for (let tries = 0; !storage.emptyLog(); tries++) {
    if (tries === 100) return
    await Bun.sleep(50)
  }
  await write((tx) => tx.deleteFrom('instance').where('name', '=', logMark).execute())
}

/** In `instance` while the log may hold rows of a deleted account. */
const logMark = 'log_to_empty'

/** What is left of the user for kept comments and reviews to refer to. */
const anonymousUser = (userId: number, at: number) => ({
  username: `deleted_${userId}`,
  username_key: `deleted_${userId}`,
  name: '',
  description: '',
  url: null,
  avatar_url: '',
  background_image_url: '',
  email: '',
  // Not a valid address, so no sign-up can collide with it.
  email_key: `deleted_${userId}`,
  ...{ password_hash: '', password_set_at: null },
  ...{ passkey_handle: null, has_passkey_step: 0 },
  ...{ is_admin: 0, is_editor: 0 },
  language: null,
  invited_by: null,
  disabled_at: at,
})

async function endAccess(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('applications').where('owner_id', '=', userId).execute() // uses applications_owner
  await tx.deleteFrom('invitations').where('created_by', '=', userId).execute()
  await tx.updateTable('users').set({ invited_by: null }).where('invited_by', '=', userId).execute()
  for (const table of access) await tx.deleteFrom(table).where('user_id', '=', userId).execute()
}

const access = [
  'tokens',
  'authorization_codes',
  'device_grants',
  'sessions',
  'devices',
  'one_time_links',
  'passkeys',
  'identities',
  'sign_ins',
  'recovery_codes',
  'second_factors',
] as const

async function concludeDeletion(
  tx: Tx,
  { userId, keepsComments }: AccountDeletion,
  at: number,
): Promise<void> {
  const mark = { name: logMark, value: '1' }
  await tx
    .insertInto('instance')
    .values(mark)
    .onConflict((conflict) => conflict.doUpdateSet(mark))
    .execute()
  await disownChanges(tx, userId)
  // Rows added since then, such as a new follower.
  for (const part of ownedTables) await deletePiece(tx, part, { userId, keepsComments, after: 0, atOnce: -1 })
  if (keepsComments) {
    await tx.updateTable('deletions').set({ finished_at: at }).where('user_id', '=', userId).execute()
  } else {
    await tx.deleteFrom('users').where('id', '=', userId).execute()
  }
}

/** Without an administrator, nobody could manage the instance through the web. */
async function refuseLastAdministrator(tx: Tx, userId: number): Promise<void> {
  if (!(await isLastAdministrator(tx, userId))) return
  throw new FieldProblem('data', 'account', (t) => t.rules.onlyAdministrator)
}
