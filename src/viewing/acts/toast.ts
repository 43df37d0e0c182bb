import type { ActKind, ListedAct } from '../../library/acts/act'
import { listActs } from '../../library/acts/find-acts'
import { listWritten, type WrittenByApplication } from '../../library/acts/find-written'
import type { Messages } from '../../messages/en'
import { html, type Markup } from '../../pages/html'
import type { PageContext } from '../../pages/layout'
import { chosenTitle } from '../../pages/title'
import { toast, undoOf, undoWrittenOf } from '../../pages/toast'
import type { Flash, ToastOf } from '../../web/flash'
import { returnPath } from '../../web/return-to'
import type { MemberVisit } from '../../web/visit'
import { editedToast } from '../editing/undo-button'
import { actForm } from '../parts/act-form'
import { episodeName } from '../parts/episode-name'
import { removedToast } from '../profile/connect'
import { pastOffer } from './past'

/** What was done, with its undo; or why it could not be undone. */
export const toastOf: ToastOf = async (visit, flash) => {
  const { session } = visit
  if (session === undefined) return undefined
  const member = { ...visit, session }
  if (flash.word === 'saved') return toast(visit, visit.t.preferences.saved)
  if (flash.word === 'test_arrived') return toast(visit, visit.t.destinations.arrived)
  if (flash.word === 'test_failed') return toast(visit, visit.t.destinations.failed)
  if (flash.word === 'unedited') return toast(visit, visit.t.editing.nothingChanged)
  if (flash.word === 'undo_left') return toast(visit, visit.t.editing.undoLeft)
  if (flash.word === 'suggested') return toast(visit, visit.t.editing.wasSuggested)
  if (flash.word === 'edited' || flash.word === 'accepted') return await editedToast(member, flash)
  if (flash.word === 'reported') return toast(visit, visit.t.reports.sent)
  if (flash.word === 'import_moved') return toast(visit, visit.t.listImports.moved)
  if (flash.word === 'written_undone') return toast(visit, visit.t.acts.undone)
  if (flash.word === 'import_first') return importFirst(member, flash)
  if (flash.word === 'removed') return await removedToast(member, flash)
  if (flash.word === 'written_first') return await writtenFirst(member, flash)
  const played = plainWords[flash.word]
  if (played !== undefined) return toast(visit, played(visit.t, flash.id))
  const refusal = refusals.find((word) => word === flash.word)
  if (refusal !== undefined) return (await blockedToast(member, flash)) ?? toast(visit, visit.t.acts[refusal])
  return await actToast(member, flash)
}

/** After a press that is no act; first those on the pages of players (`src/viewing/scrobbling`). */
const plainWords: Readonly<Record<string, (t: Messages, count: number) => string>> = {
  plays_undone: (t, count) => (count === 0 ? t.scrobbling.tookNothing : t.scrobbling.tookBack(count)),
  plays_left: (t, count) => t.scrobbling.leftAsChanged(count),
  decided_again: (t) => t.scrobbling.decidedAgain,
  series_left_out: (t) => t.scrobbling.isLeftOut,
  choice_forgotten: (t) => t.scrobbling.isForgotten,
  // On the pages of dates to watch together (`src/viewing/meeting`).
  meeting_answered: (t) => t.meeting.answered,
  meeting_full: (t) => t.meeting.full,
  meeting_closed: (t) => t.meeting.closed,
  meeting_done: (t) => t.meeting.saidDone,
  meeting_before: (t) => t.meeting.saidBefore,
  meeting_early: (t) => t.meeting.early,
  meeting_apart: (t) => t.meeting.apart,
}

const refusals = [
  'changed',
  'used',
  'expired',
  'none_aired',
  'favourites_full',
  'recorded_before',
  'unchanged',
  'not_recorded_yet',
] as const

/** A later import is in the way: its page has its undo. */
const importFirst = ({ t, basePath, ...visit }: MemberVisit, { id }: Flash): Markup =>
  toast(
    { t, basePath, ...visit },
    html`${t.acts.import_first} <a href="${basePath}/settings/import/${id}">${t.acts.toImport}</a>`,
  )

/** An application set the status since: names it and what it wrote, and undoes that. */
async function writtenFirst(visit: MemberVisit, { id }: Flash): Promise<Markup> {
  const { deps, session, t } = visit
  const [written] = await listWritten(deps.seen, session.userId, { before: id + 1, limit: 1 })
  if (written?.id !== id) return toast(visit, t.acts.written_first)
  const undo = { ...undoWrittenOf(id), returnTo: returnPath(visit), text: t.acts.undoFirst }
  const text = t.acts.blockedByApp(written.by ?? t.history.endedAccess, writtenText(visit, written))
  return toast(visit, text, undo)
}

/** The same with the work, for places where nothing else names it. */
export function fullActText(pageContext: PageContext, act: ListedAct): string {
  const text = actText(pageContext, act)
  const { text: title } = titleOf(pageContext, act)
  if (act.otherId !== null || title === '') return text
  const isOfSeveral = act.episodeId === null && act.count > 1
  return isOfSeveral || act.listId !== 0 || text.includes(title) ? text : pageContext.t.acts.of(text, title)
}

/** What an application wrote, in the words of the act that it would be on a page. */
export function writtenText(
  pageContext: PageContext,
  { kind, by: _, ...written }: WrittenByApplication,
): string {
  if (kind === 'review') return pageContext.t.acts.reviewed(titleOf(pageContext, written).text)
  return fullActText(pageContext, { ...written, ...ofNobody, kind })
}

const ofNobody = {
  ...{ otherId: null, otherName: null, listId: 0, listName: null, listDeed: null },
  ...{ undoneAt: null, offersWatched: false },
}

type ActTexts = PageContext['t']['acts']

/** Those of which only the work is said. */
const ofWork = {
  viewing: ({ viewed }: ActTexts, title: string) => viewed(title),
  edit_viewing: ({ viewingEdited }: ActTexts, title: string) => viewingEdited(title),
  delete_viewing: ({ viewingDeleted }: ActTexts, title: string) => viewingDeleted(title),
  lap: ({ lapStarted }: ActTexts, title: string) => lapStarted(title),
  slot: ({ slotChanged }: ActTexts, title: string) => slotChanged(title),
  note: ({ noteWritten }: ActTexts, title: string) => noteWritten(title),
  comment: ({ commented }: ActTexts, title: string) => commented(title),
  delete_comment: ({ commentDeleted }: ActTexts, title: string) => commentDeleted(title),
  favorite: ({ favouriteAdded }: ActTexts, title: string) => favouriteAdded(title),
  delete_favorite: ({ favouriteRemoved }: ActTexts, title: string) => favouriteRemoved(title),
  move_favorite: ({ favouriteMoved }: ActTexts, title: string) => favouriteMoved(title),
} as const satisfies Partial<Record<ActKind, (acts: ActTexts, title: string) => string>>

/** Those about a person. */
const ofPerson = {
  follow: (t: Messages, name: string, isAsked: boolean) =>
    isAsked ? t.profilePage.asked(name) : t.profilePage.followed(name),
  unfollow: (t: Messages, name: string) => t.profilePage.unfollowed(name),
  mute: (t: Messages, name: string) => t.profilePage.muted(name),
  unmute: (t: Messages, name: string) => t.profilePage.unmuted(name),
  block: (t: Messages, name: string) => t.profilePage.blocked(name),
  unblock: (t: Messages, name: string) => t.profilePage.unblocked(name),
} as const satisfies Partial<Record<ActKind, (t: Messages, name: string, isAsked: boolean) => string>>

const isOfPerson = (kind: ActKind): kind is keyof typeof ofPerson => kind in ofPerson

const isOfWork = (kind: ActKind): kind is keyof typeof ofWork => kind in ofWork

/** Says what was done, in a sentence without a full stop. */
function actText(pageContext: PageContext, act: ListedAct): string {
  const { acts } = pageContext.t
  const { number, numberText: number_text } = act
  const title = titleOf(pageContext, act).text
  const isGone = number_text === null
  const some = acts.someEpisodes(Math.max(1, act.count))
  const episode = isGone ? some : episodeName(pageContext, { number, number_text })
  const { kind } = act
  if (isOfWork(kind)) return ofWork[kind](acts, title)
  if (isOfPerson(kind))
    return ofPerson[kind](pageContext.t, act.otherName ?? acts.somebodyGone, act.count === 1)
  switch (kind) {
    case 'record':
      return act.count > 1 && !isGone ? acts.recordedUpTo(episode, act.count) : acts.recorded(episode)
    case 'status':
    case 'mark':
    case 'share':
      return statusText(pageContext, act, title)
    case 'skip':
      return acts.skipped(episode)
    case 'episode':
      return acts.episodeAdded(episode)
    case 'edit_record':
      return acts.recordEdited(episode)
    case 'delete_record':
      return acts.recordDeleted(episode)
    case 'rating':
      return act.count > 1 ? acts.ratedMany(act.count) : acts.rated(title)
    case 'past':
      return act.episodeId === null && act.count > 1
        ? acts.pastRecordedMany(act.count)
        : acts.pastRecorded(title, act.count)
    case 'play':
      return acts.played(title, isGone ? '' : episode, act.count)
    case 'year_share':
      return acts.yearShared
    case 'year_unshare':
      return acts.yearUnshared
    case 'list':
    case 'list_work':
      return listText(pageContext, act, title)
  }
}

/** What an undone act did, its list and work tell. */
function listText({ t }: PageContext, { listName, listDeed, count }: ListedAct, title: string): string {
  const name = listName ?? t.acts.listGone
  if (listDeed === 'added' && count > 1) return t.acts.listAddedMany(count, name)
  if (listDeed === 'removed' && count > 1) return t.acts.listRemovedMany(count, name)
  return t.acts.listDid[listDeed ?? 'noted'](name, title)
}

function statusText({ t }: PageContext, { kind, statusKind, count }: ListedAct, title: string): string {
  if (kind === 'mark') return t.acts.marked(title, count)
  if (kind === 'share') return t.acts.shared(title, count)
  if (statusKind === null) return t.acts.statusRemoved(title)
  const status = t.statuses[statusKind]
  return count > 1 ? t.acts.statusesSet(count, status) : t.acts.statusSet(title, status)
}

const titleOf = (
  pageContext: PageContext,
  { title, titleEn, titleRo }: Pick<ListedAct, 'title' | 'titleEn' | 'titleRo'>,
) => chosenTitle(pageContext, { title, title_en: titleEn, title_ro: titleRo })

/** Names the act that is in the way, and undoes that one. */
async function blockedToast(visit: MemberVisit, { id }: Flash): Promise<Markup | undefined> {
  const act = await findListedAct(visit, id)
  if (act === undefined) return undefined
  const undo = { ...undoOf(id), returnTo: returnPath(visit), text: visit.t.acts.undoFirst }
  return toast(visit, visit.t.acts.blocked(fullActText(visit, act)), undo)
}

/** What an act of one's own did; undefined if there is none with the id. */
export async function textOfAct(visit: MemberVisit, actId: number): Promise<string | undefined> {
  const act = await findListedAct(visit, actId)
  return act && fullActText(visit, act)
}

async function findListedAct({ deps, session }: MemberVisit, id: number): Promise<ListedAct | undefined> {
  const [act] = await listActs(deps.seen, session.userId, { before: id + 1, limit: 1 })
  return act?.id === id ? act : undefined
}

async function actToast(visit: MemberVisit, { word, id }: Flash): Promise<Markup | undefined> {
  const act = await findListedAct(visit, id)
  if (act === undefined) return undefined
  // A work's own page need not name it.
  const isOnItsPage = returnPath(visit).split('?')[0] === `/works/${act.workId}`
  const text = (isOnItsPage ? actText : fullActText)(visit, act)
  if (word === 'undone' || act.undoneAt !== null)
    return toast(visit, html`<s>${text}</s> ${visit.t.acts.undone}`)
  const undo = { ...undoOf(id), returnTo: returnPath(visit) }
  return toast(visit, text, { ...undo, offer: await offerAfter(visit, act) })
}

async function offerAfter(visit: MemberVisit, act: ListedAct): Promise<Markup | undefined> {
  if (act.offersWatched) return watchedOffer(visit, act)
  const isFinished = act.kind === 'status' && act.statusKind === 'watched' && act.count <= 1
  return isFinished ? await pastOffer(visit, act.workId, { swap: 'main', look: '' }) : undefined
}

/** The last episode was recorded: one more press marks the work as watched. */
function watchedOffer(visit: MemberVisit, { workId }: ListedAct): Markup {
  const form = { act: 'status', path: '/status', fields: { work_id: workId, kind: 'watched' }, swap: 'main' }
  return actForm(visit, form, html`<button>${visit.t.acts.offerWatched}</button>`)
}
