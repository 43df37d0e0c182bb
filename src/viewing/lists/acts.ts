import type { RawValues } from '../../http/request-values'
import { trimmed } from '../../lib/white-space'
import type { Act } from '../../library/acts/act'
import type { Message } from '../../messages/languages'
import {
  addToList,
  copyList,
  dropList,
  editList,
  makeList,
  moveInList,
  noteInList,
  removeFromList,
} from '../../social/lists/list-acts'
import {
  ListFull,
  longestListName,
  longestListNote,
  longestListText,
  mostInList,
  mostLists,
  visibilities,
} from '../../social/lists/write-list'
import { integerUpTo } from '../../values/number'
import { lineOfText, oneOf } from '../../values/text'
import { InvalidValue, orBlank, type Value } from '../../values/value'
import type { PageRoute } from '../../web/page'
import { FormProblem } from '../../web/problem'
import { type ActVisit, defineAct, id, typedProse } from '../acts/act-route'
import { chosenIn } from '../library/library-view'
import { listFormWithProblem } from './form'

const line = lineOfText(longestListName, (t) => t.lists.name)
const name: Value<string> = { ...line, read: (typed, now) => line.read(trimmed(typed), now) }

const fields = {
  name,
  text: typedProse(longestListText),
  visibility: orBlank(oneOf(visibilities), undefined),
  is_ordered: orBlank(oneOf(['1']), undefined),
}

const place = integerUpTo(mostInList)
const words = ['up', 'down', 'top', 'bottom'] as const
/** A number is a place from 1 on. */
const moveTo: Value<(typeof words)[number] | number> = {
  ...place,
  read: (typed, now) => {
    const word = words.find((one) => one === typed)
    if (word !== undefined) return word
    const read = place.read(typed, now)
    return read instanceof InvalidValue ? new InvalidValue((t) => t.lists.noPlace(mostInList)) : read
  },
}

export const listActs: readonly PageRoute[] = [
  defineAct({
    path: '/lists',
    values: { ...fields, work_id: orBlank(id, undefined) },
    run: ({ deps, session }, { work_id, is_ordered, ...said }) =>
      withRoom(() =>
        makeList(deps, session.userId, {
          ...said,
          isOrdered: is_ordered === '1',
          workIds: work_id === undefined ? [] : [work_id],
        }),
      ),
    refuse: listFormWithProblem,
  }),
  defineAct({
    path: '/lists/edit',
    values: { list_id: id, ...fields },
    run: ({ deps, session }, { list_id, is_ordered, ...said }) =>
      editList(deps, session.userId, { ...said, listId: list_id, isOrdered: is_ordered === '1' }),
    refuse: listFormWithProblem,
  }),
  defineAct({
    path: '/lists/delete',
    values: { list_id: id },
    run: ({ deps, session }, { list_id }) => dropList(deps, session.userId, { listId: list_id }),
  }),
  defineAct({
    path: '/lists/copy',
    values: { list_id: id, ...fields },
    run: ({ deps, session }, { list_id, is_ordered, ...said }) =>
      withRoom(() =>
        copyList(deps, session.userId, { ...said, listId: list_id, isOrdered: is_ordered === '1' }),
      ),
  }),
  defineAct({
    path: '/lists/add',
    values: { list_id: id, work_id: orBlank(id, undefined) },
    run: ({ deps, session }, { list_id, work_id }, sent) =>
      withRoom(() => addToList(deps, session.userId, { listId: list_id, workIds: worksIn(sent, work_id) })),
  }),
  defineAct({
    path: '/lists/remove',
    values: { list_id: id, work_id: orBlank(id, undefined) },
    run: ({ deps, session }, { list_id, work_id }, sent) =>
      removeFromList(deps, session.userId, { listId: list_id, workIds: worksIn(sent, work_id) }),
  }),
  defineAct({
    path: '/lists/move',
    values: { list_id: id, work_id: id, to: moveTo },
    run: ({ deps, session }, { list_id, work_id, to }) =>
      moveInList(deps, session.userId, { listId: list_id, workId: work_id, to }),
  }),
  defineAct({
    path: '/lists/note',
    values: { list_id: id, work_id: id, text: typedProse(longestListNote) },
    run: ({ deps, session }: ActVisit, { list_id, work_id, text }) =>
      noteInList(deps, session.userId, { listId: list_id, workId: work_id, text }),
  }),
]

/** One, or those that are chosen in the library. */
function worksIn(sent: RawValues, one: number | undefined): readonly number[] {
  const works =
    one === undefined ? chosenIn(new Map([...sent].filter(([name]) => name !== 'work_id'))) : [one]
  if (works.length === 0) throw new FormProblem('work', (t) => t.library.noneChosen)
  if (works.length > mostInList) throw new FormProblem('work', (t) => t.library.tooManyChosen(mostInList))
  return works
}

const fullTexts: Readonly<Record<ListFull['what'], Message>> = {
  lists: (t) => t.lists.fullLists(mostLists),
  works: (t) => t.lists.fullWorks(mostInList),
}

async function withRoom(act: () => Promise<Act>): Promise<Act> {
  return await act().catch((cause: unknown) => {
    throw cause instanceof ListFull ? new FormProblem('name', fullTexts[cause.what]) : cause
  })
}
