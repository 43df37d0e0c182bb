import type { Messages } from '../../messages/en'
import type { PageContext } from '../../pages/layout'
import { type ListedSource, listSources } from '../../sources/run/settings'
import type { AnySource } from '../../sources/source'
import { pageNotFound } from '../../web/problem'
import type { Visit } from '../../web/visit'

/** What users are told about a source; a test ensures that each source has a text. */
export const sourceText = (t: Messages, { name }: Pick<AnySource, 'name'>) => {
  const texts: Readonly<Record<string, SourceText>> = t.catalogue.sourceTexts
  return texts[name] ?? { brings: '', sends: '', attribution: '' }
}

type SourceText = Readonly<Record<'brings' | 'sends' | 'attribution', string>>

/** `Every week` */
export function howOften({ catalogue }: Messages, { intervalMs }: Pick<AnySource, 'intervalMs'>): string {
  return intervalMs === undefined
    ? catalogue.commandOnly
    : catalogue.every(Math.round(intervalMs / 86_400_000))
}

/** `api.annict.com` */
export const hostsText = ({ catalogue }: Messages, { hosts }: Pick<AnySource, 'hosts'>): string =>
  hosts.length === 0 ? catalogue.ownLocation : hosts.join(', ')

/** The page about the source, on its own site or here. */
export const homeOf = (
  { basePath }: Pick<PageContext, 'basePath'>,
  { home }: Pick<AnySource, 'home'>,
): string => (home.startsWith('/') ? basePath + home : home)

/** The declarations, loaded on demand, so that servers without an enabled source do not keep them in memory. */
export async function declaredSources(): Promise<readonly AnySource[]> {
  const { allSources } = await import('../../sources/all')
  return allSources
}

/** The source in the path. Throws the 404 page. */
export async function sourceIn({ deps, params }: Visit): Promise<ListedSource> {
  const source = (await declaredSources()).find(({ name }) => name === params.name)
  if (source === undefined) throw pageNotFound()
  const [listed] = await listSources(deps.read, [source])
  if (listed === undefined) throw pageNotFound()
  return listed
}
