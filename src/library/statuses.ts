import { anyWork, visibleWork } from '../catalogue/lookups'
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
    await deps.write(async (tx) => {
      // What one had may be dropped also where the work is hidden (D42).
      if (kind === 'no_select') await anyWork(tx, work_id)
      else await visibleWork(tx, work_id)
      const own = { user_id: viewer.userId, work_id }
      if (kind === 'no_select') {
        await tx
          .deleteFrom('statuses')
          .where('user_id', '=', own.user_id)
          .where('work_id', '=', work_id)
          .execute()
        return
      }
      const changed = await tx
        .insertInto('statuses')
        .values({ ...own, kind, changed_at: deps.now() })
        .onConflict((row) =>
          row.doUpdateSet({ kind, changed_at: deps.now() }).where('statuses.kind', '<>', kind),
        )
        .returning('kind')
        .execute()
      if (changed.length === 0) return
      const activity = { ...own, action: 'create_status', status_kind: kind, created_at: deps.now() }
      await tx.insertInto('activities').values(activity).execute()
    })
    return null
  },
})
