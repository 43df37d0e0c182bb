import type { ListedAct } from '../../library/acts/act'
import type { PageContext } from '../../pages/layout'
import { chosenTitle } from '../../pages/title'
import { episodeName } from '../parts/episode-name'

/** Says what was done, in a sentence without a full stop. */
export function actText(pageContext: PageContext, act: ListedAct): string {
  const { acts, statuses } = pageContext.t
  const { number, numberText: number_text } = act
  const { titleEn: title_en, titleRo: title_ro } = act
  const title = chosenTitle(pageContext, { title: act.title, title_en, title_ro }).text
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
    case 'note':
      return acts.noteWritten(title)
  }
}
