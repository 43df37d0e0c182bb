import { defineCommand } from '../api/command'
import { idParam, wordParam } from '../api/param-kinds'
import { required } from '../api/params'
import { anyWork, visibleWork } from '../catalogue/lookups'
import { prepared, type SlotOf } from '../db/prepared'
import type { Tx } from '../db/write'
import { insertActivity } from './new-activity'

export const statusKinds = ['wanna_watch', 'watching', 'watched', 'on_hold', 'stop_watching'] as const
export type StatusKind = (typeof statusKinds)[number]

const kinds = [...statusKinds, 'no_select'] as const

/** Sets, changes or removes the status of a work (D36). */
export const setStatus = defineCommand({
  method: 'POST',
  path: '/v1/me/statuses',
  tag: 'Works',
  summary: "Sets the caller's status of a work",
  description:
    'Setting the kind it already has changes nothing and adds no activity; `no_select` removes the status.',
  params: {
    work_id: required(idParam('The work', 10079)),
    kind: required(wordParam(kinds, 'The status; no_select removes it')),
  },
  errors: ['not_found'],
  run: async ({ work_id, kind }, { deps, viewer }) => {
    const own = { user_id: viewer.userId, work_id }
    const now = deps.now()
    await deps.write((tx) =>
      kind === 'no_select' ? removeKind(tx, own) : changeKind(tx, { ...own, kind, now }),
    )
    return null
  },
})

type StatusKey = { user_id: number; work_id: number }
type StatusChange = StatusKey & { kind: StatusKind; now: number }

/** Works for hidden works too (D42). */
async function removeKind(tx: Tx, own: StatusKey): Promise<void> {
  const work_id = await anyWork(tx, own.work_id)
  await removeStatus(tx, { ...own, work_id })
}

async function changeKind(tx: Tx, change: StatusChange): Promise<void> {
  const { user_id, kind, now } = change
  const work_id = await visibleWork(tx, change.work_id)
  const changed = await changeStatus(tx, { user_id, work_id, kind, now })
  if (changed.length === 0) return
  const activity = { user_id, work_id, status_kind: kind, created_at: now }
  await insertActivity(tx, { action: 'create_status', ...activity })
}

const removeStatus = prepared((tx: Tx, slot: SlotOf<StatusKey>) =>
  tx.deleteFrom('statuses').where('user_id', '=', slot('user_id')).where('work_id', '=', slot('work_id')),
)

/** Returns a row if the status changed. */
const changeStatus = prepared((tx: Tx, slot: SlotOf<StatusChange>) =>
  tx
    .insertInto('statuses')
    .values({
      user_id: slot('user_id'),
      work_id: slot('work_id'),
      kind: slot('kind'),
      changed_at: slot('now'),
    })
    .onConflict((row) =>
      row
        .doUpdateSet({ kind: slot('kind'), changed_at: slot('now') })
        .where('statuses.kind', '<>', slot('kind')),
    )
    .returning('kind'),
)
