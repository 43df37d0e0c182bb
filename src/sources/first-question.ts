import type { Read } from '../db/open'
import type { Write } from '../db/write'
import { enableSource, needs, settingOf } from './run/settings'
import type { AnySource } from './source'

/** What an administrator is advised to switch on; the own pack only where it is known where it is. */
const recommended = ['kiroku', 'syobocal', 'wikidata', 'bangumi-data']

interface Tools {
  readonly read: Read
  readonly write: Write
  now(): number
  random(length: number): Uint8Array
}

export async function recommendedOf(read: Read, sources: readonly AnySource[]): Promise<AnySource[]> {
  const found: AnySource[] = []
  for (const source of sources.filter(({ name }) => recommended.includes(name))) {
    const isLocated =
      !needs(source, 'location') || (await settingOf(read, source.name)).location !== undefined
    if (isLocated) found.push(source)
  }
  return found
}

/** Whether an administrator has said yes or no to any source, here or elsewhere. */
export async function wasAnswered(read: Read): Promise<boolean> {
  const row = await read.selectFrom('catalogue_sources').select('name').limit(1).executeTakeFirst()
  return row !== undefined
}

/** Keeps a no as sources that are off. */
export async function answerQuestion(
  tools: Tools,
  sources: readonly AnySource[],
  isYes: boolean,
): Promise<void> {
  if (isYes) for (const source of sources) await enableSource(tools, source)
  else await refuse(tools, sources)
}

async function refuse({ write }: Tools, sources: readonly AnySource[]): Promise<void> {
  const rows = sources.map(({ name }) => ({ name, is_enabled: 0 }))
  if (rows.length === 0) return
  await write((tx) =>
    tx
      .insertInto('catalogue_sources')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  )
}
