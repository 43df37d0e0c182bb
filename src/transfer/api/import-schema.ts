import Type, { type Static } from 'typebox'
import { nullable } from '../../api/paging'
import { boolean, dateTime, integer, text, word } from '../../api/schema'
import { isoTime } from '../../lib/time'
import { askNames, importStates, type ListImport, leftKinds } from '../batch/list-import'
import { conflictPolicies, rowStates, scoreFormats } from '../plan/planned-row'
import { sources } from '../sources'

const count = (what: string) => integer(`How many ${what}`)

export const importSchema = Type.Object({
  id: integer('Import id', 3),
  source: word(sources, 'Who wrote the file'),
  file_name: text('Name of the file, as it was sent', 'animelist.xml.gz'),
  state: word(importStates, 'How far it is'),
  conflict: word(conflictPolicies, 'What happens where the file differs from what is here'),
  score_format: nullable(word(scoreFormats, 'The scale of its scores; null where the file tells it')),
  time_zone: text('The time zone of its times that have none', 'Asia/Tokyo'),
  include_private: boolean('Whether private entries are taken over'),
  user: nullable(text('Whose entries of a file of several people count', 'mio')),
  complete_watched: boolean('Whether works finished with some of their episodes were watched to the end'),
  partial: boolean('Whether the file is one page of a longer list: what is on the others is missing'),
  counts: Type.Object(Object.fromEntries(rowStates.map((state) => [state, count(`rows are ${state}`)])), {
    description: 'Its rows by state',
  }),
  adds: Type.Object({
    records: count('records it adds'),
    statuses: count('statuses it sets'),
    reviews: count('reviews it makes or changes'),
  }),
  progress: Type.Object({
    done: count('rows are applied, or changes undone'),
    total: count('there are to do'),
  }),
  waiting: boolean('Whether others are ahead of it'),
  asks: Type.Array(
    Type.Object({
      name: word(askNames, 'The parameter that answers it'),
      options: Type.Array(Type.String()),
    }),
    {
      description:
        'Questions that the file leaves open; score_format, and user while it is null, must be answered before it is applied',
    },
  ),
  error: nullable(text('Why it failed')),
  left: Type.Array(
    Type.Object({
      kind: word(leftKinds, 'What it is'),
      id: integer('Its id; of a status or a note, that of the work'),
      work_id: integer('The work'),
      why: word(['changed', 'used'], 'Why an undo left it'),
    }),
    { description: 'What an undo left' },
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
  user: one.user,
  complete_watched: one.completesWatched,
  partial: one.isPart,
  counts: one.counts,
  adds: one.sums,
  progress: one.progress,
  waiting: one.isWaiting,
  asks: one.asks.map(({ name, options }) => ({ name, options: [...options] })),
  error: one.error,
  left: one.left.map(({ kind, id, workId, why }) => ({ kind, id, work_id: workId, why })),
  created_at: isoTime(one.createdAt),
  applied_at: timeOrNull(one.appliedAt),
  undone_at: timeOrNull(one.undoneAt),
})
