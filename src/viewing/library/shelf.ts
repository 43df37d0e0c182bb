import { findRows } from '../../catalogue/search/find'
import { once } from '../../lib/once'
import { mostWorksAtOnce } from '../../library/acts/bulk-status'
import { type Progress, progressOf } from '../../library/progress/progress'
import { chosenTitle } from '../../pages/title'
import type { MemberVisit } from '../../web/visit'
import type { ShownUser } from '../parts/find-user'
import { type Asked, isChosen } from './asked'
import { type ShelfKey, type ShelfWork, shelfKeys, shelfWorks } from './queries'

export interface ShelfRow {
  readonly work: ShelfWork
  readonly progress: Progress | undefined
}

export interface ShelfPage {
  readonly rows: readonly ShelfRow[]
  readonly count: number
  /** The ids of those chosen on other pages, as far as a status can be set for all of them at once. */
  readonly others: readonly number[]
  readonly page: number
  readonly pages: number
}

/** About 50 KB. */
const pageSizes = { table: 30, covers: 60 }

export async function shelfPage(visit: MemberVisit, user: ShownUser, asked: Asked): Promise<ShelfPage> {
  const { read } = visit.deps
  const { shelf, sort, medium, year, view } = asked
  const keys = await shelfKeys[sort](read, { user: user.id, shelf, medium, year })
  const found = await withText(visit, keys, asked.text)
  const size = pageSizes[view]
  const pages = Math.ceil(found.length / size)
  const page = Math.min(asked.page, Math.max(1, pages))
  const ids = inOrder(visit, found, asked).map(({ id }) => id)
  const [start, end] = [(page - 1) * size, page * size]
  const workIds = ids.slice(start, end)
  const others = [...ids.slice(0, start), ...ids.slice(end)]
    .filter((id) => isChosen(asked, id))
    .slice(0, mostWorksAtOnce - workIds.length)
  return { rows: await rowsOf(visit, user, workIds), count: found.length, others, page, pages }
}

/** Those that a search of the catalogue finds. */
async function withText({ deps }: MemberVisit, keys: readonly ShelfKey[], text: string): Promise<ShelfKey[]> {
  if (text === '') return [...keys]
  const hits = new Set(await findRows(deps.read, 'works', text))
  const lower = text.toLowerCase()
  const has = ({ title, title_en, title_ro }: ShelfKey) =>
    [title, title_en, title_ro].some((one) => one.toLowerCase().includes(lower))
  return keys.filter((key) => hits.has(key.id) || has(key))
}

/** The highest first, what has no key last; by title the other way round. */
function inOrder(visit: MemberVisit, keys: ShelfKey[], { sort }: Asked): readonly ShelfKey[] {
  if (sort === 'title') {
    const titled = keys.map((key) => ({ key, text: chosenTitle(visit, key).text }))
    const { compare } = collators[visit.preferences.titleLanguage === 'native' ? 'ja' : 'en']()
    return titled
      .sort((one, other) => compare(one.text, other.text) || one.key.id - other.key.id)
      .map(({ key }) => key)
  }
  return keys.sort(
    (one, other) =>
      (other.key ?? -1) - (one.key ?? -1) || other.changed_at - one.changed_at || other.id - one.id,
  )
}

const collators = {
  ja: once(() => new Intl.Collator('ja', { numeric: true })),
  en: once(() => new Intl.Collator('en', { numeric: true })),
}

async function rowsOf(visit: MemberVisit, user: ShownUser, workIds: readonly number[]): Promise<ShelfRow[]> {
  const { deps, session } = visit
  const asked = { user: user.id, works: JSON.stringify(workIds), reader: session.userId }
  const byId = new Map((await shelfWorks(deps.read, asked)).map((work) => [work.id, work]))
  const progress = await progressOf(deps.read, { userId: user.id, workIds, now: visit.now })
  return workIds.flatMap((id) => {
    const work = byId.get(id)
    return work === undefined ? [] : [{ work, progress: progress.get(id) }]
  })
}
