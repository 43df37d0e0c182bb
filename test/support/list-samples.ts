import { makeList, noteInList } from '../../src/social/lists/list-acts'
import type { Instance } from './instance'

/** A list with a note, for everyone, and a series of two works. */
export async function listSamples(
  { deps }: Instance,
  user: number,
): Promise<Readonly<Record<string, string>>> {
  const list = { name: '見返したい', text: '疲れた夜に', visibility: 'public', isOrdered: true } as const
  const { listId } = await makeList(deps, user, { ...list, workIds: [1, 2, 3] })
  const series = [1, 2].map((work_id) => ({ series_id: 1, work_id, source_id: 1 }))
  await deps.write((tx) => tx.insertInto('series_works').values(series).execute())
  await noteInList(deps, user, { listId, workId: 1, text: '冬の夜に' })
  return {
    '/@:username/lists': '/@azusa/lists',
    '/@:username/lists/:id': `/@azusa/lists/${listId}`,
    '/@:username/lists/:id/edit': `/@azusa/lists/${listId}/edit`,
    '/@:username/lists/:id/works/:work': `/@azusa/lists/${listId}/works/1`,
    '/works/:id/lists': '/works/2/lists',
    '/series/:id': '/series/1',
  }
}
