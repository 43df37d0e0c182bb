import Type from 'typebox'
import { defineCommand } from '../../api/command'
import { envelope, nullable, pageOf, pagingFields, pagingParams, rangeOf } from '../../api/paging'
import { idParam } from '../../api/param-kinds'
import { param, required } from '../../api/params'
import { dateTime, integer, text } from '../../api/schema'
import { anyWork } from '../../catalogue/lookups'
import type { Read } from '../../db/open'
import { notFound } from '../../http/errors'
import { isoTime } from '../../lib/time'
import { timeZone } from '../../values/time'
import { type OwnSlot, ownSlots } from './own-slot'
import {
  broadcastZone,
  clockOfMinute,
  endSlotOf,
  newSlot,
  putSlot,
  type SlotChoice,
  slotClock,
  slotDay,
  slotEpisode,
  slotWeekday,
  slotWeeks,
} from './slots'

const slotSchema = Type.Object({
  id: integer('The work', 10079),
  weekday: integer('0 is Sunday; a time after midnight belongs to the evening before', 5),
  time: text('By the wall clock of the time zone, up to 29:59', '25:30'),
  time_zone: text('IANA time zone', broadcastZone),
  every_weeks: integer('1 or 2', 1),
  begins_on: text('The day of the first episode', '2026-11-20'),
  first_episode: integer('Its number; the others follow in the order of the list', 6),
  skipped: Type.Array(text('A day without a broadcast; what follows came a week later', '2026-12-25')),
  channel: nullable(
    Type.Object(
      { id: integer('Channel id', 19), name: text('Name', '日本テレビ') },
      { description: 'The channel' },
    ),
  ),
  changed_at: dateTime('When it was last changed'),
})

const shownSlot = (slot: OwnSlot) => ({
  id: slot.work_id,
  weekday: slot.weekday,
  time: clockOfMinute(slot.minute),
  time_zone: slot.time_zone,
  every_weeks: slot.every_weeks,
  begins_on: slot.begins_on,
  first_episode: slot.first_episode,
  skipped: JSON.parse(slot.skipped),
  channel: slot.channel_id === null ? null : { id: slot.channel_id, name: slot.channel },
  changed_at: isoTime(slot.changed_at),
})

/** An extension (D80). */
export const mySlots = defineCommand({
  method: 'GET',
  path: '/v1/me/slots',
  tag: 'Programs',
  summary: "Extension: the caller's own broadcast times",
  description: 'For works whose times no source lists. `id` is the id of the work.',
  params: pagingParams,
  answers: () => envelope('slots', slotSchema),
  items: 'slots',
  run: async (query, { deps, viewer }) => {
    const slots = await ownSlots(deps.read, { user: viewer.userId })
    const page = pageOf(query)
    const { offset, limit } = rangeOf(page)
    return { slots: slots.slice(offset, offset + limit).map(shownSlot), ...pagingFields(page, slots.length) }
  },
})

export const setSlot = defineCommand({
  method: 'POST',
  path: '/v1/me/slots',
  tag: 'Programs',
  summary: "Extension: sets the caller's own broadcast time of a work",
  description:
    'Replaces the one that the work had. Where a source lists a time of an episode, that one holds. By default from the ' +
    'next unseen episode on the next such day, weekly.',
  params: {
    work_id: required(idParam('The work', 10079)),
    weekday: required(param(slotWeekday, '0 to 6 from Sunday', 5)),
    time: required(param(slotClock, 'By the wall clock, up to 29:59 for the night after', '25:30')),
    time_zone: param(timeZone, `IANA time zone; ${broadcastZone} by default`, broadcastZone),
    first_episode: param(slotEpisode, 'The number of the first episode', 6),
    begins_on: param(slotDay, 'The first such weekday from this day on', '2026-11-20'),
    every_weeks: param(slotWeeks, '1 or 2; 1 by default', 1),
    channel_id: idParam('The channel', 19),
  },
  answers: () => slotSchema,
  errors: ['not_found'],
  run: async (sent, { deps, viewer }) => {
    const now = deps.now()
    const workId = await deps.write(async (tx) => {
      const slot = await newSlot(tx, viewer.userId, choiceOf(sent), now)
      await putSlot(tx, slot)
      return slot.work_id
    })
    return shownSlot(await slotOf(deps.read, viewer.userId, workId))
  },
})

const choiceOf = (sent: {
  work_id: number
  weekday: number
  time: number
  time_zone?: string | undefined
  first_episode?: number | undefined
  begins_on?: string | undefined
  every_weeks?: number | undefined
  channel_id?: number | undefined
}): SlotChoice => ({
  ...{ workId: sent.work_id, weekday: sent.weekday, minute: sent.time, timeZone: sent.time_zone },
  ...{ firstEpisode: sent.first_episode, beginsOn: sent.begins_on },
  ...{ everyWeeks: sent.every_weeks, channelId: sent.channel_id },
})

async function slotOf(read: Read, user: number, workId: number): Promise<OwnSlot> {
  const slot = (await ownSlots(read, { user })).find(({ work_id }) => work_id === workId)
  if (slot === undefined) throw notFound('The slot')
  return slot
}

/** `id` is that of the work. */
export const dropSlot = defineCommand({
  method: 'DELETE',
  path: '/v1/me/slots/:id',
  tag: 'Programs',
  summary: "Extension: ends the caller's own broadcast time of a work",
  params: { id: required(idParam('The work', 10079)) },
  errors: ['not_found'],
  run: async ({ id }, { deps, viewer }) => {
    const now = deps.now()
    await deps.write(async (tx) => {
      const ended = await endSlotOf(tx, { user_id: viewer.userId, work_id: await anyWork(tx, id), now })
      if (!ended) throw notFound('The slot')
    })
    return null
  },
})
