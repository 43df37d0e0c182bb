import type { Instance } from './instance'

interface WatchedRow {
  readonly user_id: number
  readonly work_id?: number
  readonly episode_id: number
  readonly watched_at: number
  readonly watched_at_precision?: string
  readonly comment?: string
  readonly rating_state?: string
}

/** Inserts records as they are in the database; returns their ids. */
export const addRecords = ({ deps }: Instance, rows: readonly WatchedRow[]): Promise<number[]> =>
  deps.write(async (tx) => {
    const ids: number[] = []
    for (const row of rows) {
      const values = { work_id: 1, created_at: row.watched_at, ...row }
      const { id } = await tx.insertInto('records').values(values).returning('id').executeTakeFirstOrThrow()
      ids.push(id)
    }
    return ids
  })

/** Changes settings of an account, by column. */
export const prefer = ({ deps }: Instance, id: number, columns: Readonly<Record<string, string | number>>) =>
  deps.write((tx) => tx.updateTable('users').set(columns).where('id', '=', id).execute())
