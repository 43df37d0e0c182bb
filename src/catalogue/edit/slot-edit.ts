import type { Database } from 'bun:sqlite'
import { dropListedPrograms } from '../estimate/drop-estimates'
import type { ListEdit } from './episode-list'
import { eveningsOf, type ProgramSlot } from './slot-plan'

export interface ChannelSlot extends ProgramSlot {
  readonly channel: number
  /** The place in the list, from 1, of the first episode. */
  readonly firstPlace: number
}

/** Ids in list order. Uses episodes_work. */
const shownEpisodes = (handle: Database, work: number): number[] =>
  handle
    .query<{ id: number }, [number]>(
      'select id from episodes where work_id = ? and hidden = 0 order by sort_number, id',
    )
    .all(work)
    .map(({ id }) => id)

/**
 * Lists the broadcasts of a slot by hand, in place of the estimates and of what is listed there in the same weeks, which is
 * hidden by hand (D94).
 */
export function addSlot({ handle, change, work }: ListEdit, slot: ChannelSlot, now: number): void {
  const episodes = shownEpisodes(handle, work).slice(slot.firstPlace - 1)
  const broadcasts = eveningsOf(slot, episodes.length).flatMap(({ at, places }) =>
    places.flatMap((place) => {
      const episode = episodes[place]
      return episode === undefined ? [] : [{ episode, at }]
    }),
  )
  const [first, last] = [broadcasts.at(0), broadcasts.at(-1)]
  if (first === undefined || last === undefined) return
  for (const { id } of listedBetween(handle, work, slot.channel, first.at - beside, last.at + beside))
    change.setHidden('program', id, true)
  const made = broadcasts.map(({ episode, at }) =>
    createProgram({ handle, change, work }, slot.channel, episode, at),
  )
  const [kept] = handle
    .query<{ id: number }, (string | number | null)[]>(
      `insert into program_slots (work_id, channel_id, begins_on, at, every, weeks, skips, first_episode, at_once, created_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning id`,
    )
    .all(
      ...[work, slot.channel, slot.beginsOn, clockOf(slot.minute), slot.every, slot.weeks ?? null],
      ...[JSON.stringify(slot.skips), slot.firstPlace, slot.atOnce, now],
    )
  handle
    .query('update programs set slot_id = ? where id in (select value from json_each(?))')
    .run(kept?.id ?? null, JSON.stringify(made))
  dropListedPrograms(handle, work)
}

const clockOf = (minute: number) => `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`

/**
 * This broadcast and all after it on its channel come that many weeks later. Estimates become broadcasts by hand, up to the end
 * of the list.
 */
export function shiftPrograms(edit: ListEdit, id: number, weeks: number): void {
  const { handle, change, work } = edit
  const [from] = handle.query<ProgramInList, [number]>(`${programs} id = ?`).all(id)
  if (from === undefined) return
  const later = weeks * week
  const rows = handle
    .query<ProgramInList, [number, number, number]>(
      `${programs} work_id = ? and channel_id = ? and estimated = ? and is_rebroadcast = 0 and hidden = 0 order by started_at, id`,
    )
    .all(work, from.channel_id, from.estimated)
  const movedTo = ({ started_at }: ProgramInList) =>
    started_at < from.started_at ? started_at : started_at + later
  if (from.estimated === 0) {
    for (const row of rows) change.set('program', row.id, { started_at: movedTo(row) })
    return
  }
  for (const row of rows)
    if (row.episode_id !== null) createProgram(edit, row.channel_id, row.episode_id, movedTo(row))
  const last = rows.at(-1) ?? from
  const episodes = shownEpisodes(handle, work)
  const following = episodes.slice(episodes.indexOf(last.episode_id ?? 0) + 1)
  for (const [at, episode] of following.entries())
    createProgram(edit, last.channel_id, episode, movedTo(last) + (at + 1) * week)
  dropListedPrograms(handle, work)
}

interface ProgramInList {
  readonly id: number
  readonly channel_id: number
  readonly episode_id: number | null
  readonly started_at: number
  readonly estimated: number
}

const programs = 'select id, channel_id, episode_id, started_at, estimated from programs where'

const createProgram = (
  { change, work }: ListEdit,
  channel_id: number,
  episode_id: number,
  started_at: number,
) =>
  change.create('program', {
    channel_id,
    work_id: work,
    episode_id,
    started_at,
    is_rebroadcast: 0,
    estimated: 0,
  })

// uses programs_work_all
const listedBetween = (handle: Database, work: number, channel: number, from: number, until: number) =>
  handle
    .query<{ id: number }, [number, number, number, number]>(
      `select id from programs where work_id = ? and channel_id = ? and started_at between ? and ?
         and estimated = 0 and is_rebroadcast = 0 and hidden = 0`,
    )
    .all(work, channel, from, until)

const week = 7 * 86_400_000
/** As imports take what a source lists later (src/catalogue/import/rows/hide-row.ts). */
const beside = 3 * 86_400_000
