import { deleteContents, expire, oldPreviews, previewMs } from './limits'
import type { ImportDeps } from './list-import'
import { dropTablesBefore } from './tables'

interface Running {
  start(id: number, userId: number): void
  readonly reading: ReadonlySet<number>
  /** Whether other processes may be reading files: only those untouched for an hour count as interrupted. */
  readonly isBeside: boolean
}

/** Resumes what was interrupted, also in another process, and lets old previews expire. */
export async function resumeImports(deps: ImportDeps, { start, reading, isBeside }: Running): Promise<void> {
  await dropInterrupted(deps, reading, isBeside ? deps.now() - 3_600_000 : deps.now())
  const open = await deps.read
    .selectFrom('list_imports') // uses list_imports_open
    .select(['id', 'user_id'])
    .where(({ or, eb, and, ref }) =>
      or([
        eb('state', 'in', ['applying', 'undoing', 'deleting']),
        // A preview whose rows are still being planned.
        and([eb('state', '=', 'preview'), eb('done', '<', ref('total'))]),
      ]),
    )
    .execute()
  for (const { id, user_id } of open) start(id, user_id)
  for (const id of await oldPreviews(deps)) await expire(deps, id)
  await dropTablesBefore(deps, deps.now() - previewMs)
  for (const id of await halfExpired(deps)) await deleteContents(deps, id)
}

async function dropInterrupted({ write }: ImportDeps, reading: ReadonlySet<number>, before: number) {
  await write((tx) =>
    tx
      .updateTable('list_imports')
      .set({ state: 'deleting' })
      .where('state', '=', 'reading')
      .where('changed_at', '<=', before)
      .$if(reading.size > 0, (query) => query.where('id', 'not in', [...reading]))
      .execute(),
  )
}

async function halfExpired({ read }: ImportDeps): Promise<readonly number[]> {
  const rows = await read
    .selectFrom('list_imports')
    .select('id')
    .where('state', '=', 'expired')
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('list_import_rows').select('id').whereRef('import_id', '=', 'list_imports.id')),
    )
    .execute()
  return rows.map(({ id }) => id)
}
