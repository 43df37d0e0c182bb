import type { Run } from './meeting-rows'

/** Of a change of work 1. `run` inserts. */
export function addSuggestion(run: Run, user: number): void {
  const columns = 'kind, work_id, subject_kind, subject_id, user_id, content, source_url'
  const values = "'edit', 1, 'work', 1, ?, '[]', 'https://example.com/', 1, 1"
  run(`catalogue_proposals (${columns}, created_at, updated_at) values (${values})`, user)
}

/** Of work 1. */
export function addCorrection(run: Run, user: number): void {
  const columns = 'kind, work_id, subject_kind, subject_id, user_id, created_at'
  run(`catalogue_changes (${columns}) values ('edit', 1, 'work', 1, ?, 1)`, user)
}

/** What the undo of a merge would give back to them. */
export function addMergedRow(run: Run, user: number): void {
  addCorrection(run, user)
  const columns = 'change_id, user_id, table_name, column_name, from_id, to_id'
  run(
    `catalogue_moves (${columns}) values ((select max(id) from catalogue_changes), ?, 'notes', '', 0, 0)`,
    user,
  )
}
