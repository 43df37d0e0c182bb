import type { Read } from '../../../db/open'
import { Failure } from '../../../lib/failure'
import { allSources } from '../../../sources/all'
import { listSources, missingSetting } from '../../../sources/run/settings'
import type { AnySource } from '../../../sources/source'

/** Throws a `usage` failure that lists the known sources. */
export function sourceNamed(name: string): AnySource {
  const source = allSources.find((one) => one.name === name)
  if (source !== undefined) return source
  const names = allSources.map((one) => one.name).join(', ')
  throw new Failure('usage', `there is no catalogue source ${JSON.stringify(name)}; the sources are ${names}`)
}

/** The named sources, or all enabled ones, in the order they run in. Throws a `config` failure. */
export async function wantedSources(read: Read, names: readonly string[]): Promise<AnySource[]> {
  const named = names.map(sourceNamed)
  const listed = await listSources(read, allSources)
  const wanted = listed.filter(({ source, isEnabled }) =>
    named.length === 0 ? isEnabled : named.includes(source),
  )
  if (wanted.length === 0)
    throw new Failure('config', 'no catalogue source is enabled: see kiroku catalogue sources')
  for (const one of wanted) {
    const missing = missingSetting(one.source, one)
    if (missing !== undefined)
      throw new Failure(
        'config',
        `${one.name} needs a ${missing}: kiroku catalogue sources enable ${one.name}`,
      )
  }
  return wanted.map(({ source }) => source)
}
