import {
  deleteEpisode,
  episodesOf,
  insertEpisode,
  isFull,
  type ListEdit,
  listOfWork,
  mostEpisodes,
  plannedTitles,
  setTitles,
  splitEpisode,
  usesOfEpisode,
} from '../../catalogue/edit/episode-list'
import {
  mostPastedBytes,
  type PastedTitle,
  PasteProblem,
  readPastedTitles,
} from '../../catalogue/edit/pasted-titles'
import { type RawValues, textOrBlank } from '../../http/request-values'
import type { Message } from '../../messages/languages'
import type { PageContent } from '../../pages/layout'
import { positiveInteger, wholeNumber } from '../../values/number'
import { lineUpTo, oneOf } from '../../values/text'
import { InvalidValue, orBlank, readIfValid, type Value } from '../../values/value'
import { setFlash } from '../../web/flash'
import { defineAction, formText } from '../../web/form'
import { contributor, type PageRoute, seeOther } from '../../web/page'
import { FormProblem, namedProblem, pageNotFound } from '../../web/problem'
import type { MemberVisit } from '../../web/visit'
import { findWork } from '../work/view'
import { episodeToEditPage, listedEpisode, listPath, rowOfEpisode, showEpisode, whyKept } from './episode'
import { episodesPage, showEpisodes } from './episodes'
import { editorsOnly, saveEdits } from './save'
import { finish, saveList } from './save-list'
import { textsSent } from './sent-edits'
import { release } from './work'

const list = '/works/:id/edit/episodes'
const one = `${list}/:episode`

export const episodeEditing: readonly PageRoute[] = [
  episodesPage,
  episodeToEditPage,
  // Titles pasted into the list.
  defineAction({
    path: list,
    access: editorsOnly,
    body: { maxBytes: mostPastedBytes + 64 * 1024, json: false, repeats: false },
    runTooLarge: async (visit) => {
      const problem: Message = (t) => t.episodeList.tooLarge(mostPastedBytes / 1024)
      return { ...(await showEpisodes(visit, await findWork(visit), { problem })), status: 413 }
    },
    run: pasteTitles,
  }),
  listAct({
    path: `${list}/list`,
    run: async (visit, sent) => {
      const work = await findWork(visit)
      const list_state = read(sent, 'list_state', listState)
      const make = ({ change }: ListEdit) => void change.set('work', work.id, { list_state })
      return await finish(visit, sent, work, await saveList(visit, work, sent, make))
    },
  }),
  ...[`${list}/insert`, `${one}/insert`].map((path) =>
    listAct({
      path,
      run: async (visit, sent) => {
        const work = await findWork(visit)
        const after = read(sent, 'after', wholeNumber(0, Number.MAX_SAFE_INTEGER))
        const title = read(sent, 'title', titleOrBlank)
        const isRenumbering = formText(sent, 'renumber') === '1'
        const make = (edit: ListEdit) => {
          roomFor(edit, 1)
          if (insertEpisode(edit, { after, title, isRenumbering }) === undefined) throw pageNotFound()
        }
        return await finish(visit, sent, work, await saveList(visit, work, sent, make))
      },
    }),
  ),
  // The fields of one.
  defineAction({
    path: one,
    access: contributor,
    run: async (visit, sent) => {
      const work = await findWork(visit)
      const episode = await listedEpisode(visit, work)
      const row = await rowOfEpisode(visit, episode)
      const saved = await saveEdits(visit, { kind: 'episodes', work: work.id, row, sent })
      if ('answer' in saved) {
        setFlash(visit, saved.answer.word, saved.answer.id)
        return seeOther(visit, listPath(work, episode))
      }
      const { status, headers } = saved
      const again = { ...saved, texts: textsSent(row, sent) }
      return { ...(await showEpisode(visit, work, episode, again)), status, headers }
    },
  }),
  listAct({
    path: `${one}/split`,
    run: async (visit, sent) => {
      const work = await findWork(visit)
      const { id } = await listedEpisode(visit, work)
      const titles = [read(sent, 'title', titleOrBlank), read(sent, 'second_title', titleOrBlank)] as const
      const isRenumbering = formText(sent, 'renumber') === '1'
      const make = (edit: ListEdit) => {
        roomFor(edit, 1)
        splitEpisode(edit, id, { titles, isRenumbering })
      }
      return await finish(visit, sent, work, await saveList(visit, work, sent, make))
    },
  }),
  listAct({
    path: `${one}/remove`,
    run: async (visit, sent) => {
      const work = await findWork(visit)
      const episode = await listedEpisode(visit, work)
      const id = await saveList(visit, work, sent, async (edit, tx) => {
        const why = whyKept(await usesOfEpisode(tx, { id: episode.id }))
        if (why !== undefined) throw new FormProblem('', why, 409)
        deleteEpisode(edit, episode.id)
      })
      setFlash(visit, id === undefined ? 'unedited' : 'edited', id)
      return seeOther(visit, listPath(work, episode))
    },
  }),
  // What a source lists, though it was left out by hand.
  listAct({
    path: `${one}/show`,
    run: async (visit, sent) => {
      const work = await findWork(visit)
      const id = readIfValid(positiveInteger, visit.params.episode ?? '')
      const make = ({ handle, change }: ListEdit) => {
        const known = episodesOf(handle, work.id).some((row) => row.id === id)
        if (id === undefined || !known) throw pageNotFound()
        change.setHidden('episode', id, false)
      }
      return await finish(visit, sent, work, await saveList(visit, work, sent, make))
    },
  }),
  ...(['use_source', 'unlock'] as const).map((act) =>
    listAct({
      path: `${one}/${act}`,
      run: async (visit, sent) => {
        const work = await findWork(visit)
        const episode = await listedEpisode(visit, work)
        const id = await release(visit, await rowOfEpisode(visit, episode), work.id, sent, act)
        setFlash(visit, id === undefined ? 'unedited' : 'edited', id)
        return seeOther(visit, `/works/${work.id}/edit/episodes/${episode.id}`)
      },
    }),
  ),
]

/** What has no form of its own to show again says what is wrong on a page. */
function listAct({ path, run }: ListAct): PageRoute {
  return defineAction({
    path,
    access: editorsOnly,
    run: async (visit, sent) => {
      try {
        return await run(visit, sent)
      } catch (cause) {
        throw cause instanceof FormProblem ? namedProblem(cause) : cause
      }
    },
  })
}

interface ListAct {
  readonly path: string
  run(visit: MemberVisit, sent: RawValues): Promise<Response>
}

const listState = oneOf(['', 'grows', 'complete'])
const titleOrBlank = orBlank(lineUpTo(1000), '')

function read<T>(sent: RawValues, name: string, value: Value<T>): T {
  const result = value.read(formText(sent, name).trim())
  if (result instanceof InvalidValue) throw new FormProblem(name, result.rule)
  return result
}

function roomFor({ handle, work }: ListEdit, more: number): void {
  if (isFull(episodesOf(handle, work), more))
    throw new FormProblem('', (t) => t.episodeList.fullList(mostEpisodes))
}

async function pasteTitles(visit: MemberVisit, sent: RawValues): Promise<PageContent | Response> {
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
