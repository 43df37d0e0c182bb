import Type, { type Static } from 'typebox'
import { nullable } from '../../api/paging'
import { boolean, dateTime, integer, text, word } from '../../api/schema'
import { isoTime } from '../../lib/time'
import { askNames, importStates, type ListImport, leftKinds } from '../batch/list-import'
import { conflictPolicies, rowStates, scoreFormats } from '../plan/planned-row'
import { favorites } from '../row'
import { sources } from '../sources'

const count = (what: string) => integer(`Number of ${what}`)

export const importSchema = Type.Object({
  id: integer('Import id', 3),
  source: word(sources, 'The service that the file is from'),
  file_name: text('Name of the file, as sent', 'animelist.xml.gz'),
  state: word(importStates, 'State of the import'),
  conflict: word(conflictPolicies, 'Which side wins where the file differs from what is here'),
  score_format: nullable(word(scoreFormats, 'The scale of its scores; null if the file states it')),
  time_zone: text('The time zone of times without one', 'Asia/Tokyo'),
  include_private: boolean('Whether private entries are imported'),
  all_private: boolean('Whether only the caller sees what it writes'),
  user: nullable(text('Whose entries are imported, by their name in a file with several users', 'mio')),
  complete_watched: boolean(
    'Whether finished works with only some episodes watched count as watched completely',
  ),
  partial: boolean('Whether the file is one page of a longer list, so that entries are missing'),
  counts: Type.Object(
    Object.fromEntries(rowStates.map((state) => [state, count(`rows with the state ${state}`)])),
    {
      description: 'Its rows by state',
    },
  ),
  adds: Type.Object({
    records: count('records it adds'),
    statuses: count('statuses it sets'),
    reviews: count('reviews it creates or changes'),
    listed: count('works that lists gain, once for each list'),
  }),
  lists: Type.Array(
    Type.Object({
      number: integer('Its number in the file, for leave_out_lists', 1),
      name: nullable(text('Name of the list; null for the favorites', '見返したい')),
      works: count('works in the file'),
      known: count('those that are matched'),
      gains: count('works that the list, or the favorites, gain here'),
      is_new: boolean('Whether there is no list of its name here yet'),
      left_out: boolean('Whether it stays out'),
      is_full: boolean('Whether some stay out because the most that one may have are here'),
      missing: Type.Array(Type.String(), { description: 'Titles that are not matched: the first three' }),
    }),
    { description: 'Its lists, which come as private ones, and its favorites' },
  ),
  progress: Type.Object({
    done: count('rows applied, or changes undone'),
    total: count('rows or changes in all'),
  }),
  waiting: boolean('Whether it is waiting for other imports'),
  asks: Type.Array(
    Type.Object({
      name: word(askNames, 'The parameter that answers the question'),
      options: Type.Array(Type.String()),
    }),
    {
      description:
        'Questions that the file leaves open; score_format, and user while it is null, must be answered before applying',
    },
  ),
  error: nullable(text('Why it failed')),
  left: Type.Array(
    Type.Object({
      kind: word(leftKinds, 'Kind of item'),
      id: integer('Its id; for a status, a note or a favorite, the work’s'),
      work_id: integer('The work'),
      why: word(['changed', 'used'], 'Why the undo left it'),
    }),
    { description: 'What the undo left unchanged' },
  ),
  created_at: dateTime('When it was read'),
  applied_at: nullable(dateTime('When it was applied')),
  undone_at: nullable(dateTime('When it was undone')),
})

const timeOrNull = (at: number | null) => (at === null ? null : isoTime(at))

export const shownImport = (one: ListImport): Static<typeof importSchema> => ({
  id: one.id,
  source: one.source,
  file_name: one.fileName,
  state: one.state,
  conflict: one.conflict,
  score_format: one.scoreFormat,
  time_zone: one.timeZone,
  include_private: one.includesPrivate,
  all_private: one.isAllPrivate,
  user: one.user,
  complete_watched: one.completesWatched,
  partial: one.isPart,
  counts: one.counts,
  adds: one.sums,
  lists: one.lists.map(({ name, isNew, isLeftOut, isFull, missing, ...figures }, at) => ({
    ...{ number: at + 1, name: name === favorites ? null : name, ...figures },
    ...{ is_new: isNew, left_out: isLeftOut, is_full: isFull, missing: [...missing] },
  })),
  progress: one.progress,
  waiting: one.isWaiting,
  asks: one.asks.map(({ name, options }) => ({ name, options: [...options] })),
  error: one.error,
  left: one.left.map(({ kind, id, workId, why }) => ({ kind, id, work_id: workId, why })),
  created_at: isoTime(one.createdAt),
  applied_at: timeOrNull(one.appliedAt),
  undone_at: timeOrNull(one.undoneAt),
})
