import { anyWork, visibleWork } from '../catalogue/lookups'
import type { Tx } from '../db/write'
import { defineCommand } from '../http/command'
import { integer, oneOf, required } from '../http/params'

/** The kinds of a viewing status, in the order they are listed. */
export const statusKinds = ['wanna_watch', 'watching', 'watched', 'on_hold', 'stop_watching'] as const

const kinds = [...statusKinds, 'no_select'] as const

/** POST /v1/me/statuses: sets, changes or removes the caller's status of a work (D36). */
export const setStatus = defineCommand({
  method: 'POST',
  path: '/v1/me/statuses',
  tag: 'Works',
  summary: "Sets the caller's status of a work",
  description:
    'Setting the kind it already has changes nothing and adds no activity; `no_select` removes the status.',
  params: {
    work_id: required(integer('The work', { example: 10079 })),
    kind: required(oneOf(kinds, 'The status; no_select removes it')),
  },
  errors: ['not_found'],
  run: async ({ work_id, kind }, { deps, viewer }) => {
    const own = { user_id: viewer.userId, work_id }
    await deps.write((tx) =>
      kind === 'no_select' ? removeKind(tx, own) : changeKind(tx, own, kind, deps.now()),
    )
    return null
  },
})

interface Own {
  readonly user_id: number
  readonly work_id: number
}

/** What one had may be dropped also where the work is hidden (D42). */
async function removeKind(tx: Tx, { user_id, work_id }: Own): Promise<void> {
  await anyWork(tx, work_id)
  await tx.deleteFrom('statuses').where('user_id', '=', user_id).where('work_id', '=', work_id).execute()
}

async function changeKind(
  tx: Tx,
  own: Own,
  kind: (typeof statusKinds)[number],
  changed_at: number,
): Promise<void> {
  await visibleWork(tx, own.work_id)
  const changed = await tx
    .insertInto('statuses')
    .values({ ...own, kind, changed_at })
    .onConflict((row) => row.doUpdateSet({ kind, changed_at }).where('statuses.kind', '<>', kind))
    .returning('kind')
    .execute()
  if (changed.length === 0) return
  const activity = { ...own, action: 'create_status', status_kind: kind, created_at: changed_at }
  await tx.insertInto('activities').values(activity).execute()
}
