import type { Database } from 'bun:sqlite'
import { sql } from 'kysely'
import { preparedSql } from '../../db/prepared'
import type { CatalogueChange } from './change'
import type { PastedTitle } from './pasted-titles'

/** What a person changes in the list of a work, within a change that the caller saves. */
export interface ListEdit {
  readonly handle: Database
  readonly change: CatalogueChange
  readonly work: number
}

/** An episode in its list, hidden ones too. */
export interface EpisodeInList {
  readonly id: number
  readonly number: string | null
  readonly number_text: string
  readonly sort_number: number
  readonly title: string
  readonly estimated: number
  readonly hidden: number
}

const listed =
  'select id, number, number_text, sort_number, title, estimated, hidden from episodes where work_id ='

/** In list order. Uses episodes_work_place. */
export const episodesOf = (handle: Database, work: number): readonly EpisodeInList[] =>
  handle.query<EpisodeInList, [number]>(`${listed} ? order by sort_number, id`).all(work)

/** The same for a page. */
export const listOfWork = preparedSql<EpisodeInList, { work: number }>(
  (slot) => sql`${sql.raw(listed)} ${slot('work')} order by sort_number, id`,
)

export interface NewEpisode {
  /** The id of the episode before it; 0: it comes first. */
  readonly after: number
  readonly title: string
  /** The plain numbers of all that follow rise by one. */
  readonly isRenumbering: boolean
}

/**
 * Inserts an episode between two (D96): it takes the number after the one before it if those that follow make room or none
 * follows, else it has none. Returns its id, or undefined if there is no such place in the list.
 */
export function insertEpisode(
  edit: ListEdit,
  { after, title, isRenumbering }: NewEpisode,
): number | undefined {
  const rows = episodesOf(edit.handle, edit.work)
  const at = rows.findIndex(({ id }) => id === after)
  if (at === -1 && after !== 0) return undefined
  const following = rows.slice(at + 1)
  const isLast = following.every(({ hidden }) => hidden !== 0)
  const number = isRenumbering || isLast ? numberAfter(rows, at) : null
  if (isRenumbering) for (const row of following) raiseNumber(edit, row)
  const sort_number = sortNumberAfter(edit, rows, at)
  const numbered = { number, number_text: number === null ? '' : numberText(number) }
  return addEpisode(edit, rows, { ...numbered, sort_number, title })
}

/** Records stay with the first part. Both are in its broadcasts, if those are listed. Returns the id of the second part. */
export function splitEpisode(
  edit: ListEdit,
  first: number,
  {
    titles: [title, secondTitle],
    isRenumbering,
  }: { titles: readonly [string, string]; isRenumbering: boolean },
): number | undefined {
  const second = insertEpisode(edit, { after: first, title: secondTitle, isRenumbering })
  if (second === undefined) return undefined
  edit.change.set('episode', first, { title })
  for (const program of programsOf(edit.handle, first))
    edit.change.create('program', { ...program, work_id: edit.work, episode_id: second, estimated: 0 })
  return second
}

/** Hides it with its broadcasts, as a source would list it again. */
export function deleteEpisode({ handle, change }: ListEdit, id: number): void {
  change.setHidden('episode', id, true)
  handle.query('delete from programs where episode_id = ? and estimated = 1').run(id)
  for (const { id: program } of shownPrograms(handle, id)) change.setHidden('program', program, true)
}

/**
 * Whether anybody recorded, skipped or plans to watch it, whoever may see that: then it is not deleted (D96). `records` are
 * those that are shared. Uses records_by_episode, skips_episode and meeting_episodes_episode.
 */
export const usesOfEpisode = preparedSql<{ records: number; is_used: number }, { id: number }>(
  (slot) => sql`
    select records_count as records, exists (select 1 from main.records where episode_id = episodes.id)
      or exists (select 1 from skips where episode_id = episodes.id)
      or exists (select 1 from meeting_episodes where episode_id = episodes.id) as is_used
    from episodes where id = ${slot('id')}`,
)

/** What a pasted list makes of an episode. `id` and `before` are undefined for one that is added. */
export interface PlannedTitle {
  readonly number: string
  readonly title: string
  readonly id: number | undefined
  readonly before: string | undefined
}

export function plannedTitles(
  rows: readonly EpisodeInList[],
  titles: readonly PastedTitle[],
): readonly PlannedTitle[] {
  const byNumber = Map.groupBy(
    rows.filter(({ hidden }) => hidden === 0),
    ({ number }) => number,
  )
  return titles.map(({ number, title }) => {
    const [row] = byNumber.get(number) ?? []
    return { number, title, id: row?.id, before: row?.title }
  })
}

/** Titles episodes by their numbers, and adds those that the list lacks. */
export function setTitles(edit: ListEdit, titles: readonly PastedTitle[]): void {
  for (const { id, number, title } of plannedTitles(episodesOf(edit.handle, edit.work), titles)) {
    if (id !== undefined) edit.change.set('episode', id, { title })
    else addNumbered(edit, number, title)
  }
}

/** Behind the last one with a smaller number, at the place where sources have it if that is free. */
function addNumbered(edit: ListEdit, number: string, title: string): void {
  const rows = episodesOf(edit.handle, edit.work)
  const at = rows.findLastIndex((row) => isPlain(row.number) && Number(row.number) < Number(number))
  const usual = Math.round(Number(number) * step)
  const isFree =
    usual > (rows[at]?.sort_number ?? usual - 1) && usual < (rows[at + 1]?.sort_number ?? usual + 1)
  const sort_number = isFree ? usual : sortNumberAfter(edit, rows, at)
  addEpisode(edit, rows, { number, number_text: numberText(number), sort_number, title })
}

/** Whether a list is as long as one may be. */
export const isFull = (rows: readonly EpisodeInList[], more = 1): boolean => rows.length + more > mostEpisodes

export const mostEpisodes = 5000

type EpisodeFields = Pick<EpisodeInList, 'number' | 'number_text' | 'sort_number' | 'title'>

/** In a list that no source has listed, what is added by hand does not end it either. */
const addEpisode = (
  { change, work }: ListEdit,
  rows: readonly EpisodeInList[],
  fields: EpisodeFields,
): number =>
  change.create('episode', {
    ...{ work_id: work, ...fields },
    estimated: rows.some(({ estimated, hidden }) => estimated === 0 && (hidden & 1) === 0) ? 0 : 1,
  })

/** Between the row at an index and the next one; if there is no room, all sort numbers of the work become ten times as large. */
function sortNumberAfter(edit: ListEdit, rows: readonly EpisodeInList[], at: number): number {
  const [before, next] = [rows[at]?.sort_number, rows[at + 1]?.sort_number]
  if (next === undefined) return (before ?? 0) + step
  if (before === undefined) return next - step
  if (next - before > 1) return before + Math.floor((next - before) / 2)
  for (const { id, sort_number } of rows) edit.change.set('episode', id, { sort_number: sort_number * step })
  return before * step + step / 2
}

const step = 10

/** `第5話` becomes `第6話`. */
function raiseNumber({ change }: ListEdit, { id, number, number_text }: EpisodeInList): void {
  if (!isPlain(number)) return
  const raised = String(Number(number) + 1)
  const inText = new RegExp(`(?<![0-9])${number}(?![0-9])`)
  change.set('episode', id, { number: raised, number_text: number_text.replace(inText, raised) })
}

/** Before the first one, the number that this gives up. */
function numberAfter(rows: readonly EpisodeInList[], at: number): string {
  if (at === -1) return rows.find(({ number }) => isPlain(number))?.number ?? '1'
  const before = rows.slice(0, at + 1).findLast(({ number }) => isPlain(number))
  return String(Number(before?.number ?? 0) + 1)
}

const isPlain = (number: string | null): number is string => number !== null && /^[0-9]{1,4}$/.test(number)

const numberText = (number: string) => `第${number}話`

interface ProgramOfEpisode {
  readonly id: number
  readonly channel_id: number
  readonly started_at: number
  readonly is_rebroadcast: number
}

// uses programs_episode
const shownPrograms = (handle: Database, episode: number): readonly ProgramOfEpisode[] =>
  handle
    .query<ProgramOfEpisode, [number]>(
      `select id, channel_id, started_at, is_rebroadcast from programs
       where episode_id = ? and estimated = 0 and hidden = 0 order by started_at, id`,
    )
    .all(episode)

const programsOf = (handle: Database, episode: number) =>
  shownPrograms(handle, episode).map(({ id: _, ...program }) => program)
