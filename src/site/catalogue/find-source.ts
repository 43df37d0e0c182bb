import { type ListedSource, listSources } from '../../sources/run/settings'
import { pageNotFound } from '../../web/problem'
import type { Visit } from '../../web/visit'
import { declaredSources } from './source-text'

/** The source in the path. Throws the 404 page. */
export async function sourceIn({ deps, params }: Visit): Promise<ListedSource> {
  const source = (await declaredSources()).find(({ name }) => name === params.name)
  if (source === undefined) throw pageNotFound()
  const [listed] = await listSources(deps.read, [source])
  if (listed === undefined) throw pageNotFound()
  return listed
}
