import type { Read } from '../db/open'
import type { Deps } from '../deps'
import { enableSource } from './run/settings'
import type { AnySource } from './source'

/** The sources that the first administrator is asked about: recommended ones that need neither a token nor a location. */
export const recommendedOf = (sources: readonly AnySource[]): AnySource[] =>
  sources.filter(({ name }) => recommended.includes(name))

const recommended = ['syobocal', 'wikidata', 'bangumi-data']

/** Whether an administrator has enabled or disabled any source, by the question or elsewhere. */
export async function wasAnswered(read: Read): Promise<boolean> {
  const row = await read.selectFrom('catalogue_sources').select('name').limit(1).executeTakeFirst()
  return row !== undefined
}

export async function switchOnRecommended(deps: Deps, sources: readonly AnySource[]): Promise<void> {
  for (const source of recommendedOf(sources)) await enableSource(deps, source)
}

/** Remembers the answer no by storing the sources as disabled. */
export async function leaveOff({ write }: Pick<Deps, 'write'>, sources: readonly AnySource[]): Promise<void> {
  const rows = recommendedOf(sources).map(({ name }) => ({ name, is_enabled: 0 }))
  if (rows.length === 0) return
  await write((tx) =>
    tx
      .insertInto('catalogue_sources')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  )
}
