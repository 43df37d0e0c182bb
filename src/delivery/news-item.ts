import { type RawBuilder, sql } from 'kysely'
import { localTime } from '../lib/local-time'
import { isoTime } from '../lib/time'
import type { Messages } from '../messages/en'
import { languages, messagesIn } from '../messages/languages'
import { formatDay } from '../pages/local-format'
import { chosenTitle } from '../pages/title'
import { titleLanguages } from '../values/preferences'
import { episodePath, shortEpisodeName } from '../viewing/parts/episode-name'
import type { NewsItem, NewsKind } from './message'
import type { QuietColumns } from './quiet'

export interface NewsRow extends QuietColumns {
  readonly user: number
  readonly destination: number
  readonly kind: NewsKind
  /** Of the notification. */
  readonly action: string
  readonly actor: string | null
  readonly language: string | null
  readonly title_language: string | null
  readonly work_id: number | null
  readonly title: string | null
  readonly title_en: string | null
  readonly title_ro: string | null
  readonly episode_id: number | null
  readonly number: string | null
  readonly number_text: string | null
  readonly is_only: number
  readonly began_at: number | null
  readonly channel: string | null
  readonly estimated: number | null
  readonly meeting_id: number | null
  readonly meeting_step: string | null
  /** Of the date to watch together, in epoch milliseconds. */
  readonly begins_at: number | null
}

/** The episode of a date to watch together that has no other. */
export const onlyEpisodeOf = (meeting: RawBuilder<unknown>): RawBuilder<number | null> =>
  sql`(select max(episode_id) from meeting_episodes where meeting_id = ${meeting} having count(*) = 1)`

export function itemOf(row: NewsRow, baseUrl: string): NewsItem {
  const { work_id, title, title_en, episode_id, number } = row
  const isKnown = work_id !== null && episode_id !== null
  const startsAt = row.began_at ?? row.begins_at
  return {
    work: work_id === null ? null : { id: work_id, title: title ?? '', title_en: title_en ?? '' },
    episode: isKnown ? { id: episode_id, number, number_text: row.number_text ?? '' } : null,
    channel: row.channel,
    started_at: startsAt === null ? null : isoTime(startsAt),
    estimated: row.estimated === null ? null : row.estimated === 1,
    text: textOf(row),
    url: urlOf(row, baseUrl),
  }
}

function urlOf({ meeting_id, work_id, episode_id, number, is_only }: NewsRow, baseUrl: string): string {
  if (meeting_id !== null) return `${baseUrl}/meetings/${meeting_id}`
  if (work_id === null || episode_id === null) return `${baseUrl}/`
  return episodePath({ basePath: baseUrl }, { id: episode_id, work_id, number, is_only })
}

/** Titles and names, nobody's text. */
function textOf(row: NewsRow): string {
  const language = languages.find((one) => one === row.language) ?? 'ja'
  const t = messagesIn(language)
  const titleLanguage = titleLanguages.find((one) => one === row.title_language) ?? 'native'
  const titles = { title: row.title ?? '', title_en: row.title_en ?? '', title_ro: row.title_ro ?? '' }
  const title = chosenTitle({ preferences: { titleLanguage } }, titles).text
  const episode = { number: row.number, number_text: row.number_text ?? '' }
  const subject = row.episode_id === null ? title : `${title} ${shortEpisodeName({ t, language }, episode)}`
  const name = row.actor ?? ''
  if (row.kind !== 'notification') return subject
  if (row.begins_at !== null) return meetingText(row, t, { name, subject })
  const known: Readonly<Record<string, string>> = {
    ...{ like: t.news.like(name), follow: t.news.follow(name), comment: t.news.comment(name) },
    ...{ follow_request: t.news.followRequest(name), follow_accepted: t.news.followAccepted(name) },
    ...{ destination_off: t.news.destinationOff, new_browser: t.news.newBrowser },
    import: t.news.imported,
  }
  return known[row.action] ?? t.news.something
}

/** What is done about it, and when it is. */
function meetingText(
  { meeting_step, begins_at, time_zone }: NewsRow,
  t: Messages,
  { name, subject }: { readonly name: string; readonly subject: string },
): string {
  const step = (['asked', 'moved', 'cancelled', 'watched'] as const).find((one) => one === meeting_step)
  if (step === 'watched') return `${name}${t.meeting.told.watched(subject)}`
  const what = t.news.at(subject, meetingTime(begins_at ?? 0, t, time_zone))
  return step === undefined ? t.meeting.told.soon(what) : `${name}${t.meeting.told[step](what)}`
}

/** `Fri 3 Apr 21:00`, by the clock of that zone. */
export function meetingTime(at: number, t: Messages, timeZone: string | null): string {
  const { dayNumber, hour, minute } = localTime(at, timeZone ?? 'UTC')
  return `${formatDay({ t }, dayNumber, 'weekdayAndDay')} ${hour}:${String(minute).padStart(2, '0')}`
}
