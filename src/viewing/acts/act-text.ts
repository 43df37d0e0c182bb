import type { ListedAct } from '../../library/acts/act'
import type { PageContext } from '../../pages/layout'
import { episodeName } from '../parts/episode-name'

/** What was done, in a sentence without a full stop. */
export function actText(pageContext: PageContext, act: ListedAct): string {
  const { acts, statuses } = pageContext.t
  const { number, numberText: number_text } = act
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
        ? acts.statusRemoved(act.title)
        : acts.statusSet(act.title, statuses[act.statusKind])
    case 'skip':
      return acts.skipped(episode)
    case 'episode':
      return acts.episodeAdded(episode)
    case 'edit_record':
      return acts.recordEdited(episode)
    case 'delete_record':
      return acts.recordDeleted(episode)
    case 'viewing':
      return acts.viewed(act.title)
    case 'edit_viewing':
      return acts.viewingEdited(act.title)
    case 'delete_viewing':
      return acts.viewingDeleted(act.title)
    case 'rating':
      return acts.rated(act.title)
    case 'lap':
      return acts.lapStarted(act.title)
    case 'note':
      return acts.noteWritten(act.title)
  }
}
