import type { ListedAct } from '../../library/acts/act'
import type { WrittenByApplication } from '../../library/acts/find-written'
import type { PageContext } from '../../pages/layout'
import { chosenTitle } from '../../pages/title'
import { episodeName } from '../parts/episode-name'

/** The same with the work, for places where nothing else names it. */
export function fullActText(pageContext: PageContext, act: ListedAct): string {
  const text = actText(pageContext, act)
  const { text: title } = titleOf(pageContext, act)
  const isOfSeveral = act.episodeId === null && act.count > 1
  return isOfSeveral || text.includes(title) ? text : pageContext.t.acts.of(text, title)
}

/** What an application wrote, in the words of the act that it would be on a page. */
export function writtenText(
  pageContext: PageContext,
  { kind, by: _, ...written }: WrittenByApplication,
): string {
  if (kind === 'review') return pageContext.t.acts.reviewed(titleOf(pageContext, written).text)
  return fullActText(pageContext, { ...written, kind, undoneAt: null, offersWatched: false })
}

/** Says what was done, in a sentence without a full stop. */
export function actText(pageContext: PageContext, act: ListedAct): string {
  const { acts, statuses } = pageContext.t
  const { number, numberText: number_text } = act
  const title = titleOf(pageContext, act).text
  const isGone = number_text === null
  const episode = isGone
    ? acts.someEpisodes(Math.max(1, act.count))
    : episodeName(pageContext, { number, number_text })
  switch (act.kind) {
    case 'record':
      return act.count > 1 && !isGone ? acts.recordedUpTo(episode, act.count) : acts.recorded(episode)
    case 'status':
      if (act.count > 1 && act.statusKind !== null)
        return acts.statusesSet(act.count, statuses[act.statusKind])
      return act.statusKind === null
        ? acts.statusRemoved(title)
        : acts.statusSet(title, statuses[act.statusKind])
    case 'skip':
      return acts.skipped(episode)
    case 'episode':
      return acts.episodeAdded(episode)
    case 'edit_record':
      return acts.recordEdited(episode)
    case 'delete_record':
      return acts.recordDeleted(episode)
    case 'viewing':
      return acts.viewed(title)
    case 'edit_viewing':
      return acts.viewingEdited(title)
    case 'delete_viewing':
      return acts.viewingDeleted(title)
    case 'rating':
      return act.count > 1 ? acts.ratedMany(act.count) : acts.rated(title)
    case 'lap':
      return acts.lapStarted(title)
    case 'past':
      return acts.pastRecorded(title, act.count)
    case 'slot':
      return acts.slotChanged(title)
    case 'note':
      return acts.noteWritten(title)
  }
}

const titleOf = (
  pageContext: PageContext,
  { title, titleEn, titleRo }: Pick<ListedAct, 'title' | 'titleEn' | 'titleRo'>,
) => chosenTitle(pageContext, { title, title_en: titleEn, title_ro: titleRo })
