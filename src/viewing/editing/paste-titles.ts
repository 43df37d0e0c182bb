import { listOfWork, plannedTitles, setTitles } from '../../catalogue/edit/episode-list'
import {
  mostPastedBytes,
  type PastedTitle,
  PasteProblem,
  readPastedTitles,
} from '../../catalogue/edit/pasted-titles'
import { type RawValues, textOrBlank } from '../../http/request-values'
import type { Message } from '../../messages/languages'
import type { PageContent } from '../../pages/layout'
import { wholeNumber } from '../../values/number'
import { InvalidValue } from '../../values/value'
import { FormProblem } from '../../web/problem'
import type { MemberVisit } from '../../web/visit'
import { findWork } from '../work/view'
import { showEpisodes } from './episodes'
import { finish, roomFor, saveList } from './save-list'

/** Shows what pasted titles would change, or saves them. */
export async function pasteTitles(visit: MemberVisit, sent: RawValues): Promise<PageContent | Response> {
  const work = await findWork(visit)
  const texts = Object.fromEntries(
    ['titles', 'from', 'source_url'].map((name) => [name, textOrBlank(sent, name)]),
  )
  const titles = readTitles(texts.titles ?? '', (texts.from ?? '').normalize('NFKC').trim())
  if (typeof titles === 'function') return await shownAgain(visit, work, { texts, problem: titles })
  const { deps } = visit
  if (textOrBlank(sent, 'step') === 'preview') {
    const preview = plannedTitles(await listOfWork(deps.read, { work: work.id }), titles)
    return await showEpisodes(visit, work, { texts, preview })
  }
  try {
    const id = await saveList(visit, work, sent, (edit) => {
      roomFor(edit, titles.length)
      setTitles(edit, titles)
    })
    return await finish(visit, sent, work, id)
  } catch (cause) {
    if (!(cause instanceof FormProblem)) throw cause
    const page = await shownAgain(visit, work, { texts, problem: cause.text })
    return { ...page, status: cause.status, headers: cause.headers }
  }
}

const shownAgain = async (...[visit, work, form]: Parameters<typeof showEpisodes>): Promise<PageContent> => ({
  ...(await showEpisodes(visit, work, form)),
  status: 422,
})

/** Or what is wrong with them. */
function readTitles(text: string, from: string): readonly PastedTitle[] | Message {
  const first = wholeNumber(0, 2000).read(from)
  if (first instanceof InvalidValue) return (t) => t.episodeList.badNumber
  if (Buffer.byteLength(text) > mostPastedBytes) return (t) => t.episodeList.tooLarge(mostPastedBytes / 1024)
  const titles = readPastedTitles(text, first)
  if (titles instanceof PasteProblem) return (t) => t.episodeList.badLine(titles.line, titles.rule(t))
  return titles.length === 0 ? (t) => t.episodeList.nothingToRead : titles
}
