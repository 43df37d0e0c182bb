import { type RawValues, textOrBlank } from '../../http/request-values'
import { progressOf } from '../../library/progress/progress'
import type { PageContent } from '../../pages/layout'
import { positiveInteger } from '../../values/number'
import { formText } from '../../web/form'
import { definePage, member } from '../../web/page'
import { type FormProblem, pageNotFound } from '../../web/problem'
import { safeReturn } from '../../web/return-to'
import { type MemberVisit, queryText, readOrNotFound } from '../../web/visit'
import { episodeName } from '../parts/episode-name'
import { type OpinionTexts, typedOpinion } from '../parts/opinion-texts'
import { episodeToRecord } from './episode-to-record'
import { type SheetEpisode, sheet } from './sheet'

/** `episode`: its id. `return_to`: the page to return to, by default Track. */
export const recordSheet = definePage({
  path: '/record/new',
  access: member,
  show: async (visit) => {
    const episode = await findEpisode(visit, queryText(visit, 'episode'))
    const return_to = safeReturn(queryText(visit, 'return_to'), visit.deps.config.baseUrl)
    return page(visit, episode, {
      comment: '',
      rating_state: '',
      watched_at: '',
      precision: 'time',
      return_to,
    })
  },
})

/** Shows the sheet again with what was typed and its problem. */
export async function sheetWithProblem(
  visit: MemberVisit,
  problem: FormProblem,
  sent: RawValues,
): Promise<PageContent> {
  const episode = await findEpisode(visit, textOrBlank(sent, 'episode_id'))
  const typed = typedOpinion(sent)
  const texts = {
    ...typed,
    precision: typed.precision || 'time',
    return_to: safeReturn(formText(sent, 'return_to'), visit.deps.config.baseUrl),
    problem: problem.text(visit.t),
  }
  return { ...page(visit, episode, texts), status: problem.status }
}

function page(visit: MemberVisit, episode: SheetEpisode, texts: OpinionTexts): PageContent {
  const title = visit.t.sheet.title(episodeName(visit, episode), episode.title)
  return { title, main: sheet(visit, episode, texts), place: 'track' }
}

async function findEpisode({ deps, session, now }: MemberVisit, sent: string): Promise<SheetEpisode> {
  const id = readOrNotFound(positiveInteger, sent)
  const [episode] = await episodeToRecord(deps.read, { id, user: session.userId })
  if (episode === undefined) throw pageNotFound()
  const asked = { userId: session.userId, workIds: [episode.work_id], now }
  const progress = (await progressOf(deps.read, asked)).get(episode.work_id)
  return { ...episode, unseen: progress?.next?.id === episode.id ? progress.unseen : 0 }
}
