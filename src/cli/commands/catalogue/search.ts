import { seasonName } from '../../../catalogue/labels'
import { findRows } from '../../../catalogue/search/find'
import type { Read } from '../../../db/open'
import { type Command, json } from '../../command'
import { withExistingStore } from '../../open'
import { table } from '../../table'

export const catalogueSearch: Command = {
  name: 'catalogue search',
  summary:
    'Finds the 20 best matching works by title, reading, other name, or id or address at another service.',
  operands: [{ name: 'WORDS', rest: true }],
  options: [json],
  examples: ['kiroku catalogue search フリーレン 2期', 'kiroku catalogue search mal:52991'],
  run: async (call) => {
    const words = call.operands.join(' ').slice(0, longest)
    const works = await withExistingStore(call, ({ read }) => worksFound(read, words))
    if (call.get(json)) return await call.print(JSON.stringify(works, null, 2))
    if (works.length === 0) return await call.print('no works found')
    const rows = works.map(({ id, title, season_name }) => [String(id), title, season_name])
    await call.print(table([['ID', 'TITLE', 'SEASON'], ...rows]))
  },
}

async function worksFound(read: Read, words: string) {
  const ids = (await findRows(read, 'works', words)).slice(0, mostShown)
  const works = await read
    .selectFrom('works')
    .select(['id', 'title', 'season_year', 'season'])
    .where('id', 'in', ids)
    .execute()
  return works
    .toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
    .map(({ id, title, season_year, season }) => ({
      id,
      title,
      season_name: seasonName(season_year, season),
    }))
}

const longest = 200
const mostShown = 20
