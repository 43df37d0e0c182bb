import { anyWork } from '../../catalogue/lookups'
import { invalidParams } from '../../http/errors'
import { dateOfDay, nextEvening } from '../showings/own-slot'
import { endSlotOf, newSlot, putSlot, type SlotChoice } from '../showings/slots'
import type { Act, ActDeps } from './act'
import { type OpenAct, writeAct } from './write-act'

/** Sets a time of one's own (D80), in place of the one that the work had. */
export const setOwnSlot = (deps: ActDeps, userId: number, choice: SlotChoice): Promise<Act> =>
  writeAct(deps, userId, 'slot', async ({ tx, log, now }) => {
    const slot = await newSlot(tx, userId, choice, now)
    await log.changed('own_slots', slot.work_id, slot.work_id, () => putSlot(tx, slot))
    return { workId: slot.work_id }
  })

type OnWork = { readonly workId: number }

/** No broadcast this week: the next one and all after it come a week later. */
export const shiftOwnSlot = (deps: ActDeps, userId: number, { workId }: OnWork): Promise<Act> =>
  writeAct(deps, userId, 'slot', async (act) => {
    const work_id = await anyWork(act.tx, workId)
    await act.log.changed('own_slots', work_id, work_id, () => shift(act, work_id))
    return { workId: work_id }
  })

async function shift({ tx, userId, now }: OpenAct, work_id: number): Promise<void> {
  const slot = await tx
    .selectFrom('own_slots')
    .select(['begins_on', 'every_weeks', 'skipped', 'minute', 'time_zone'])
    .where('user_id', '=', userId)
    .where('work_id', '=', work_id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  if (slot === undefined) return
  const before: readonly string[] = JSON.parse(slot.skipped)
  if (before.length >= mostSkipped)
    throw invalidParams(
      `work_id must be the id of a work with fewer than ${mostSkipped} weeks without a broadcast.`,
    )
  const skipped = JSON.stringify([...before, dateOfDay(nextEvening(slot, now))])
  await tx
    .updateTable('own_slots')
    .set({ skipped, changed_at: now })
    .where('user_id', '=', userId)
    .where('work_id', '=', work_id)
    .execute()
}

const mostSkipped = 100

export const endOwnSlot = (deps: ActDeps, userId: number, { workId }: OnWork): Promise<Act> =>
  writeAct(deps, userId, 'slot', async ({ tx, log, now }) => {
    const work_id = await anyWork(tx, workId)
    await log.changed('own_slots', work_id, work_id, () => endSlotOf(tx, { user_id: userId, work_id, now }))
    return { workId: work_id }
  })
