import {
  deleteEpisode,
  episodesOf,
  insertEpisode,
  type ListEdit,
  listOfWork,
  splitEpisode,
  usesOfEpisode,
} from '../../catalogue/edit/episode-list'
import { beginMerge, MergeRefused } from '../../catalogue/edit/merges'
import { mostPastedBytes } from '../../catalogue/edit/pasted-titles'
import { handleOf } from '../../db/dialect'
import type { RawValues } from '../../http/request-values'
import type { Message } from '../../messages/languages'
import { positiveInteger, wholeNumber } from '../../values/number'
import { lineUpTo, oneOf } from '../../values/text'
import { InvalidValue, orBlank, readIfValid, type Value } from '../../values/value'
import { setFlash } from '../../web/flash'
import { defineAction, formText } from '../../web/form'
import { contributor, editor, type PageRoute, seeOther } from '../../web/page'
import { FormProblem, namedProblem, pageNotFound } from '../../web/problem'
import type { MemberVisit } from '../../web/visit'
import { goOn } from '../merging/run'
import { findWork } from '../work/view'
import { episodeToEditPage, listedEpisode, listPath, rowOfEpisode, showEpisode, whyKept } from './episode'
import { episodesPage, showEpisodes } from './episodes'
import { pasteTitles } from './paste-titles'
import { editorsOnly, refuseTooMany, saveEdits } from './save'
import { finish, roomFor, saveList } from './save-list'
import { textsSent } from './sent-edits'
import { changePath } from './undo-button'
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
  // Records, skips and broadcasts move into another one (D96).
  listAct({
    path: `${one}/merge`,
    access: editor,
    run: async (visit, sent) => {
      const { deps, session } = visit
      const work = await findWork(visit)
      const { id: from } = await listedEpisode(visit, work)
      const to = read(sent, 'into', positiveInteger)
      const rows = await listOfWork(deps.read, { work: work.id })
      if (!rows.some(({ id, hidden }) => id === to && hidden === 0))
        throw new FormProblem('into', (t) => t.form.notOffered)
      const change = await deps.write(async (tx) => {
        const now = deps.now()
        await refuseTooMany(tx, session.userId, now)
        const order = { kind: 'episode', from, to, fields: {}, total: 0 } as const
        return beginMerge(handleOf(tx), order, { user: session.userId, now })
      })
      await goOn(deps)
      return seeOther(visit, changePath(change))
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
function listAct({ path, access = editorsOnly, run }: ListAct): PageRoute {
  return defineAction({
    path,
    access,
    run: async (visit, sent) => {
      try {
        return await run(visit, sent)
      } catch (cause) {
        if (cause instanceof FormProblem) throw namedProblem(cause)
        if (!(cause instanceof MergeRefused)) throw cause
        throw namedProblem(new FormProblem('', (t) => t.merging.refused[cause.problem], 409))
      }
    },
  })
}

interface ListAct {
  readonly path: string
  readonly access?: typeof editorsOnly
  run(visit: MemberVisit, sent: RawValues): Promise<Response>
}

const listState = oneOf(['', 'grows', 'complete'])
const titleOrBlank = orBlank(lineUpTo(1000), '')

function read<T>(sent: RawValues, name: string, value: Value<T>): T {
  const result = value.read(formText(sent, name).trim())
  if (result instanceof InvalidValue) throw new FormProblem(name, result.rule)
  return result
}
