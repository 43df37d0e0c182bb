import type { CoveredWork } from '../../catalogue/cover-path'
import type { Read } from '../../db/open'
import { html, type Markup } from '../../pages/html'
import { spriteIcon } from '../../pages/icons'
import type { PageContext } from '../../pages/layout'
import { chosenTitle, type Titles, titleMarkup } from '../../pages/title'
import type { Visit } from '../../web/visit'
import { actForm } from '../parts/act-form'
import { cover, workPath } from '../parts/cover'
import { episodeName, episodePath } from '../parts/episode-name'
import { isOwn, type ShownUser } from '../parts/find-user'
import { beginningOf } from '../parts/opinion'
import { lock } from '../parts/private-mark'
import { ratingMark } from '../parts/rating'
import { guardsSpoilers, spoilerFold } from '../parts/spoilers'
import { mediumName } from '../work/facts'
import { recordsWithEpisodes, viewingsWithWorks, type WatchedKey } from './queries'

/** Something watched, as the diary shows it. */
export interface DiaryEntry extends WatchedKey, Titles, Omit<CoveredWork, 'id'> {
  readonly work_id: number
  readonly text: string
  readonly rating: string | null
  readonly score: number | null
  readonly comments_count: number
  /** 1 if the work or the episode has no page. */
  readonly hidden: number
  /** 1 if the reader has watched it, so that the text spoils nothing. */
  readonly was_seen: number
  /** 1 if only its writer sees it. */
  readonly private: number
  /** Undefined for a film. */
  readonly episode: DiaryEpisode | undefined
}

interface DiaryEpisode {
  readonly id: number
  readonly work_id: number
  readonly number: string | null
  readonly number_text: string
  readonly title: string
  readonly is_only: number
}

/** In the order of the keys. */
export async function entriesOf(
  read: Read,
  keys: readonly WatchedKey[],
  reader: number,
): Promise<readonly DiaryEntry[]> {
  const idsOf = (is_viewing: number) =>
    JSON.stringify(keys.filter((key) => key.is_viewing === is_viewing).map(({ id }) => id))
  const records = new Map((await recordsWithEpisodes(read, { ids: idsOf(0), reader })).map(byId))
  const viewings = new Map((await viewingsWithWorks(read, { ids: idsOf(1), reader })).map(byId))
  return keys.flatMap((key): DiaryEntry[] => {
    if (key.is_viewing === 1) {
      const viewing = viewings.get(key.id)
      return viewing === undefined ? [] : [{ ...viewing, ...key, episode: undefined }]
    }
    const record = records.get(key.id)
    return record === undefined ? [] : [{ ...record, ...key, episode: episodeOf(record) }]
  })
}

const byId = <R extends { readonly id: number }>(row: R): readonly [number, R] => [row.id, row]

type RecordRow = Awaited<ReturnType<typeof recordsWithEpisodes>>[number]

const episodeOf = ({ episode_id, work_id, number, number_text, episode_title, is_only }: RecordRow) => ({
  id: episode_id,
  work_id,
  number,
  number_text,
  title: episode_title,
  is_only,
})

/** `when` it was watched; '' if said elsewhere. The page must include the sprite of the faces, `more` and `lock`. */
export function entryList(
  visit: Visit,
  user: Pick<ShownUser, 'id'>,
  entries: readonly DiaryEntry[],
  when: (entry: DiaryEntry) => Markup | '',
): Markup {
  const shown = { when, isOwn: isOwn(visit, user), isGuarded: guardsSpoilers(visit) }
  return html`<ul class="watched-works">${groupsOf(entries).map((group) => entryGroup(visit, group, shown))}</ul>`
}

/** Says once per page how many texts are left out. */
export function guardOf(visit: Visit, user: ShownUser, entries: readonly DiaryEntry[]): Markup | '' {
  const count = entries.filter(({ text, was_seen }) => text !== '' && was_seen === 0).length
  if (isOwn(visit, user) || count === 0 || !guardsSpoilers(visit)) return ''
  return spoilerFold(visit, visit.t.work.guarded(count), visit.t.work.guardedHint(count))
}

interface Shown {
  readonly when: (entry: DiaryEntry) => Markup | ''
  readonly isOwn: boolean
  /** Leaves out texts about what the reader has not watched yet. */
  readonly isGuarded: boolean
}

/** Consecutive entries of one work, under its cover and title. One's own of a hidden work lead to its page (D42). */
function entryGroup(visit: Visit, group: readonly DiaryEntry[], shown: Shown): Markup {
  const [first] = group
  if (first === undefined) return html``
  const work = { ...first, id: first.work_id }
  const title = titleMarkup(visit, first)
  const name =
    first.hidden === 1 && !shown.isOwn
      ? html`<span class="work">${title}</span>`
      : html`<a class="work" href="${workPath(visit, work.id)}">${title}</a>`
  return html`<li class="watched-work" data-work="${work.id}">${cover(visit, work, 32)}<div class="text">${name}<ul>${group.map(
    (entry) => entryLine(visit, entry, shown),
  )}</ul></div></li>`
}

/** Groups consecutive entries of the same work. */
function groupsOf(entries: readonly DiaryEntry[]): readonly (readonly DiaryEntry[])[] {
  const groups: DiaryEntry[][] = []
  for (const entry of entries) {
    const last = groups.at(-1)
    if (last?.[0]?.work_id === entry.work_id) last.push(entry)
    else groups.push([entry])
  }
  return groups
}

function entryLine(visit: Visit, entry: DiaryEntry, shown: Shown): Markup {
  const kind = entry.is_viewing === 1 ? 'viewing' : 'record'
  const when = shown.when(entry)
  const time = when === '' ? '' : html`<span class="meta"> · ${when}</span>`
  const name = html`<span class="meta">${episodeLink(visit, entry)}</span>`
  return html`<li id="${kind}-${entry.id}"><div class="line">${name}${time}${ratingMark(visit, entry, spriteIcon)}${lock(visit.t, entry.private, spriteIcon)}${
    shown.isOwn ? entryMenu(visit, entry, kind) : ''
  }</div>${comment(visit, entry, shown)}${toThread(visit, entry)}</li>`
}

function episodeLink(pageContext: PageContext, { episode, hidden, media }: DiaryEntry): Markup {
  if (episode === undefined) return html`${mediumName(pageContext, media)}`
  const name = episodeName(pageContext, episode)
  return hidden === 1 ? html`${name}` : html`<a href="${episodePath(pageContext, episode)}">${name}</a>`
}

function entryMenu(pageContext: PageContext, entry: DiaryEntry, kind: Kind): Markup {
  const { t, basePath } = pageContext
  const { id, episode } = entry
  const title = chosenTitle(pageContext, entry).text
  const what = episode === undefined ? title : `${title} ${episodeName(pageContext, episode)}`
  const field = kind === 'record' ? 'record_id' : 'review_id'
  return html`<details class="menu" name="menu"><summary aria-label="${t.episode.menuOf(what)}">${spriteIcon('more')}</summary><div class="entries"><a href="${basePath}/${kind}s/${id}/edit">${t.common.edit}</a><hr /><button class="danger" form="delete-${kind}" name="${field}" value="${id}">${t.common.delete}</button></div></details>`
}

type Kind = 'record' | 'viewing'

/** The forms sent by the menus of one's own entries, once per page. `returnTo`: another page to go to after it. */
export const deleteForms = (visit: Visit, returnTo?: string): readonly Markup[] =>
  (['record', 'viewing'] as const).map((kind) =>
    actForm(
      visit,
      {
        ...{ act: `delete_${kind}`, path: `/${kind}/delete`, id: `delete-${kind}`, returnTo },
        ...(returnTo === undefined && { swap: 'main' }),
      },
      html``,
    ),
  )

function comment(
  { t }: PageContext,
  { text, was_seen }: DiaryEntry,
  { isOwn, isGuarded }: Shown,
): Markup | '' {
  if (text === '') return ''
  if (isGuarded && !isOwn && was_seen === 0) return html`<p class="guarded">${t.diary.guardedText}</p>`
  return html`<p class="comment">${shorten(text)}</p>`
}

/** In words only: there may be hundreds on a page. */
function toThread({ t, basePath }: PageContext, entry: DiaryEntry): Markup | '' {
  const { id, is_viewing, text, comments_count } = entry
  if (text === '' && comments_count === 0) return ''
  const path = `${is_viewing === 1 ? 'reviews' : 'records'}/${id}`
  return html`<p class="meta"><a href="${basePath}/${path}">${t.thread.link(comments_count)}</a></p>`
}

/** In characters; the episode's page shows the whole text. */
const longest = 400

function shorten(text: string): string {
  const beginning = beginningOf(text, longest)
  return beginning === undefined ? text : `${beginning}…`
}
